'use strict'

// What is learned of documents, and its bounds. That learning changes no result is shown by test-shapes-adversaries.js.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const shapes = require('../lib/shapes')
const { generic, learningCodec } = require('./fixtures/codecs')
const { MAX_CHILDREN, MAX_KEYS, MAX_NODES, Tree, pathTo } = require('../lib/shapes/tree')
const { WINDOW, LONG, LONGEST } = require('../lib/shapes/text')
const { acquireOutput, releaseOutput } = require('../lib/output')
const { planOf } = require('../lib/walk')
const { describe } = require('./fixtures/describe')
const { requireWithoutBuffer } = require('./without-buffer')

function both(codec, doc) {
  const bytes = codec.encode(doc)
  assert.ok(bytes.equals(generic.encode(doc)))
  assert.strictEqual(describe(codec.decode(bytes)), describe(generic.decode(bytes)))
}

function documentWith(keys, prefix, value = i => i) {
  return Object.fromEntries(Array.from({ length: keys }, (_, i) => [`${prefix}${i}`, value(i)]))
}

const KEY = Buffer.from('key')

const byKey = node => node.key

module.exports = {
  'appendDocument writes documents of any kind one after the other': t => {
    const docs = [{ a: 1 }, new Map([['b', 2]]), { c: undefined, d: () => 1 }, { toBSON: () => ({ e: 1 }) }, null]
    const out = acquireOutput()
    try {
      let pos = out.begin()
      for (const doc of docs) pos = shapes.appendDocument(out, doc, pos)
      pos = shapes.appendDocument(out, { f: () => 1 }, pos, planOf({ serializeFunctions: true }))
      const expected = [...docs.map(doc => generic.encode(doc)), generic.encode({ f: () => 1 }, { serializeFunctions: true })]
      assert.ok(out.finish(pos).equals(Buffer.concat(expected)))
      assert.throws(() => shapes.appendDocument(out, { a: { b: 10n ** 30n } }, out.begin()), error => error.path === 'a.b')
    } finally {
      releaseOutput(out)
    }
    t.done()
  },

  'encodeInto and decodeAt work at offsets': t => {
    const codec = learningCodec(true)
    const target = Buffer.alloc(1000)
    let end = 7
    for (let i = 0; i < 30; i++) end = codec.encodeInto({ i, text: `text ${i}` }, target, end)
    let index = 7
    for (let i = 0; i < 30; i++) {
      t.deepEqual(codec.decode(target, { index, allowObjectSmallerThanBufferSize: true }), { i, text: `text ${i}` })
      index += target.readInt32LE(index)
    }
    t.strictEqual(index, end)
    t.done()
  },

  'encodeInto changes no byte outside of the document': t => {
    const docs = [
      { a: null }, { '': null }, { ab: null }, { abc: null, d: true }, { longer: null }, { a: '', b: false }, { x: [null] },
      { x: [1, null] }, { k: [[], [null]] }, { q: { w: null } }, { e: [{}, {}] }, { n: Array(101).fill(null) }
    ]
    for (const canCompile of [true, false]) {
      const codec = learningCodec(canCompile)
      for (let i = 0; i < 150; i++) {
        for (const doc of docs) {
          const bytes = generic.encode(doc)
          const target = Buffer.alloc(bytes.length + 16, 0xaa)
          assert.strictEqual(codec.encodeInto(doc, target, 8), bytes.length + 8)
          assert.deepStrictEqual(target, Buffer.concat([Buffer.alloc(8, 0xaa), bytes, Buffer.alloc(8, 0xaa)]))
        }
      }
    }
    t.done()
  },

  'documents that a compiled writer refuses, although it knows their keys': t => {
    const codec = learningCodec(true)
    for (let n = 0; n < 300; n++) both(codec, { _bsontype: 'text', n })
    t.done()
  },

  'a getter that deletes its own key': t => {
    const make = key => ({ a: 1, get [key]() { delete this[key]; return undefined }, z: 2 })
    for (const options of [undefined, { ignoreUndefined: false }]) {
      const codec = learningCodec(true)
      for (let n = 0; n < 300; n++) {
        for (const key of ['same', `key${n}`]) {
          assert.ok(codec.encode(make(key), options).equals(generic.encode(make(key), options)), `${key}, time ${n}`)
        }
      }
    }
    t.done()
  },

  'documents of every width': t => {
    for (const canCompile of [true, false]) {
      const codec = learningCodec(canCompile)
      for (const width of [0, 1, 23, 24, 25, 48, 49, 127, 128, 129, 199, 200, 201, 255, 256, 257, 1000]) {
        const value = i => [i, 'text', 1.5, null, { a: i }, [i]][i % 6]
        for (let n = 0; n < 30; n++) both(codec, documentWith(width, 'k', value))
        both(codec, documentWith(width, 'k', i => String(i)))
      }
    }
    t.done()
  },

  'a wide document is an object like any other': t => {
    const codec = learningCodec(true)
    const bytes = generic.encode(documentWith(150, 'k'))
    for (let n = 0; n < 30; n++) codec.decode(bytes)
    const doc = codec.decode(bytes)
    t.strictEqual(Object.getPrototypeOf(doc), Object.prototype)
    t.strictEqual(doc.constructor, Object)
    t.strictEqual(Object.keys(doc).length, 150)
    t.done()
  },

  'arrays deep and long': t => {
    const codec = learningCodec(true)
    for (const levels of [1, 99, 100, 101, 102, 150]) {
      let list = [1, 'x']
      for (let i = 0; i < levels; i++) list = [list]
      for (let n = 0; n < 20; n++) both(codec, { list })
    }
    for (let length = 0; length < 30; length++) for (let n = 0; n < 20; n++) both(codec, { list: Array(length).fill({ a: n }) })
    t.done()
  },

  'many shapes, many keys: the tree stays within its bounds': t => {
    const codec = learningCodec(true)
    for (let i = 0; i < 3000; i++) {
      both(codec, documentWith(1 + (i % 7), `shape${i % 1500}_`))
      both(codec, { usual: i, fields: 'x' })
    }
    both(codec, documentWith(20000, 'unique'))
    t.done()
  },

  'a tree admits the first child at once, others at the second time, and only so many': t => {
    const tree = new Tree()
    const parent = tree.add(tree.root, 'parent', KEY, byKey)
    t.ok(tree.admits(parent, 1))
    tree.add(parent, 'first', KEY, byKey)
    t.deepEqual([tree.admits(parent, 2), tree.admits(parent, 3), tree.admits(parent, 3)], [false, false, true])
    for (let i = 1; i < MAX_CHILDREN; i++) tree.add(parent, `k${i}`, KEY, byKey)
    t.deepEqual([tree.admits(parent, 9), tree.admits(parent, 9)], [false, false])
    let node = tree.root
    for (let i = 0; i < MAX_KEYS; i++) node = tree.add(node, `deep${i}`, KEY, byKey)
    t.strictEqual(tree.admits(node, 1), false)
    t.strictEqual(pathTo(node).length, MAX_KEYS)
    t.deepEqual(pathTo(node).slice(0, 2).map(({ key }) => key), ['deep0', 'deep1'])
    t.deepEqual(pathTo(tree.root), [])
    t.done()
  },

  'a full tree admits nothing, until it is planted anew': t => {
    const tree = new Tree()
    while (tree.nodes < MAX_NODES) tree.add(tree.root, `key${tree.nodes}`, KEY, byKey)
    const { root } = tree
    t.strictEqual(tree.admits(root.children[0], 1), false)
    let documents = 0
    while (tree.root === root && documents < 1e6) {
      tree.count()
      documents++
    }
    t.ok(documents >= 10000 && documents < 1e6)
    t.deepEqual([tree.nodes, tree.root.children.length], [0, 0])
    t.ok(tree.admits(tree.root, 1))
    const young = new Tree()
    for (let i = 0; i < 200000; i++) young.count()
    t.strictEqual(young.root.children.length, 0)
    t.done()
  },

  'memory that grows: documents are read and written beyond its former end': t => {
    // without Buffer, for a Buffer does not follow the size of its memory
    const browser = requireWithoutBuffer('lib/shapes.js')
    browser.startLearning()
    const make = n => ({ a: 'x'.repeat(n), n, d: 1.5 })
    const OTHER = 31 // bytes beside the text
    for (let i = 0; i < 300; i++) browser.encode(make(i))
    for (const [Memory, grow] of [[SharedArrayBuffer, 'grow'], [ArrayBuffer, 'resize']]) {
      const memory = new Memory(10000, { maxByteLength: 100000 })
      const bytes = new Uint8Array(memory)
      for (const length of [10000, 30000, 90000]) {
        memory[grow](length)
        t.strictEqual(browser.encodeInto(make(length - OTHER), bytes), length)
        t.deepEqual(browser.decode(bytes), make(length - OTHER))
      }
    }
    t.done()
  },

  'short strings of any script': t => {
    const codec = learningCodec(true)
    for (const part of ['é', '世', '😀']) {
      for (let before = 0; before < 12; before++) {
        for (let n = 1; n < 7; n++) both(codec, { text: 'a'.repeat(before) + part.repeat(n), next: 'é'.repeat(n) + 'z'.repeat(before) })
      }
    }
    t.done()
  },

  'strings cut out of a window, and beside it: of any length, at any place, ASCII or nearly': t => {
    const codec = learningCodec(true)
    for (const length of [12, LONG, LONG + 1, LONGEST, LONGEST + 1, WINDOW, WINDOW + 1]) {
      for (const before of [0, 20, LONG, WINDOW - 120, WINDOW - 40, WINDOW]) {
        for (const text of ['x'.repeat(length), 'é' + 'x'.repeat(length - 2), 'x'.repeat(length - 1) + 'é']) {
          both(codec, { first: 'short enough to open it', gap: Buffer.alloc(before), text, last: 'y'.repeat(LONG), end: text })
        }
      }
    }
    t.done()
  },

  'shapes of too many keys, once they are hot, stay without a function': t => {
    const codec = learningCodec(true)
    for (const width of [200, 201, 256]) for (let n = 0; n < 250; n++) both(codec, documentWith(width, 'k', i => i + n))
    t.done()
  },

  'arrays of few items of any type, once they are hot, and then of others': t => {
    const codec = learningCodec(true)
    const lists = [[1, 'x'], [/a/i, 5n], [null, new Uint8Array(3)], [{ a: 1 }, [2]], [-0, Symbol], [undefined, 1.5]]
    for (const list of lists) {
      for (let n = 0; n < 350; n++) both(codec, { list: list.slice(0, 2).map(item => (item === Symbol ? 'x' : item)) })
      for (const other of lists.slice(0, 4)) for (let n = 0; n < 40; n++) both(codec, { list: other })
    }
    t.done()
  },

  'arrays of more than a thousand items': t => {
    const codec = learningCodec(true)
    for (const item of [1, 'x', null, [2]]) both(codec, { list: Array(1200).fill(item) })
    t.done()
  },

  'fields that a getter deletes, of shapes known and hot': t => {
    const codec = learningCodec(true)
    const make = () => ({ get a() { delete this.b; return 1 }, b: 2, c: 'x' })
    const unknown = i => ({ get [`id${i}`]() { delete this.b; return 1 }, b: 2, c: { d: 1 } })
    for (let n = 0; n < 300; n++) both(codec, { a: 1, b: 2, c: 'x' })
    for (let n = 0; n < 300; n++) {
      assert.ok(codec.encode(make()).equals(generic.encode({ a: 1, c: 'x' })))
      assert.ok(codec.encode(unknown(n)).equals(generic.encode({ [`id${n}`]: 1, c: { d: 1 } })))
    }
    t.done()
  },

  'when no more may be compiled, what is learned later is read and written without': t => {
    // in a process of its own: the bound is reached for good
    const lib = name => JSON.stringify(path.join(__dirname, '..', 'lib', name))
    const script = `
      const { compile } = require(${lib('codegen')})
      const { encode, decode, startLearning } = require(${lib('shapes')})
      startLearning()
      const assert = require('node:assert')
      const wide = Object.fromEntries(Array.from({ length: 150 }, (_, i) => ['key' + i, i]))
      const values = [1, 'x', 1.5, null, true, { c: 1 }, [1], new Date(5)]
      for (let n = 0; n < 300; n++) decode(encode({ a: n, b: n }))
      while (compile({}, '1') !== undefined);
      for (let n = 0; n < 400; n++) {
        const doc = { a: values[n % 8], b: values[(n >> 3) % 8] }
        assert.deepStrictEqual(decode(encode(doc)), doc)
        assert.deepStrictEqual(decode(encode({ other: n, list: [n, 1] })), { other: n, list: [n, 1] })
        if (n < 30) assert.strictEqual(Object.keys(decode(encode(wide))).length, 150)
      }`
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
    t.strictEqual(status, 0, stderr)
    t.done()
  },

  'a young process learns nothing, until it has met a thousand documents or a large one': t => {
    const lib = name => JSON.stringify(path.join(__dirname, '..', 'lib', name))
    const script = large => `
      const { encode, decode } = require(${lib('shapes')})
      const generic = require(${lib('encode')})
      const assert = require('node:assert')
      const learns = () => Object.keys(require.cache).some(file => /shapes.codec.js$/.test(file))
      const bytes = generic.encode({ a: 1 })
      for (let n = 0; n < 1000; n++) assert.ok(encode({ a: 1 }).equals(bytes))
      for (let n = 0; n < 999; n++) assert.deepStrictEqual(decode(bytes), { a: 1 })
      assert.ok(!learns())
      const doc = { a: 'x'.repeat(${large}) }
      assert.deepStrictEqual(decode(generic.encode(doc)), doc)
      assert.ok(!learns())
      assert.deepStrictEqual(decode(bytes), { a: 1 })
      assert.ok(learns())
      assert.ok(encode({ a: 1 }).equals(bytes))`
    const one = spawnSync(process.execPath, ['-e', script(1)], { encoding: 'utf8' })
    t.strictEqual(one.status, 0, one.stderr)
    const large = script(5e6).replace('n < 999', 'n < 1')
    const two = spawnSync(process.execPath, ['-e', large], { encoding: 'utf8' })
    t.strictEqual(two.status, 0, two.stderr)
    t.done()
  }
}
