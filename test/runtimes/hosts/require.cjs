'use strict'

// Prints what the portable suite says of the package as it is required here.

require('./portable.js')
if (process.argv[2] === 'lockdown') {
  require(process.argv[3])
  lockdown({ overrideTaming: process.argv[4] })
}
console.log(JSON.stringify(runPortable(require('qbson'), require('qbson/json'))))
