// The same for the package as it is imported.

import './portable.js'
import * as qbson from 'qbson'
import * as json from 'qbson/json'

console.log(JSON.stringify(runPortable(qbson, json)))
