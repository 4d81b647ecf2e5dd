'use strict'

// What compiled codecs leave to the interpreter, by the numbers of shapes, lists and nodes in the schema. It is made
// when it is needed first: a module that was written ahead of time seldom needs it.

const { setOwn } = require('../properties')
const { cameThrough } = require('./late')

/**
 * Where a compiled reader stopped.
 *
 * @typedef {object} Stop
 * @property {number} id of the shape or the list
 * @property {any[]} values what it has read: undefined for fields that are not there
 * @property {Uint8Array} buf
 * @property {number} pos of the next element
 * @property {number} end offset of the closing 0x00
 * @property {number} start offset of the first element
 * @property {number} depth
 * @property {boolean} check
 */

class Slow {
  /** @param {() => ReturnType<typeof import('./interpret').makeInterpreter>} make */
  constructor(make) {
    this.make = make
    /** @type {ReturnType<typeof import('./interpret').makeInterpreter> | null} */
    this.made = null
  }

  get core() {
    this.made ??= this.make()
    return this.made
  }

  writeRoot(out, doc, pos, check) {
    return this.core.writeRoot(out, doc, pos, check)
  }

  checkRaw(raw) {
    this.core.checkRaw(raw)
  }

  writeDocument(out, id, doc, pos, depth, check) {
    const { schema, writer } = this.core
    return writer.run(out, writer.begin(out, schema.shapes[id], false, doc, pos, depth), check)
  }

  /** A document as an array of its values. */
  writeArray(out, id, doc, pos, depth, check) {
    const { schema, writer } = this.core
    return writer.run(out, writer.begin(out, schema.shapes[id], true, doc, pos, depth), check)
  }

  writeList(out, id, array, pos, depth, check) {
    const { schema, writer } = this.core
    return writer.run(out, writer.beginList(out, schema.lists[id], array, pos, depth), check)
  }

  /** @param {import('./write').Element} element */
  writeElement(out, id, element, pos, depth, check) {
    const { schema, writer } = this.core
    return writer.writeElement(out, schema.nodes[id], element, pos, depth, check)
  }

  /** The fields beyond the schema. */
  writeRest(out, id, doc, pos, depth, check) {
    const { schema, writer } = this.core
    const { byName } = schema.shapes[id]
    for (const key of Object.keys(doc)) {
      if (byName.has(key)) continue
      try {
        pos = writer.writeElement(out, ANY, { name: key, value: doc[key], how: OPTIONAL }, pos, depth, check)
      } catch (error) {
        throw cameThrough(error, doc, key)
      }
    }
    return pos
  }

  readRoot(buf, index, end, check) {
    return this.core.readRoot(buf, index, end, check)
  }

  /** A document of which so many fields have been read. @param {Stop & {isPositional: boolean, count: number}} stop */
  readRest({ id, isPositional, values, count, buf, pos, end, start, depth, check }) {
    const { schema, reader } = this.core
    const shape = schema.shapes[id]
    const doc = makeDocument(shape.fields.slice(0, count).map(field => field.name), values)
    const frame = reader.openFrame({ shape, list: null }, doc, start - 4, end, depth)
    frame.isPositional = isPositional
    frame.index = count
    frame.pos = pos
    return reader.run(frame, buf, check)
  }

  /** An array of which `values` have been read. @param {Stop} stop */
  readList({ id, values, buf, pos, end, start, depth, check }) {
    const { schema, reader } = this.core
    const frame = reader.openFrame({ shape: null, list: schema.lists[id] }, values, start - 4, end, depth)
    frame.pos = pos
    return reader.run(frame, buf, check)
  }

  /** @param {number} id of the node @param {import('./read').Element} element */
  readValue(id, element) {
    const { schema, reader } = this.core
    return reader.readElement(schema.nodes[id], element)
  }

  /** Whether a value follows the rules of a node for values of its type. */
  passes(id, type, value) {
    return this.core.schema.nodes[id].forms.get(type).rules.every(rule => rule.test(value))
  }
}

/** An object of the fields that are there. @param {string[]} names @param {any[]} values */
function makeDocument(names, values) {
  const doc = {}
  for (let i = 0; i < names.length; i++) if (values[i] !== undefined) setOwn(doc, names[i], values[i])
  return doc
}

/** Where everything is allowed. @type {import('../schema/schema').Node} */
const ANY = { id: -1, isOpen: true, forms: new Map(), isPositional: false }

/**
 * What is known of the place of a value.
 *
 * @typedef {object} How
 * @property {boolean} isItem whether it is an item of an array
 * @property {boolean} isRequired
 * @property {boolean} isPositional whether it has a place even when it is missing
 */

/** @type {How} */
const OPTIONAL = { isItem: false, isRequired: false, isPositional: false }

/** @type {How} */
const REQUIRED = { isItem: false, isRequired: true, isPositional: false }

/** @type {How} */
const OPTIONAL_PLACE = { isItem: false, isRequired: false, isPositional: true }

/** @type {How} */
const REQUIRED_PLACE = { isItem: false, isRequired: true, isPositional: true }

/** @type {How} */
const ITEM = { isItem: true, isRequired: false, isPositional: false }

module.exports = { Slow, makeDocument, ANY, OPTIONAL, REQUIRED, OPTIONAL_PLACE, REQUIRED_PLACE, ITEM }
