'use strict'

// Documents with some fields changed: the same as decoding, changing and encoding, except for the bytes that are kept.

const { EACH, editTree, Rewriter } = require('../../lib/raw')
const { encode } = require('../../lib/encode/encode')
const { decode } = require('../../lib/decode/decode')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')

/** The four bytes of an int32. */
function int(value) {
  const buf = Buffer.alloc(4)
  buf.writeInt32LE(value)
  return { type: 0x10, buf, start: 0, end: 4 }
}

const remove = { of: () => null }
const set = { of: () => int(7), added: int(7) }
const inEach = { of: ({ type }) => (type === 3 || type === 4 ? EACH : int(7)) }

/** @param {Record<string, any>} edits by path */
function rewriter(edits) {
  return new Rewriter(editTree(Object.entries(edits).map(([path, edit]) => ({ path, edit }))))
}

/** @param {Rewriter} writer @param {any} doc */
function rewritten(writer, doc) {
  writer.pos = 0
  writer.write(encode(doc))
  return decode(writer.bytes)
}

const DOC = { a: 1, b: { c: 'x', d: { e: true } }, list: [{ c: 1, f: 2 }, { c: 3 }, 5, [{ c: 6 }]], z: 'end' }

module.exports = {
  'fields are set, added and removed, also in documents and in each item of arrays': t => {
    const rows = [
      [{ a: remove }, { ...DOC, a: undefined }],
      [{ z: set }, { ...DOC, z: 7 }],
      [{ 'b.c': set }, { ...DOC, b: { ...DOC.b, c: 7 } }],
      [{ 'b.d.e': remove }, { ...DOC, b: { c: 'x', d: {} } }],
      [{ 'b.d.new': set, y: set }, { ...DOC, b: { c: 'x', d: { e: true, new: 7 } }, y: 7 }],
      [{ 'list.c': remove }, { ...DOC, list: [{ f: 2 }, {}, 5, [{}]] }],
      [{ b: inEach }, { ...DOC, b: { c: 7, d: { e: 7 } } }],
      [{ list: inEach }, { ...DOC, list: [{ c: 7, f: 7 }, { c: 7 }, 7, [{ c: 7 }]] }],
      [{ 'list.4': set }, { ...DOC, list: [...DOC.list, 7] }],
      [{ 'list.8': set, 'list.4': set, 'list.5.x': set }, { ...DOC, list: [...DOC.list, 7, { x: 7 }, null, null, 7] }],
      [{ none: remove }, DOC]
    ]
    for (const [edits, expected] of rows) {
      const writer = rewriter(edits)
      t.deepStrictEqual(rewritten(writer, DOC), decode(encode(expected)), Object.keys(edits).join())
      t.strictEqual(Buffer.from(writer.bytes).toString('hex'), encode(expected).toString('hex'), 'also the names of items')
    }
    t.done()
  },

  'of a name that repeats, all are changed or removed, and one is set': t => {
    const names = ['a', 'b', 'a']
    const fields = names.map((name, i) => encode({ [name]: i }).subarray(4, -1))
    const bytes = Buffer.concat([Buffer.of(4 + 7 * names.length + 1, 0, 0, 0), ...fields, Buffer.alloc(1)])
    const shown = document => Buffer.from(document).toString('latin1').replace(/[^\w]/g, c => c.charCodeAt(0))
    for (const [edit, expected] of [[set, { a: 7, b: 1 }], [remove, { b: 1 }], [{ of: () => int(7) }, null]]) {
      const writer = rewriter({ a: edit })
      writer.write(bytes)
      const both = Buffer.concat([bytes.subarray(0, 7), int(7).buf, bytes.subarray(11, 21), int(7).buf, bytes.subarray(25)])
      t.strictEqual(shown(writer.bytes), shown(expected === null ? both : encode(expected)))
    }
    t.done()
  },

  'edits of one item and of each are made in it together': t => {
    const items = [{ b: { x: 1, y: 2 }, p: 1 }, { b: { x: 1, y: 2 } }, [{ b: { x: 1, y: 2 } }]]
    const rows = [
      [{ 'l.b.x': remove, 'l.0.b.y': remove }, [{ b: {}, p: 1 }, { b: { y: 2 } }, [{ b: { y: 2 } }]]],
      [{ 'l.0.b.y': remove, 'l.b.x': remove, 'l.2.0.b.y': remove }, [{ b: {}, p: 1 }, { b: { y: 2 } }, [{ b: {} }]]],
      [{ 'l.0.p': remove, 'l.b': remove }, [{}, {}, [{}]]],
      [{ 'l.0.b.w': set, 'l.p': remove }, [{ b: { x: 1, y: 2, w: 7 } }, items[1], items[2]]],
      [{ 'l.b.x': set, 'l.0.b.w': set }, [{ b: { x: 7, y: 2, w: 7 }, p: 1 }, { b: { x: 7, y: 2 } }, [{ b: { x: 7, y: 2 } }]]],
      [{ 'l.0': set, 'l.b': remove }, [7, {}, [{}]]]
    ]
    for (const [edits, l] of rows) {
      const writer = rewriter(edits)
      t.deepStrictEqual(rewritten(writer, { l: items }), { l }, Object.keys(edits).join())
      t.strictEqual(writer.bytes.length, encode({ l }).length, 'no name is there twice')
    }
    t.done()
  },

  'what is no document takes no field, whether it has a name or an index': t => {
    for (const [path, doc] of Object.entries({ 'a.x': { a: 5 }, 'a.0.0.x': { a: [[5]] }, 'a.0.b.0.x': { a: [{ b: [null] }] } })) {
      const error = errorOf(() => rewritten(rewriter({ [path]: set }), doc))
      t.ok(error instanceof BSONError && /^cannot set x in [a0], which is not a document$/.test(error.message), `${path}: ${error}`)
      t.deepStrictEqual(rewritten(rewriter({ [path]: remove }), doc), doc)
    }
    t.deepStrictEqual(rewritten(rewriter({ 'a.x': set }), { a: [5, {}] }), { a: [5, { x: 7 }] }, 'each item that is a document')
    t.done()
  },

  'documents follow one another, in memory that grows, or is written to anew': t => {
    const writer = rewriter({ a: set })
    const docs = Array.from({ length: 3000 }, (_, i) => ({ a: i, text: 'x'.repeat(i % 50) }))
    for (const doc of docs) writer.write(encode(doc))
    t.ok(writer.bytes.length > 1 << 16)
    t.deepStrictEqual(Buffer.from(writer.bytes), Buffer.concat(docs.map(doc => encode({ ...doc, a: 7 }))))
    t.deepStrictEqual(rewritten(writer, { a: 1 }), { a: 7 })
    t.done()
  },

  'of a broken document nothing is written': t => {
    const writer = rewriter({ 'b.c': set })
    writer.write(encode(DOC))
    const { length } = writer.bytes
    const broken = Buffer.from(encode(DOC))
    broken[broken.indexOf('b\0') + 6] = 0x99 // the type of b.c
    t.ok(errorOf(() => writer.write(broken)) instanceof BSONError)
    t.strictEqual(writer.bytes.length, length)
    writer.write(encode({ b: { c: 1 } }))
    t.deepStrictEqual(decode(writer.bytes.subarray(length)), { b: { c: 7 } })
    t.done()
  },

  'as deep as 1,000 levels, and a path once': t => {
    const deep = levels => Array.from({ length: levels - 1 }).reduce(inner => ({ a: inner }), {})
    const each = rewriter({ a: inEach })
    t.deepStrictEqual(rewritten(each, deep(500)), deep(500))
    const items = [['a.b', 'a.0.b'], ['a.0.b', 'a.b.c'], ['a.b.c', 'a.0.b'], ['a.b', 'a.0.0.b'], ['a.0.b', 'a.0.1.b'], ['x.a.b.c', 'x.a.1.b.c']]
    for (const twice of [['a', 'a'], ['a', 'a.b'], ['a.b', 'a'], ...items]) {
      const error = errorOf(() => editTree(twice.map(path => ({ path, edit: set }))))
      t.ok(error instanceof BSONError && /^conflicting edits: /.test(error.message), String(error))
    }
    const derived = { ...set, derives: true } // from what another edit changes
    for (const both of [['a.0', 'a.p'], ['a.p.q', 'a.0'], ['a.p', 'a.0.1'], ['a.b.1', 'a.0.b.c'], ['a.0.0.0', 'a.b.c']]) {
      const error = errorOf(() => editTree(both.map(path => ({ path, edit: derived }))))
      t.ok(error instanceof BSONError && /^conflicting edits: /.test(error.message), String(error))
    }
    for (const both of [['a.0', 'a.1'], ['a.p', 'a.q'], ['a.0.p', 'a.q'], ['a.0.p', 'a.0.q'], ['a.b.0', 'a.0.c']]) {
      t.ok(editTree(both.map(path => ({ path, edit: derived }))).nodes.length > 0, both.join())
    }
    t.done()
  }
}
