'use strict'

// As in Electron: a window that has Node too, and, in one program, the files for Node and those for browsers.

Object.assign(globalThis, { window: globalThis, document: {} })
Object.defineProperty(process.versions, 'electron', { value: '40.0.0' })
Object.assign(process, { type: 'renderer' })

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const report = require('./report.cjs')
const node = require('qbson')
const { runInThisContext } = require('node:vm')
const script = path.join(path.dirname(require.resolve('qbson')), '..', 'qbson.min.js')
const browser = runInThisContext(`${fs.readFileSync(script, 'utf8')}; qbson`)

/** One value of each class. */
const valuesOf = qbson => ({
  id: new qbson.ObjectId('0123456789abcdef01234567'),
  long: qbson.Long.fromString('-9007199254740993'),
  decimal: qbson.Decimal128.fromString('1.50E+3'),
  double: new qbson.Double(5),
  int: new qbson.Int32(-5),
  time: new qbson.Timestamp({ t: 5, i: 6 }),
  binary: new qbson.Binary(new Uint8Array([1, 2, 3]), 0x80),
  uuid: new qbson.UUID('01234567-89ab-cdef-0123-456789abcdef'),
  code: new qbson.Code('f()', { a: 1 }),
  ref: new qbson.DBRef('names', new qbson.ObjectId('0123456789abcdef01234567')),
  regex: new qbson.BSONRegExp('a+', 'i'),
  symbol: new qbson.BSONSymbol('s'),
  least: new qbson.MinKey(),
  most: new qbson.MaxKey(),
  bytes: new Uint8Array([4, 5]),
  text: 'žluťoučký '.repeat(30)
})

const hex = bytes => Buffer.from(bytes).toString('hex')
const expected = hex(node.encode(valuesOf(node)))

report({
  'two copies': () => assert.notStrictEqual(node.ObjectId, browser.ObjectId),
  'values of one, written by the other': () => {
    assert.strictEqual(hex(node.encode(valuesOf(browser))), expected)
    assert.strictEqual(hex(browser.encode(valuesOf(node))), expected)
    assert.strictEqual(hex(browser.encode({ a: Buffer.from([1, 2]) })), hex(node.encode({ a: new Uint8Array([1, 2]) })))
  },
  'bytes of one, read by the other': () => {
    const own = node.EJSON.stringify(node.decode(browser.encode(valuesOf(browser))), { relaxed: false })
    assert.strictEqual(browser.EJSON.stringify(browser.decode(node.encode(valuesOf(node))), { relaxed: false }), own)
    assert.strictEqual(browser.EJSON.stringify(node.decode(node.encode(valuesOf(node))), { relaxed: false }), own)
  },
  'values of one, as Extended JSON of the other': () => {
    assert.strictEqual(node.EJSON.stringify(valuesOf(browser)), browser.EJSON.stringify(valuesOf(node)))
  },
  'ids and numbers of both compared': () => {
    const [a, b] = [valuesOf(node), valuesOf(browser)]
    for (const name of ['id', 'long', 'uuid']) assert.ok(a[name].equals(b[name]) && b[name].equals(a[name]), name)
  },
  'raw documents of one, written by the other': () => {
    const raw = new browser.RawDocument(browser.encode(valuesOf(browser)))
    assert.deepStrictEqual([...node.encode({ a: raw })], [...browser.encode({ a: raw })])
  },
  'through a message': () => {
    for (const { encode } of [node, browser]) {
      assert.strictEqual(hex(structuredClone(encode(valuesOf(browser)))), expected)
    }
  },
  'transferred, what browsers get': () => {
    for (let i = 0; i < 3; i++) {
      const bytes = browser.encode(valuesOf(node))
      assert.strictEqual(bytes.buffer.byteLength, bytes.length)
      assert.strictEqual(hex(structuredClone(bytes, { transfer: [bytes.buffer] })), expected)
    }
  }
})
