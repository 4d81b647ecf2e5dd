'use strict'

const assert = require('node:assert')
const { isUtf8 } = require('node:buffer')
const fc = require('fast-check')
const qutf8 = require('q-utf8')
const utf8 = require('../../lib/bytes/utf8')
const { getText } = require('../../lib/bytes/utf8/text')
const utf16 = require('../../lib/bytes/utf8/utf16')
const { BSONError, RawDocument, decode, deserialize } = require('../../qbson')
const { requireWithoutBuffer } = require('../without-buffer')
const { skip } = require('../skip')
const { many } = require('../fixtures/long')
const { seededRandom, below } = require('../fixtures/random-document')
const { anyText } = require('../fixtures/texts')

/** For a module without Buffer: the classes that refuse memory. They are loaded before, with everything they need. */
const REFUSING = Object.keys(require('../fixtures/refusing')).map(name => {
  return `${name} = require(${JSON.stringify(require.resolve('../fixtures/refusing'))}).${name}`
})

/** The same module as in each runtime: Node, a browser, and one without TextEncoder. */
const RUNTIMES = {
  node: utf8,
  browser: requireWithoutBuffer('lib/bytes/utf8/index.js'),
  'browser that refuses memory': requireWithoutBuffer('lib/bytes/utf8/index.js', REFUSING),
  'no TextEncoder': requireWithoutBuffer('lib/bytes/utf8/index.js', ['TextEncoder']),
  'no encodeInto': requireWithoutBuffer('lib/bytes/utf8/index.js', ['TextEncoder = class {}']),
  'no TextDecoder': requireWithoutBuffer('lib/bytes/utf8/index.js', ['TextDecoder'])
}

const TEXTS = [
  '', 'a', '\0', 'a\0b', '\u007f', '\u0080', 'é', '\u07ff', '\u0800', '日本語', '\ud7ff', '\ue000', '\ufeff', '\ufeffbom', '\ufffd', '\uffff',
  '😀', '\u{10ffff}', 'a😀é日', 'é😀'.repeat(7), 'x'.repeat(utf8.SHORT_WRITE), 'x'.repeat(utf8.SHORT_WRITE + 1), 'é'.repeat(utf8.SHORT_WRITE + 1),
  'x'.repeat(64), 'x'.repeat(65), 'x'.repeat(5000), '\ufffd' + 'x'.repeat(50), 'x'.repeat(50) + '\ufeff'
]

const LONE = ['\ud800', '\udc00', 'a\ud800', '\udc00a', '\udc00\ud800', '\ud83d\ud83d\ude00', 'x'.repeat(40) + '\ud800', '\udfff' + 'x'.repeat(40), '\ud800é'.repeat(20)]

/** Invalid UTF-8: the bytes, and where the fault begins. */
const WRONG = [
  ['80', 0], ['bf', 0], ['c080', 0], ['c1bf', 0], ['c3', 0], ['c361', 0], ['e08080', 0], ['e09fbf', 0], ['e2', 0], ['e282', 0], ['e28261', 0],
  ['eda080', 0], ['edbfbf', 0], ['f0808080', 0], ['f08fbfbf', 0], ['f09f98', 0], ['f09f9861', 0], ['f4908080', 0], ['f5808080', 0], ['ff', 0],
  ['6180', 1], ['c3a9ff', 2], ['e282acff', 3], ['f09f9880ff', 4], ['efbfbdff', 3]
]

const encoder = new TextEncoder()

function qEncode(text) {
  const buf = Buffer.alloc(3 * text.length)
  return buf.subarray(0, qutf8.utf8_encode(text, 0, text.length, buf, 0))
}

function put(lib, text) {
  const buf = new Uint8Array(3 * text.length + 7).fill(0xee)
  const end = lib.putUtf8(text, buf, 3)
  assert.deepStrictEqual([...buf.subarray(0, 3)], [0xee, 0xee, 0xee])
  assert.ok(buf.subarray(end).every(byte => byte === 0xee))
  return buf.subarray(3, end)
}

function suite(lib) {
  return {
    'puts and measures as TextEncoder does': t => {
      for (const text of [...TEXTS, ...LONE]) {
        const expected = encoder.encode(text)
        assert.deepStrictEqual(Buffer.from(put(lib, text)), Buffer.from(expected), JSON.stringify(text))
        assert.strictEqual(lib.utf8Length(text), expected.length)
      }
      t.done()
    },

    'gets what was put': t => {
      for (const text of TEXTS) {
        const bytes = Buffer.concat([Buffer.from('éx'), Buffer.from(text), Buffer.from([0xff])])
        assert.strictEqual(lib.getUtf8(bytes, 3, bytes.length - 1), text)
        assert.strictEqual(lib.getUtf8Lossy(bytes, 3, bytes.length - 1), text)
        assert.strictEqual(lib.findInvalidUtf8(bytes, 3, bytes.length - 1), -1)
        lib.checkUtf8(bytes, 3, bytes.length - 1)
      }
      t.done()
    },

    'finds what is wrong, wherever it stands': t => {
      for (const [hex, fault] of WRONG) {
        for (const [before, after] of [['', ''], ['ab', ''], ['', 'ab'], ['é', 'é'], ['x'.repeat(30), 'y'.repeat(30)], ['😀'.repeat(9), '']]) {
          const bytes = Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex'), Buffer.from(after)])
          const offset = Buffer.byteLength(before) + fault
          assert.strictEqual(lib.findInvalidUtf8(bytes, 0, bytes.length), offset, hex)
          for (const read of [lib.getUtf8, lib.checkUtf8]) {
            assert.throws(() => read(bytes, 0, bytes.length), error => error.name === 'BSONError' && error.offset === offset)
          }
          assert.ok(lib.getUtf8Lossy(bytes, 0, bytes.length).includes('\ufffd'))
        }
      }
      t.done()
    },

    'does not look beyond its end': t => {
      const bytes = Buffer.from('é')
      assert.strictEqual(lib.findInvalidUtf8(bytes, 0, 1), 0)
      assert.strictEqual(lib.getUtf8(bytes, 0, 0), '')
      t.done()
    },

    'any string as Node, q-utf8 and TextDecoder have it': t => {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      fc.assert(
        fc.property(anyText({ maxLength: 80 }), text => {
          const bytes = put(lib, text)
          assert.ok(Buffer.from(text).equals(bytes))
          // q-utf8 does not support surrogate pairs.
          if (!/[\ud800-\udfff]/.test(text)) assert.ok(Buffer.from(qEncode(text)).equals(bytes))
          assert.strictEqual(lib.getUtf8(bytes, 0, bytes.length), decoder.decode(bytes))
        })
      )
      t.done()
    },

    'memory that is shared or may change its size': t => {
      const text = 'x'.repeat(30) + 'é日😀'.repeat(90)
      for (const memory of [new SharedArrayBuffer(2000), new ArrayBuffer(2000, { maxByteLength: 4000 })]) {
        for (const string of [text, text.slice(0, 50), text.slice(30, 60)]) {
          const bytes = new Uint8Array(memory)
          const end = lib.putUtf8(string, bytes, 5)
          assert.strictEqual(end, 5 + Buffer.byteLength(string))
          assert.strictEqual(lib.getUtf8(bytes, 5, end), string)
        }
      }
      t.done()
    },

    'any bytes: valid exactly where a fatal TextDecoder says so': t => {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      const lossy = new TextDecoder('utf-8', { ignoreBOM: true })
      const byte = fc.constantFrom(...Buffer.from('61808f909fa0bfc1c2dfe0e1edeff0f1f4f5', 'hex'))
      fc.assert(
        fc.property(fc.array(byte, { maxLength: 24 }), bytes => {
          const buf = Uint8Array.from(bytes)
          let expected
          try {
            expected = decoder.decode(buf)
          } catch {
            expected = undefined
          }
          assert.strictEqual(lib.findInvalidUtf8(buf, 0, buf.length) === -1, expected !== undefined)
          if (expected !== undefined) assert.strictEqual(lib.getUtf8(buf, 0, buf.length), expected)
          assert.strictEqual(lib.getUtf8Lossy(buf, 0, buf.length), lossy.decode(buf))
        }),
        { numRuns: 2000 }
      )
      t.done()
    }
  }
}

function checkTexts() {
  for (let length = 0; length <= 30; length++) {
    for (let place = -1; place < length; place++) {
      const ascii = Array.from({ length }, (_, i) => String.fromCharCode(0x41 + i)).join('')
      const text = place === -1 ? ascii : ascii.slice(0, place) + 'é' + ascii.slice(place + 1)
      const buf = Buffer.concat([Buffer.of(0xff), Buffer.from(text), Buffer.of(0xff)])
      assert.strictEqual(getText(buf, 1, buf.length - 1), text)
    }
  }
}

module.exports = {
  ...Object.fromEntries(Object.entries(RUNTIMES).map(([name, lib]) => [name, suite(lib)])),

  'texts of every length, with a letter beyond ASCII at every place, between other bytes': t => {
    checkTexts()
    // after so many reads, some strings are read in another way
    for (let i = 0; i < 20_000; i++) getText(Buffer.from('thirteen bytes'), 0, 13)
    checkTexts()
    t.done()
  },

  'a byte that is no UTF-8, at every place of texts of every length, is an error': t => {
    for (let length = 1; length <= 40; length++) {
      for (let place = 0; place < length; place++) {
        for (const byte of [0x80, 0xff]) {
          const buf = Buffer.alloc(length + 2, 0x61)
          buf[place + 1] = byte
          assert.throws(() => getText(buf, 1, length + 1), BSONError, `${byte} at ${place} of ${length}`)
          assert.throws(() => getText(buf, 1, length + 1), BSONError, `${byte} at ${place} of ${length}`)
        }
      }
    }
    t.done()
  },

  'text that is longer than a string can be is a BSONError': t => {
    const length = 2 ** 29 + 8
    const document = Buffer.alloc(length + 13) // zeros, which take no memory until they are written
    document.writeInt32LE(document.length)
    document.write('\x02a', 4)
    document.writeInt32LE(length + 1, 7)
    for (const read of [decode, deserialize, bytes => new RawDocument(bytes).get('a')]) {
      const isRight = ({ message, offset }) => message.startsWith(`text of ${length} bytes exceeds the maximum string length`) && offset === 11
      t.throws(() => read(document), error => error instanceof BSONError && isRight(error), read.name)
    }
    t.done()
  },

  'nor is it built of pieces where the engine refuses it; another error is left as it is': t => {
    const failing = { subarray() { throw new RangeError('Invalid array length') } }
    t.throws(() => RUNTIMES.browser.getUtf8(failing, 5, 2 ** 29), error => error.name === 'BSONError' && error.offset === 5)
    t.throws(() => utf8.getUtf8(/** @type {any} */ ({}), 0, 100), TypeError)
    t.done()
  },

  'every character of other scripts, where the engine is slow': t => {
    if (!utf16.isSlow) skip(t, 'only V8 before version 12')
    for (const [from, to, step] of [[0, 0x900, 1], [0x900, 0xd800, many(7, 1)], [0xe000, 0x110000, many(31, 1)]]) {
      for (let point = from; point < to; point += step) {
        const text = String.fromCodePoint(point)
        const bytes = Buffer.from(`${text}\0`)
        if (utf16.getWide(bytes, 0, bytes.length - 1) !== text) assert.fail(`U+${point.toString(16)}`)
      }
    }
    const long = Buffer.from('日本'.repeat(1000))
    assert.deepStrictEqual([utf16.isWide(long, 0, 4095), utf16.isWide(long, 0, 4098)], [true, false])
    t.done()
  },

  'random bytes are read where the engine is slow if they are UTF-8, and only then': t => {
    if (!utf16.isSlow) skip(t, 'only V8 before version 12')
    const random = seededRandom(Number(process.env.QBSON_SEED) || 1)
    const BORDERS = [0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff]
    for (let i = 0; i < many(30_000, 100_000); i++) {
      const buf = Buffer.from(Array.from({ length: 1 + below(random, 6) }, () => BORDERS[below(random, BORDERS.length)]))
      const end = below(random, buf.length + 1)
      const expected = isUtf8(buf.subarray(0, end)) ? buf.toString('utf8', 0, end) : undefined
      assert.strictEqual(utf16.getWide(buf, 0, end), expected, buf.toString('hex'))
    }
    t.done()
  },

  'the error is a BSONError that says what': t => {
    const read = () => utf8.getUtf8(Buffer.from([0xff]), 0, 1)
    t.throws(read, error => error instanceof BSONError && /Invalid UTF-8 string/.test(error.message))
    t.done()
  }
}
