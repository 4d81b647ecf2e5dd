'use strict'

// Paths that are read repeatedly, which must not change the results.

const { inspect, isDeepStrictEqual } = require('node:util')
const { RawDocument, encode, decode, BSONError } = require('../../qbson')
const { ObjectId, Long, Binary, Decimal128, Timestamp, MinKey, MaxKey } = require('../../qbson')
const { HOT, IDLE } = require('../../lib/raw/trail')
const { parsePath } = require('../../lib/raw/path')

/** A document with a field of every type that often precedes others, and names of every length up to 12. */
function mixed(v, more = {}) {
  const values = [
    v, `text ${v}`.repeat(1 + (v % 3)), v + 0.5, v % 2 === 0, null, new Date(v), new ObjectId(), Long.fromNumber(2 ** 40 + v), { v, s: 'x' },
    [v, 'y'], new Binary(Buffer.alloc(v % 5)), Decimal128.fromString('1.5'), new Timestamp({ t: v, i: 1 }), new MinKey(), new MaxKey()
  ]
  const doc = {}
  for (let i = 0; i < 45; i++) doc['abcdefghijkl'.slice(0, i % 13) + String.fromCharCode(65 + i)] = values[i % values.length]
  return { ...doc, ...more }
}

/** What `get` returns or throws. */
function outcome(bytes, path) {
  try {
    return new RawDocument(bytes).get(path)
  } catch (error) {
    if (!(error instanceof BSONError)) throw error
    return `${error.message} ${error.offset} ${error.path}`
  }
}

const MIXED = Array.from({ length: 64 }, (_, i) => encode(mixed(i)))

/** Reads the path until it is hot. */
function warm(path, inputs = MIXED, times = HOT) {
  for (let i = 0; i <= times; i++) new RawDocument(inputs[i % inputs.length]).get(path)
}

let isWarm = false

/** What one test teaches, the following ones know. */
function warmAll() {
  if (!isWarm) for (const name of NAMES) warm(name)
  isWarm = true
}

const NAMES = Object.keys(mixed(1)).filter((_, i) => i % 3 === 2)

/** Like `t.ok`, which is slow in a hundred thousand calls. */
function check(holds, message) {
  if (!holds) throw new Error(message)
}

/** Whether a function has been compiled for the path. */
function isLearned(path) {
  return parsePath(path)[0].trail.run !== undefined
}

module.exports = {
  'a way is given up when it often misses, and the third time for good': function (t) {
    const path = 'given up'
    const kinds = [mixed(1), { y: 'y', ...mixed(1) }]
    const [here, there] = kinds.map(doc => new RawDocument(encode({ ...doc, [path]: 1 })))
    const ask = (raw, times) => {
      for (let i = 0; i < times; i++) check(raw.get(path) === 1)
    }
    for (let round = 0; round < 3; round++) {
      ask(here, HOT)
      t.ok(isLearned(path), `in round ${round}`)
      for (let i = 0; i < 1000; i++) ask(i % 10 ? here : there, 1)
      t.ok(isLearned(path), 'a tenth elsewhere')
      ask(there, HOT / 2)
      t.ok(!isLearned(path), 'all elsewhere')
    }
    ask(here, 2 * HOT)
    t.ok(!isLearned(path), 'for good')
    t.done()
  },

  'one after the other, from where the last one was': function (t) {
    const [first, second, third] = ['second-round-a', 'second-round-b', 'second-round-c']
    // a duplicate field, made by renaming another
    const make = (v, before) => {
      const doc = { ...mixed(v), ...before, [first]: v, x: 'x'.repeat(v % 7), [second]: -v, [third]: [v] }
      const bytes = encode(doc)
      const twin = bytes.indexOf('second-round-B')
      if (twin !== -1) bytes.write(second, twin)
      return bytes
    }
    const twice = { 'second-round-B': 'earlier' }
    const inputs = Array.from({ length: 100 }, (_, i) => make(i, i % 5 === 4 && twice))
    for (let i = 0; i < HOT + 500; i++) {
      const v = i % 100
      const raw = new RawDocument(inputs[v])
      check(raw.get(first) === v)
      check(raw.get(second) === (v % 5 === 4 ? 'earlier' : -v), `of ${i}`)
      check(raw.get(third)[0] === v)
      check(raw.get(first) === v)
    }
    // more kinds of documents, each long enough to be learned
    for (const before of [{ y: 1 }, { z: 'z', ...twice }, { w: 1.5 }, { x: null }]) {
      const others = Array.from({ length: 100 }, (_, i) => make(i, before))
      for (let i = 0; i < HOT + 500; i++) {
        const v = i % 100
        const raw = new RawDocument(others[v])
        check(raw.get(first) === v)
        check(raw.get(second) === (before.z ? 'earlier' : -v))
      }
    }
    t.done()
  },

  'the same as once': function (t) {
    warmAll()
    for (let i = 0; i < 300; i++) {
      const bytes = encode(mixed(i))
      const expected = decode(bytes)
      const raw = new RawDocument(bytes)
      const names = i % 2 ? NAMES : [...NAMES].reverse()
      for (const name of names) check(isDeepStrictEqual(raw.get(name), expected[name]), `${name} in ${i}`)
      t.strictEqual(raw.get('none'), undefined)
    }
    t.done()
  },

  'in documents of another kind, too': function (t) {
    warmAll()
    const others = [
      {}, { [NAMES[5]]: 1 }, mixed(1, { A: 'a string' }), mixed(3, { bB: 1 }), { z: 1, ...mixed(1) }, mixed(2, { [NAMES[1]]: /regex/ }),
      Object.fromEntries(Object.entries(mixed(1)).reverse())
    ]
    for (let round = 0; round < 600; round++) {
      const bytes = encode(round % 3 ? others[round % others.length] : mixed(round))
      const expected = decode(bytes)
      for (const name of NAMES) check(isDeepStrictEqual(outcome(bytes, name), expected[name]), `${name} in ${round}`)
    }
    t.done()
  },

  'in broken documents, too': function (t) {
    const bytes = Buffer.from(MIXED[7])
    const names = NAMES.slice(-2)
    for (const name of names) warm(name)
    for (let i = 4; i < bytes.length - 1; i++) {
      for (const byte of [0, 2, 0xff]) {
        const changed = Buffer.from(bytes)
        changed[i] = byte
        // An array of keys is parsed anew each time: it is never hot.
        for (const name of names) {
          const [is, once] = [inspect(outcome(changed, name)), inspect(outcome(changed, [name]))]
          if (is !== once) t.strictEqual(is, once, `byte ${i} changed to ${byte}`)
        }
      }
    }
    t.done()
  },

  'behind types that are rare, and behind very many fields': function (t) {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`many${i}`, i]))
    const variants = Array.from({ length: 10 }, (_, i) => [
      encode({ ...mixed(i), r: /x/, ...many, 'after-regex': i, 'after-many': -i }),
      encode({ ...mixed(i), ...many, 'after-many': -i }),
      encode({ ...mixed(i), old: new Binary(Buffer.from('old'), 2), 'after-old': i })
    ])
    for (let n = 0; n < HOT + 100; n++) {
      const i = n % 10
      const [regex, all, old] = variants[i]
      const raw = new RawDocument(regex)
      check(raw.get('after-regex') === i && raw.get('many7') === 7)
      check(new RawDocument(all).get('after-many') === -i)
      check(new RawDocument(old).get('after-old') === i)
    }
    t.ok(!isLearned('after-regex') && !isLearned('after-many'))
    t.done()
  },

  'for more paths than are learned, and for others once those are idle': function (t) {
    const count = 30
    const bytes = encode(Object.fromEntries(Array.from({ length: count }, (_, i) => [`field number ${i}`, i])))
    const ask = i => new RawDocument(bytes).get(`field number ${i}`)
    const learned = () => Array.from({ length: count }, (_, i) => i).filter(i => isLearned(`field number ${i}`))
    for (let round = 0; round < HOT + 20; round++) {
      for (let i = 0; i < count; i++) check(ask(i) === i, `field ${i} in round ${round}`)
    }
    t.ok(learned().length <= 16, String(learned()))
    for (let round = 0; round < IDLE + 2 * HOT; round++) check(ask(count - 1) === count - 1, `in round ${round}`)
    t.ok(learned().includes(count - 1))
    t.done()
  }
}
