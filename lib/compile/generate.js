'use strict'

// The source of a codec: for every document and array that the schema describes a function that reads it and one that
// writes it. Made at run time and ahead of time alike.

const { ELEMENT } = require('../spec')
const { halvesOf } = require('./fingerprint')
const { isCompilable, nameOf } = require('./source')
const { WriteSource } = require('./write-source')
const { ReadSource } = require('./read-source')

/** @typedef {import('./source').Lines} Lines */
/**
 * Statements that declare `readRoot` or `writeRoot`, and the names that they need.
 *
 * @typedef {{lines: Lines, names: string[]}} Half
 */

/**
 * @param {import('./core').Core} core
 * @returns {{reading: Half, writing: Half}} from the names of runtime.js
 */
function generate({ schema, plan, isPositional, fingerprint, isOwn }) {
  const isSmallDocument = isSmall(schema)
  const writing = new WriteSource(plan, fingerprint)
  const reading = new ReadSource(plan, isSmallDocument, isOwn)
  const root = { shape: schema.shape, isPositional, isRoot: isPositional }
  const read = []
  const written = []
  const seen = new Set()
  /** @type {any[]} layouts, and lists */
  const waiting = [root]
  for (const layout of waiting) {
    const { shape, list } = layout
    const name = shape ? nameOf(layout) : `List${list.id}`
    if (seen.has(name)) continue
    seen.add(name)
    read.push(...(shape ? reading.shape(layout) : reading.list(list)))
    written.push(...(shape ? writing.shape(layout) : writing.list(list)))
    waiting.push(...inside(shape, list))
  }
  const readFrom = reading.use(isSmallDocument ? 'readSmall' : 'readFrom')
  return {
    reading: { lines: [...read, ...readRoot(root, fingerprint, readFrom, reading)], names: [...reading.names] },
    writing: { lines: [...written, ...writeRoot(root, schema, writing.use)], names: [...writing.names] }
  }
}

/** Fields of all documents of a schema, none of them a string or an array, for which a DataView does not pay. */
const FEW_FIELDS = 3

/** Whether copying a document to where there is a view takes longer than reading it byte by byte. */
function isSmall({ nodes, shapes }) {
  const fields = shapes.reduce((sum, shape) => sum + shape.fields.length, 0)
  const isLong = node => node.forms.has(ELEMENT.STRING) || node.forms.has(ELEMENT.ARRAY)
  return fields <= FEW_FIELDS && !nodes.some(isLong)
}

/** The documents and arrays in a document or an array. */
function inside(shape, list) {
  const nodes = shape ? [...shape.fields.map(field => field.node), shape.additional] : [list.items]
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
function readRoot(root, fingerprint, readFrom, { use, isOwn }) {
  const read = `read${nameOf(root)}`
  if (!root.isPositional) {
    const fallback = `return ${use('readFallback')}(buf, index, end)`
    const isPlain = isCompilable(root.shape)
    return ['function readRoot(buf, index, end) {', [
      ...(isPlain && !isOwn ? [`if (gate${read}.aside > 0) {`, [`gate${read}.aside--`, fallback], '}'] : []),
      isPlain ? `return ${readFrom}(${read}, buf, index, end, 4)` : fallback
    ], '}']
  }
  const fallback = `return ${use('readFallback')}(buf, index, end)`
  return [
    'function readRoot(buf, index, end) {',
    [
      `if (!${use('startsWith')}(buf, index, end, ${halvesOf(fingerprint).join(', ')})) ${fallback}`,
      'try {',
      [`return ${readFrom}(${read}, buf, index, end, 15)`],
      '} catch {',
      [`${fallback} // which says in which field`],
      '}'
    ],
    '}'
  ]
}

/** @returns {Lines} */
function writeRoot(root, { root: node, shape }, use) {
  const isRuled = node.rules.length > 0 || node.forms.get(ELEMENT.DOCUMENT).rules.length > 0 || shape.isRuled
  const write = `write${nameOf(root)}(out, doc, pos, check)`
  return ['function writeRoot(out, doc, pos, check) {', isRuled ? [
    `const end = ${write}`,
    `if (check) ${use('checkWritten')}(out, ${node.id}, ${ELEMENT.DOCUMENT}, pos, end)`,
    'return end'
  ] : [`return ${write}`], '}']
}

module.exports = { generate }
