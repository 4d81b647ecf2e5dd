'use strict'

// Generates the source of readers: a function for every document and array that a schema describes, at run time and
// ahead of time, or that have been observed.

const { ELEMENT } = require('../spec')
const { compile } = require('./compile')
const { isCompilable, containerName, textOf } = require('./source')
const { ReadSource } = require('./read-source')

/**
 * @param {import('../compile/core').Core} core
 * @returns {{lines: import('./source').Lines, names: string[]}} statements that declare `readRoot`, and the names of
 *   compile/runtime.js that they need
 */
function generate({ schema, plan, isOwn, positional }) {
  const isSmallDocument = isSmall(schema)
  const isPositional = positional !== null
  const source = new ReadSource(plan, { isSmall: isSmallDocument, hasCooldowns: !isOwn && !isPositional, isPositional })
  const lines = [...readersOf(source, schema.shape), ...readRoot(schema.shape, isSmallDocument, source)]
  return { lines, names: [...source.names] }
}

/** The functions that read the documents and arrays of a shape. @returns {import('./source').Lines} */
function readersOf(source, root) {
  const lines = []
  const seen = new Set()
  /** @type {any[]} shapes of documents and lists */
  const waiting = [{ shape: root, list: null }]
  for (const typeRule of waiting) {
    const name = containerName(typeRule)
    if (seen.has(name)) continue
    seen.add(name)
    const { shape, list } = typeRule
    lines.push(...(shape !== null ? source.shape(shape) : source.list(list)))
    waiting.push(...inside(shape, list))
  }
  return lines
}

/**
 * A reader of documents like those that were observed.
 *
 * @param {any} schema of `Observed`
 * @param {Record<string, any>} parts what readers use, by name
 * @returns {Function | undefined} `(buf, plan, pos, end, depth)` to the document; undefined if code may not be created
 */
function compileReader({ shape }, parts) {
  if (!isCompilable(shape)) return undefined
  const source = new ReadSource(null, { isSmall: true, hasCooldowns: true, isPositional: false })
  const lines = readersOf(source, shape)
  return compile(parts, `(() => {\n${textOf(lines)}\nreturn readDocument${shape.id}\n})()`)
}

/**
 * Up to this many fields in all documents of a schema, none of them a string or an array, a DataView does not pay off.
 */
const FEW_FIELDS = 3

/** Whether copying a document to memory with a view takes longer than reading it byte by byte. */
function isSmall({ nodes, shapes }) {
  const fields = shapes.reduce((sum, shape) => sum + shape.fields.length, 0)
  const isLong = node => node.typeRules.has(ELEMENT.STRING) || node.typeRules.has(ELEMENT.ARRAY)
  return fields <= FEW_FIELDS && !nodes.some(isLong)
}

/** The rules of documents and arrays inside a document or an array, except in fields beyond a positional document. */
function inside(shape, list) {
  const named = shape === null ? [] : shape.fields.map(field => field.node)
  const nodes = [...named, list !== null ? list.items : !shape.isPositional && shape.additional]
  return nodes.filter(node => typeof node === 'object')
    .flatMap(({ typeRules }) => [...typeRules.values()].filter(({ shape, list }) => shape !== null || list !== null))
}

/** @returns {import('./source').Lines} */
function readRoot(shape, isSmallDocument, { use, hasCooldowns }) {
  const slowly = `return ${use('readFallback')}(buf, index, end)`
  if (!isCompilable(shape)) return ['function readRoot(buf, index, end) {', [slowly], '}']
  const read = `readDocument${shape.id}`
  return ['function readRoot(buf, index, end) {', [
    ...(hasCooldowns ? [`if (cooldown${read}.left > 0) {`, [`cooldown${read}.left--`, slowly], '}'] : []),
    `if (${use('isChanged')}(end - index)) ${slowly}`,
    `return ${use(isSmallDocument ? 'readSmall' : 'readFrom')}(${read}, buf, index, end)`
  ], '}']
}

module.exports = { generate, compileReader }
