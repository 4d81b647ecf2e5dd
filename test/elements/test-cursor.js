'use strict'

// The oracle is scan.js, which knows every type and says what is wrong.

const assert = require('node:assert')
const { ElementCursor } = require('../../lib/elements/cursor')
const { endOfValue, endOfElement } = require('../../lib/elements/layout')
const { quickValidate, isIndex } = require('../../lib/elements/quick-validate')
const { validate } = require('../../lib/elements/validate')
const { scanName, scanElement, innerDocument, tooDeep } = require('../../lib/elements/scan')
const { encode } = require('../../lib/encode')
const types = require('../../lib/types')
const { unhex, frame, cstring } = require('../fixtures/bytes')
const { seededRandom, randomDocument, deepDocument } = require('../fixtures/random-document')
const { mutate } = require('../fixtures/mutate')
const { many } = require('../fixtures/long')
const { outcome, told } = require('../fixtures/outcome')
const { fails } = require('../fixtures/fails')
const { VALUES } = require('../fixtures/values')

/** What a schema of rare types and bad lengths may leave to scan.js. */
const RARE = [0x0b, 0x0c, 0x0f]

/** Every element below a document, as numbers. */
function byScan(buf, start, end, depth = 1) {
  const found = []
  for (let pos = start + 4; pos < end;) {
    const nameEnd = scanName(buf, pos + 1, end)
    const next = scanElement(buf[pos], buf, pos, nameEnd, end)
    found.push([buf[pos], pos, nameEnd, nameEnd + 1, next, depth])
    const inner = innerDocument(buf[pos], buf, nameEnd + 1)
    if (inner !== -1) found.push(...byScan(buf, inner, next - 1, depth + 1))
    pos = next
  }
  return found
}

const cursor = new ElementCursor()

/** Where the cursor is. */
function place() {
  return [cursor.type, cursor.pos, cursor.nameEnd, cursor.value, cursor.end, cursor.depth]
}

function isInner(type) {
  return type === 3 || type === 4 || type === 0x0f
}

function byNext(buf, start, end) {
  const found = []
  cursor.open(buf, start, end)
  while (cursor.next()) {
    found.push(place())
    if (isInner(cursor.type)) cursor.enter()
  }
  return found
}

function byNextSibling(buf, start, end) {
  const found = []
  const inside = () => {
    while (cursor.nextSibling()) {
      found.push(place())
      if (!isInner(cursor.type)) continue
      cursor.enter()
      inside()
      cursor.leave()
    }
  }
  cursor.open(buf, start, end)
  inside()
  return found
}

/** Documents of every kind, and the same damaged. @param {(bytes: Buffer) => void} check */
function eachDocument(check) {
  const random = seededRandom(48)
  for (let i = 0; i < many(100, 20_000); i++) {
    const bytes = Buffer.from(encode(i % 20 === 0 ? deepDocument(random, types, 30) : randomDocument(random, types)))
    check(bytes)
    for (let n = 0; n < 10; n++) check(mutate(random, bytes))
  }
}

module.exports = {
  'the elements of documents, or the fault, as scan finds them': t => {
    let refused = 0
    eachDocument(bytes => {
      if (bytes.length < 5) return
      const [expected, ...actual] = [byScan, byNext, byNextSibling].map(walk => told(outcome(() => walk(bytes, 0, bytes.length - 1))))
      for (const text of actual) assert.strictEqual(text, expected, bytes.toString('hex'))
      if (expected.startsWith('throws')) refused++
    })
    t.ok(refused > many(400, 1000), `${refused} refused`)
    t.done()
  },

  'the end of a value of each type, up to the last byte and not beyond, or -1 for what scan has to tell': t => {
    for (let type = 0; type < 256; type++) {
      const hex = VALUES[type] ?? '0000000000000000'
      const buf = Buffer.concat([Buffer.from('ffff', 'hex'), unhex(hex), Buffer.from('ffff', 'hex')])
      for (let end = 2; end <= buf.length; end++) {
        const next = outcome(() => scanElement(type, buf, 0, 1, end)).value ?? -1
        assert.strictEqual(endOfValue(type, buf, 2, end), RARE.includes(type) ? -1 : next, `type ${type} to ${end}`)
      }
    }
    t.done()
  },

  'the name of an element does not reach beyond its document': t => {
    const bytes = unhex('10' + cstring('ab') + '01000000' + '00')
    t.strictEqual(endOfElement(bytes, 0, 3, 8), 8)
    fails(() => endOfElement(bytes, 0, 3, 3), 'Bad BSON Document: illegal CString', 1)
    fails(() => endOfElement(bytes, 0, 3, 7), 'value is cut off', 4)
    t.done()
  },

  'levels up to the limit are entered, and one that is left early goes on behind it': t => {
    const bytes = encode({ a: { b: { c: 1, d: 2 }, e: 3 }, f: 4 })
    for (const levels of [1, 2]) {
      cursor.open(bytes, 0, bytes.length - 1, levels)
      for (let i = 1; i < levels; i++) t.ok(cursor.next(), cursor.enter())
      t.ok(cursor.next())
      fails(() => cursor.enter(), tooDeep(levels), cursor.value)
    }
    fails(() => cursor.open(bytes, 0, bytes.length - 1, 0), tooDeep(0), 0)
    fails(() => cursor.open(bytes, 0, bytes.length - 1, 7, 7), tooDeep(7), 0)
    cursor.open(bytes, 0, bytes.length - 1, 9, 7)
    t.deepStrictEqual([cursor.next(), cursor.depth, cursor.enter(), cursor.next(), cursor.depth], [true, 8, undefined, true, 9])
    fails(() => cursor.enter(), tooDeep(9), cursor.value)
    cursor.leave()
    t.deepStrictEqual([cursor.next(), cursor.depth, cursor.isNamed(Buffer.from('f')), cursor.next()], [true, 8, true, false])
    const names = []
    cursor.open(bytes, 0, bytes.length - 1, 3)
    t.deepStrictEqual([cursor.next(), ...['a', 'b', 'aa', ''].map(name => cursor.isNamed(Buffer.from(name)))], [true, true, false, false, false])
    cursor.open(bytes, 0, bytes.length - 1, 3)
    while (cursor.next()) {
      names.push(bytes.toString('latin1', cursor.pos + 1, cursor.nameEnd))
      if (cursor.isContainer) cursor.enter()
      if (names.at(-1) === 'c') cursor.leave()
    }
    t.deepStrictEqual(names, ['a', 'b', 'c', 'e', 'f'])
    t.done()
  },

  'quickValidate passes what validate passes, counts its elements, and takes its counts back': t => {
    let passed = 0
    eachDocument(bytes => {
      const types = new Float64Array(256)
      const isValid = quickValidate(bytes, 0, bytes.length, types, 1)
      if (isValid) assert.strictEqual(validate(bytes), bytes.length)
      const expected = new Float64Array(256)
      if (isValid) for (const [type] of byScan(bytes, 0, bytes.length - 1)) expected[type]++
      if (!isValid) quickValidate(bytes, 0, bytes.length, types, -1)
      assert.deepStrictEqual(types, expected, bytes.toString('hex'))
      if (isValid) passed++
    })
    t.ok(passed > 100, `${passed} passed`)
    for (const [type, hex] of Object.entries(VALUES)) {
      t.strictEqual(quickValidate(unhex(frame(`${Number(type).toString(16).padStart(2, '0')}6100${hex}`)), 0, 8 + hex.length / 2), !RARE.includes(Number(type)), type)
    }
    t.done()
  },

  'a name is an index if it is its digits': t => {
    for (const index of [0, 1, 9, 10, 99, 100, 12345]) {
      for (const name of ['', '0', '1', '9', '00', '01', '10', '99', '100', '12345', '1234', '012345', 'a']) {
        t.strictEqual(isIndex(Buffer.from(`x${name}`), 1, 1 + name.length, index), name === String(index), `${name} ${index}`)
      }
    }
    t.done()
  }
}
