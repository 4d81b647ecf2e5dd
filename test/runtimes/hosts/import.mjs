// The same for the package as it is imported.

import './portable.js'
import * as qbson from 'qbson'

console.log(JSON.stringify(runPortable(qbson)))
