'use strict'

// What a positional document begins with: a number that is another for schemas that are laid out otherwise.

const { ELEMENT } = require('../spec')

/** int64 "0", before its eight bytes. */
const HEAD = [ELEMENT.INT64, 0x30, 0]

/**
 * 64 bits of FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv, over the layout: the order, names and types of fields, and
 * whether they are required. Titles, bounds and other rules may change.
 *
 * @param {import('../schema/schema').Schema} schema
 * @returns {bigint} signed
 */
function fingerprintOf(schema) {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(JSON.stringify(schema.nodes.map(layoutOf)))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  return BigInt.asIntN(64, hash)
}

/** @param {import('../schema/schema').Node} node */
function layoutOf({ isOpen, isPositional, forms }) {
  const types = [...forms.keys()].sort((a, b) => a - b)
  const shape = forms.get(ELEMENT.DOCUMENT)?.shape
  const list = forms.get(ELEMENT.ARRAY)?.list
  return [
    isOpen,
    isPositional,
    types,
    shape ? [shape.fields.map(fieldOf), restOf(shape.additional)] : 0,
    list ? [list.prefix.map(node => node.id), restOf(list.items)] : 0
  ]
}

/** @param {import('../schema/schema').Field} field */
function fieldOf({ name, node, isRequired }) {
  return [name, node.id, isRequired]
}

/** @param {boolean | import('../schema/schema').Node} node */
function restOf(node) {
  return typeof node === 'boolean' ? node : node.id
}

/** @param {bigint} fingerprint @returns {string} 16 hex digits */
function nameOf(fingerprint) {
  return BigInt.asUintN(64, fingerprint).toString(16).padStart(16, '0')
}

/** @param {bigint} fingerprint @returns {[number, number]} its lower and upper half, as source has them */
function halvesOf(fingerprint) {
  return [Number(BigInt.asIntN(32, fingerprint)), Number(BigInt.asIntN(32, fingerprint >> 32n))]
}

module.exports = { HEAD, fingerprintOf, nameOf, halvesOf }
