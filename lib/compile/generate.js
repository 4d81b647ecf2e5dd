'use strict'

// The source of a codec: for every document and array that the schema describes a function that writes it and one that
// reads it. Made at run time and ahead of time alike.

const { ELEMENT } = require('../spec')
const { halvesOf } = require('./fingerprint')
const { literal, textOf, isCompilable, isPlainList } = require('./source')
const { WriteSource, nameOf, leftTo } = require('./write-source')
const { ReadSource, restSource, listRestSource } = require('./read-source')

/** @typedef {import('./source').Lines} Lines */

/**
 * @param {import('../schema/schema').Schema} schema
 * @param {import('./plan').Plan} plan
 * @param {boolean} isPositional
 * @param {bigint} fingerprint
 * @returns {string} statements that declare `writeRoot` and `readRoot`, from the names of runtime.js and `slow`
 */
function generate(schema, plan, isPositional, fingerprint) {
  const writing = new WriteSource(fingerprint)
  const reading = new ReadSource(plan)
  const loaded = isSmall(schema) ? byBytes : lines => lines
  const lines = []
  const seen = new Set()
  const root = { shape: schema.shape, isPositional, isRoot: isPositional }
  /** @type {any[]} layouts, and lists */
  const waiting = [root]
  for (const layout of waiting) {
    const { shape, list } = layout
    const name = shape ? nameOf(layout) : `List${list.id}`
    if (seen.has(name)) continue
    seen.add(name)
    const own = shape ? shapeSource(layout, writing, reading) : listSource(list, writing, reading)
    lines.push(...loaded(own))
    waiting.push(...inside(shape, list))
  }
  lines.push(...rootSource(root, fingerprint, isSmall(schema) ? 'readSmall' : 'readFrom'))
  return textOf(lines)
}

/** Fields of all documents of a schema, none of them a string or an array, for which a DataView does not pay. */
const FEW_FIELDS = 3

/** Whether copying a document to where there is a view takes longer than reading it byte by byte. */
function isSmall({ nodes, shapes }) {
  const fields = shapes.reduce((sum, shape) => sum + shape.fields.length, 0)
  const isLong = node => node.forms.has(ELEMENT.STRING) || node.forms.has(ELEMENT.ARRAY)
  return fields <= FEW_FIELDS && !nodes.some(isLong)
}

const LOADS = [
  [/\bview\.getInt32\(([^()]+), true\)/g, 'getInt32(buf, $1)'],
  [/\bview\.getUint32\(([^()]+), true\)/g, 'getUint32(buf, $1)'],
  [/\bview\.getFloat64\(([^()]+), true\)/g, 'getDouble(buf, $1)'],
  [/\bview\.getBigInt64\(([^()]+), true\)/g, 'getInt64(buf, $1)']
]

/** The same lines without a DataView to read from. @param {Lines} lines @returns {Lines} */
function byBytes(lines) {
  return lines.map(line => {
    return Array.isArray(line) ? byBytes(line) : LOADS.reduce((text, [load, own]) => text.replace(load, own), line)
  })
}

/** The documents and arrays in a document or an array. */
function inside(shape, list) {
  const nodes = shape ? shape.fields.map(field => field.node) : [list.items]
  return nodes.filter(node => typeof node === 'object').flatMap(({ forms, isPositional }) => {
    const found = []
    const inner = forms.get(ELEMENT.DOCUMENT)?.shape
    const array = forms.get(ELEMENT.ARRAY)?.list
    if (inner) found.push({ shape: inner, isPositional })
    if (array) found.push({ list: array })
    return found
  })
}

/** @returns {Lines} */
function shapeSource(layout, writing, reading) {
  const { shape } = layout
  const name = nameOf(layout)
  if (!isCompilable(shape)) {
    return [
      `function write${name}(out, doc, pos, depth, check) {`,
      [`return ${leftTo(layout)}`],
      '}',
      '',
      `function read${name}(buf, view, pos, end, depth, check) {`,
      [restSource(layout, '[]', '0', 'pos')],
      '}',
      ''
    ]
  }
  const names = shape.fields.map((field, i) => `${literal(field.name)}${i < shape.fields.length - 1 ? ',' : ''}`)
  const line = `const names${name} = [${names.join(' ')}]`
  return [
    ...(line.length <= 100 ? [line] : [`const names${name} = [`, names, ']']),
    `const places${name} = new Map(names${name}.map((name, i) => [name, i]))`,
    '',
    ...writing.shape(layout),
    ...reading.shape(layout)
  ]
}

/** @returns {Lines} */
function listSource(list, writing, reading) {
  if (isPlainList(list)) return [...writing.list(list), ...reading.list(list)]
  return [
    `function writeList${list.id}(out, array, pos, depth, check) {`,
    [`return slow.writeList(out, ${list.id}, array, pos, depth, check)`],
    '}',
    '',
    `function readList${list.id}(buf, view, pos, end, depth, check) {`,
    [listRestSource(list, '[]', 'pos')],
    '}',
    ''
  ]
}

/** @returns {Lines} */
function rootSource(root, fingerprint, readFrom) {
  const { isPositional } = root
  const name = nameOf(root)
  return [
    'function writeRoot(out, doc, pos, check) {',
    [
      'if (doc.constructor !== Object && isMap(doc)) return slow.writeRoot(out, doc, pos, check)',
      `return write${name}(out, doc, pos, 1, check)`
    ],
    '}',
    '',
    'function readRoot(buf, index, end, check) {',
    isPositional ? [
      `if (!startsWith(buf, index, end, ${halvesOf(fingerprint).join(', ')})) return slow.readRoot(buf, index, end, check)`,
      'try {',
      [`return ${readFrom}(read${name}, buf, index, end, 15, check)`],
      '} catch {',
      ['return slow.readRoot(buf, index, end, check) // which says in which field'],
      '}'
    ] : [`return ${readFrom}(read${name}, buf, index, end, 4, check)`],
    '}'
  ]
}

module.exports = { generate }
