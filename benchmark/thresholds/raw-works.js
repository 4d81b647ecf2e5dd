'use strict'

/** Documents with this many fields, with names of equal length and values of several types. */
function bytesOf(fields, offset = 0) {
  const { encode } = require('../../qbson')
  return Array.from({ length: 64 }, (_, n) => {
    const value = i => i % 3 === 0 ? n + i : i % 3 === 1 ? `text ${n}` : n + 0.5
    return encode(Object.fromEntries(Array.from({ length: fields }, (_, i) => [`field_${i + offset}`, value(i)])))
  })
}

function each(inputs, operate) {
  const kept = new Array(inputs.length)
  return {
    ops: inputs.length,
    warmUp: 2,
    run() {
      for (let i = 0; i < inputs.length; i++) kept[i] = operate(inputs[i], i)
    }
  }
}

module.exports = { bytesOf, each }
