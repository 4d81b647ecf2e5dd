'use strict'

// The fingerprint that a positional document begins with. Schemas with different layouts have different fingerprints.

const { ELEMENT } = require('../spec')
const { utf8Bytes } = require('../bytes')

/**
 * 64 bits of FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv, over the layout: the order, names and types of fields,
 * and whether they are required. Titles, bounds and other rules do not affect it.
 *
 * @param {import('../schema/schema').Schema} schema @returns {bigint} signed
 */
function fingerprintOf(schema) {
  let hash = 0xcbf29ce484222325n
  for (const byte of utf8Bytes(JSON.stringify(layoutsOf(schema)))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  return BigInt.asIntN(64, hash)
}

/** The layouts of the nodes that are written. They are numbered without the nodes that are only used for checks. */
function layoutsOf({ root }) {
  const found = new Set([root])
  for (const node of found) for (const inner of nodesIn(node)) found.add(inner)
  const nodes = [...found].sort((a, b) => a.id - b.id)
  const numbers = new Map(nodes.map((node, i) => [node, i]))
  return nodes.map(node => layoutOf(node, inner => (typeof inner === 'boolean' ? inner : numbers.get(inner))))
}

function nodesIn({ typeRules }) {
  const inner = [...typeRules.values()].flatMap(({ shape, list }) => [
    ...(shape ? [...shape.fields.map(field => field.node), shape.additional] : []),
    ...(list ? [...list.prefix, list.items] : [])
  ])
  return inner.filter(node => typeof node === 'object')
}

function layoutOf({ isOpen, isPositional, typeRules }, numberOf) {
  const types = [...typeRules.keys()].sort((a, b) => a - b)
  const shape = typeRules.get(ELEMENT.DOCUMENT)?.shape
  const list = typeRules.get(ELEMENT.ARRAY)?.list
  const fields = shape?.fields.map(({ name, node, isRequired }) => [name, numberOf(node), isRequired])
  return [
    isOpen,
    isPositional,
    types,
    shape ? [fields, numberOf(shape.additional)] : 0,
    list ? [list.prefix.map(numberOf), numberOf(list.items)] : 0
  ]
}

/** 16 hex digits */
function nameOf(fingerprint) {
  return BigInt.asUintN(64, fingerprint).toString(16).padStart(16, '0')
}

module.exports = { fingerprintOf, nameOf }
