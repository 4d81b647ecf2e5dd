'use strict'

const { BSONError } = require('../errors')
const { NodeBuffer, isMemory, toBytes } = require('../bytes')

/**
 * The same memory, in a Buffer on Node.
 *
 * @param {any} input
 * @returns {Uint8Array}
 * @throws {BSONError} when it is not memory
 */
function toLocalBytes(input) {
  if (isMemory(input)) return toBytes(input)
  throw new BSONError('Cannot create Buffer from the passed potentialBuffer.')
}

/** @param {ArrayLike<number>} numbers only their lowest 8 bits are kept, as in typed arrays @returns {Uint8Array} */
function fromNumberArray(numbers) {
  return NodeBuffer !== undefined ? NodeBuffer.from(/** @type {number[]} */ (numbers)) : Uint8Array.from(numbers)
}

/** @param {number} size bytes @returns {Uint8Array} filled with zeros */
function allocateZeroed(size) {
  return NodeBuffer !== undefined ? NodeBuffer.alloc(size) : new Uint8Array(size)
}

/** @param {number} size bytes @returns {Uint8Array} part of a larger buffer and not cleared, where that is faster */
function allocateUnsafe(size) {
  return NodeBuffer !== undefined ? NodeBuffer.allocUnsafe(size) : new Uint8Array(size)
}

module.exports = { toLocalBytes, fromNumberArray, allocateZeroed, allocateUnsafe }
