'use strict'

// As in a program that is taken down: nothing can be loaded any more, and no code made. What fails then is printed.
// Only what is loaded by its first use has to have been used before.

require('./portable.js')
const Module = require('node:module')
const qbson = require('qbson')
const json = require('qbson/json')

qbson.EJSON.stringify({})
new qbson.RawDocument(qbson.encode({})).get('a')
qbson.documents(qbson.encode({})).next()
qbson.validate(qbson.encode({}))
qbson.sizeOf({})
for (const element of qbson.onDemand.parseToElements(qbson.encode({ a: 1 }))) void element
for (let i = 0; i < 2000; i++) qbson.decode(qbson.encode({ a: 1 })) // takes a sample of shapes
try {
  qbson.decode(new Uint8Array([5, 0, 0, 0, 1]))
} catch {} // the place of an error

Module.prototype.require = request => {
  throw new Error(`required late: ${request}`)
}
globalThis.Function = function () {
  throw new EvalError('Code generation from strings disallowed for this context')
}
console.log(JSON.stringify(runPortable(qbson, json)))
