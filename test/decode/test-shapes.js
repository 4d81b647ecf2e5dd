'use strict'

// Documents arranged to contradict what has been learned, at every element: when decoding, a codec that learns must
// then do exactly what the generic one does, byte for byte, value for value, error for error.

const { learningCodec, withoutCodeGeneration, functionsOf } = require('../fixtures/codecs')
const { VALUES, FAULTS, BASES, element, bytesOf, departures, checkDecode, checkEncode, learn } = require('../fixtures/adversaries')
const { unhex, frame, int32, string } = require('../fixtures/bytes')
const { many } = require('../fixtures/long')
const { seededRandom, below, pick } = require('../fixtures/random-document')

const SEED = Number(process.env.QBSON_SEED) || 1

/** The number of bytes changed in a long document. */
const CUTS = many(6, 30)

/** Random documents of each kind. */
const DOCUMENTS = many(60, 2000)

/** Of a collection whose keys are ids. */
const ROUNDS = many(100, 4000)

/** The most elements at which other documents differ; in a wide document, one in the middle. */
const PLACES = many(2, 4)

function placesOf(fields) {
  if (fields.length > 100) return [fields.length >> 1]
  const step = Math.ceil(fields.length / PLACES)
  return fields.map((_, i) => i).filter(i => i % step === 0)
}

/** In a long document, one in this many changes is tried. */
const EACH = many(12, 1)

function changesOf(fields, i) {
  return departures(fields, i).filter((_, k) => fields.length < 30 || k % EACH === 0)
}

function decodeSuite(canCompile) {
  const tests = {}
  for (const [name, fields] of Object.entries(BASES)) {
    tests[`${name}: every departure at every element`] = t => {
      const codec = learningCodec(canCompile)
      const base = bytesOf(fields)
      learn(codec, base)
      for (const i of placesOf(fields)) {
        for (const other of changesOf(fields, i)) checkDecode(codec, bytesOf(other))
        checkDecode(codec, base)
      }
      t.done()
    }

    tests[`${name}: inside a document, an array, a scope`] = t => {
      const codec = learningCodec(canCompile)
      const inside = fields => {
        const inner = frame(fields.map(element).join(''))
        const list = frame('033000' + inner + '033100' + inner)
        const code = string('f') + inner
        return unhex(frame(`036400${inner}046c00${list}0f6300${int32(code.length / 2 + 4)}${code}1078 00 01000000`))
      }
      learn(codec, inside(fields))
      for (const i of placesOf(fields)) {
        for (const other of changesOf(fields, i)) checkDecode(codec, inside(other))
        checkDecode(codec, inside(fields))
      }
      t.done()
    }

    tests[`${name}: every truncation, every byte changed`] = t => {
      const codec = learningCodec(canCompile)
      const base = bytesOf(fields)
      learn(codec, base)
      const step = Math.ceil(base.length / CUTS)
      for (let i = 4; i < base.length; i += step) {
        for (const byte of [0, 1, base[i] + 1, 0x24, 0x80, 0xff]) {
          const changed = Buffer.from(base)
          changed[i] = byte
          checkDecode(codec, changed)
        }
        const cut = Buffer.from(base.subarray(0, i + 1))
        cut[i] = 0
        if (i >= 4) cut.writeInt32LE(cut.length)
        checkDecode(codec, cut)
        checkDecode(codec, base.subarray(0, i))
      }
      t.done()
    }
  }
  return tests
}

const DECODE_OPTIONS = [
  undefined, {}, { promoteValues: false }, { promoteLongs: false }, { promoteBuffers: true }, { useBigInt64: true },
  { bsonRegExp: true }, { raw: true }, { fieldsAsRaw: { documents: true } }, { validation: { utf8: false } },
  { validation: { utf8: { a: false } } }, { allowObjectSmallerThanBufferSize: true }, { index: 0 }, { maxDepth: 2 }, { maxDepth: 1 }
]

function mixedDecodeSuite(canCompile) {
  return {
    'many shapes that share prefixes, in random order': t => {
      const codec = learningCodec(canCompile)
      const random = seededRandom(SEED)
      const shapes = Array.from({ length: 80 }, () => {
        const length = 1 + below(random, 10)
        return Array.from({ length }, (_, i) => [`k${i}${random() < 0.8 ? '' : below(random, 4)}`, pick(random, Object.values(VALUES))])
      })
      for (let i = 0; i < DOCUMENTS; i++) checkDecode(codec, bytesOf(pick(random, shapes)))
      t.done()
    },

    'every departure where many other keys are known': t => {
      const codec = learningCodec(canCompile)
      const names = Array.from({ length: 80 }, (_, i) => `known${i}`)
      for (let round = 0; round < 3; round++) {
        for (const name of names) {
          checkDecode(codec, bytesOf([[name, VALUES.string], ['a', VALUES.int32]]))
          checkDecode(codec, bytesOf([['a', VALUES.document], [name, VALUES.int32], ['b', VALUES.array]]))
        }
      }
      for (const fault of Object.values(FAULTS)) {
        checkDecode(codec, bytesOf([['a', fault]]))
        for (const value of Object.values(VALUES)) {
          checkDecode(codec, bytesOf([['known1', value], ['a', fault]]))
          checkDecode(codec, bytesOf([['known2', fault], ['a', value]]))
          checkDecode(codec, bytesOf([['a', value], ['known3', fault], ['b', value]]))
          checkDecode(codec, bytesOf([['a', fault], ['unknown', value], ['b', fault]]))
        }
      }
      t.done()
    },

    'keys of one hash (FNV-1a), among many others': t => {
      const codec = learningCodec(canCompile)
      const pairs = [['costarring', 'liquid'], ['declinate', 'macallums'], ['altarage', 'zinke']]
      const others = Array.from({ length: 100 }, (_, i) => `other${i}`)
      for (let round = 0; round < 4; round++) {
        for (const key of [...others.slice(0, 8), ...pairs.flat(), ...pairs.flat().reverse(), ...others]) {
          checkDecode(codec, bytesOf([[key, VALUES.int32], ['x', VALUES.string]]))
          checkDecode(codec, bytesOf([['first', VALUES.int32], [key, VALUES.double]]))
          checkEncode(codec, () => ({ first: 1, [key]: 'x' }))
          checkEncode(codec, () => ({ [key]: 1, x: 2 }))
        }
      }
      t.done()
    },

    'the same keys with types that change all the time': t => {
      const codec = learningCodec(canCompile)
      const random = seededRandom(SEED + 1)
      for (let i = 0; i < DOCUMENTS; i++) checkDecode(codec, bytesOf(['a', 'b', 'c', 'd'].map(key => [key, pick(random, Object.values(VALUES))])))
      t.done()
    },

    'arrays of every length with items of every type': t => {
      const codec = learningCodec(canCompile)
      const random = seededRandom(SEED + 2)
      const kinds = Object.values(VALUES)
      for (let i = 0; i < DOCUMENTS; i++) {
        const same = random() < 0.7 ? pick(random, kinds) : null
        const index = random() < 0.95 ? n => String(n) : n => String(n + 1)
        const length = i % 100 < 80 ? (i >> 7) % 12 : below(random, 30)
        const items = Array.from({ length }, (_, n) => [index(n), same ?? pick(random, kinds)])
        if (random() < 0.1 && items.length > 0) items[below(random, items.length)][1] = pick(random, Object.values(FAULTS))
        checkDecode(codec, bytesOf([['list', ['04', frame(items.map(element).join(''))]]]))
      }
      t.done()
    },

    'where code is forbidden later, what has been learned stays, and nothing is added': t => {
      const codec = learningCodec(canCompile)
      const known = bytesOf([['a', VALUES.int32], ['b', VALUES.string]])
      learn(codec, known)
      withoutCodeGeneration(() => {
        for (const value of [VALUES.double, VALUES.document, VALUES.null]) learn(codec, bytesOf([['a', VALUES.int32], ['b', value]]))
        learn(codec, bytesOf(BASES.flat))
        learn(codec, known)
      })
      learn(codec, bytesOf(BASES.nested))
      t.done()
    },

    'a collection whose keys are ids does not make others be learned again and again': t => {
      const codec = learningCodec(canCompile, { sampleEvery: 1, window: 8, alike: 4, share: 1 / 16 })
      const random = seededRandom(SEED + 4)
      const known = bytesOf([['state', VALUES.int32], ['inner', ['03', frame('106100 01000000 106200 02000000')]]])
      const round = () => {
        const ids = Array.from({ length: 40 }, () => [`id${below(random, 20_000)}`, VALUES.int32])
        for (let i = 0; i < 2; i++) checkDecode(codec, bytesOf(ids))
        checkDecode(codec, known)
      }
      const made = functionsOf(() => {
        for (let i = 0; i < ROUNDS; i++) round()
      })
      t.ok(made <= 8, `${made} functions in ${3 * ROUNDS} documents`)
      t.done()
    },

    'only kinds of which nine of ten documents are alike are worth a function': t => {
      const first = [['_id', VALUES.int32], ['a', VALUES.int32], ['b', VALUES.string]]
      const rest = i => Array.from({ length: 4 }, (_, k) => [`c${i}${k}`, VALUES.int32])
      const made = (count, shapeOf) => {
        const codec = learningCodec(canCompile, { sampleEvery: 1, window: 50, alike: 45 })
        const shapes = Array.from({ length: count }, (_, i) => bytesOf(shapeOf(i)))
        return functionsOf(() => {
          for (let i = 0; i < 10_000; i++) codec.decode(shapes[i % count])
        })
      }
      const kind = i => [[`a${i}`, VALUES.int32], [`b${i}`, VALUES.string]]
      for (const count of [1, 2, 12]) t.strictEqual(made(count, kind), canCompile ? count : 0)
      // of one kind by their first names
      const alike = i => [...first, ...rest(i)]
      t.strictEqual(made(1, alike), canCompile ? 1 : 0)
      for (const count of [2, 100]) t.strictEqual(made(count, alike), 0)
      t.done()
    },

    'many kinds in any order, in turn and one for long': t => {
      const codec = learningCodec(canCompile)
      const random = seededRandom(SEED + 4)
      const kinds = Array.from({ length: 40 }, (_, i) => [['_id', VALUES.objectId], [`a${i % 20}`, VALUES.int32], ...BASES.flat.slice(i % 5)])
      for (let i = 0; i < DOCUMENTS; i++) {
        const fields = pick(random, kinds)
        const others = departures(fields, below(random, fields.length))
        for (let k = below(random, 12); k >= 0; k--) checkDecode(codec, bytesOf(fields))
        checkDecode(codec, bytesOf(pick(random, others)))
      }
      t.done()
    },

    'readers that are in use keep their places, others make room': t => {
      const codec = learningCodec(canCompile, { sampleEvery: 1, window: 8, alike: 7 })
      const shapeOf = i => bytesOf(Array.from({ length: 40 }, (_, k) => [`a${i}${k}`, VALUES.int32]))
      const read = (from, to, times = 40) => functionsOf(() => {
        const shapes = Array.from({ length: to - from }, (_, i) => shapeOf(from + i))
        for (let i = 0; i < times * shapes.length; i++) codec.decode(shapes[i % shapes.length])
      })
      const made = read(0, 60)
      t.ok(canCompile ? made > 20 && made <= 25 : made === 0, `${made} functions of 40 places`)
      t.strictEqual(read(0, 60), 0)
      const later = read(100, 110, 400)
      t.ok(canCompile ? later === 10 : later === 0, `${later} of 10 kinds that come later`)
      t.done()
    },

    'names that fall on one place of the table are learned side by side': t => {
      const codec = learningCodec(canCompile, { sampleEvery: 1, window: 50, alike: 45 })
      const base = bytesOf(['_id', 'accountId', 'x', 'customerId'].map(key => [key, VALUES.int32]))
      const made = functionsOf(() => {
        for (let i = 0; i < 1000; i++) checkDecode(codec, base)
      })
      if (canCompile) t.ok(made >= 1, `${made} functions`)
      t.done()
    },

    'documents that depart again and again, at every level': t => {
      const codec = learningCodec(canCompile)
      // shapes that leave each branch after its first key
      for (let teeth = 0; teeth <= 24; teeth++) {
        const keys = Array.from({ length: teeth + 30 }, (_, i) => (i < teeth ? `k${i}` : `end${teeth}${i}`))
        const fields = keys.map(key => [key, VALUES.int32])
        learn(codec, bytesOf([['in', ['03', frame(fields.map(element).join(''))]]]))
      }
      let deep = frame('')
      for (let level = 0; level < 190; level++) {
        const fields = Array.from({ length: 24 }, (_, i) => [`k${i}`, VALUES.int32])
        deep = frame([...fields, ['in', ['03', deep]]].map(element).join(''))
      }
      learn(codec, unhex(deep))
      t.done()
    },

    'where many shapes are known, one that comes later takes the place of what came before': t => {
      const codec = learningCodec(canCompile)
      const shapeOf = i => bytesOf([[`a${i}`, VALUES.int32], [`b${i}`, VALUES.string]])
      const made = functionsOf(() => {
        // often, because samples are rare where kinds have taken turns
        for (let i = 0; i < 5; i++) for (let k = 0; k < 8; k++) learn(codec, shapeOf(i))
      })
      t.ok(canCompile ? made >= 3 : made === 0, `${made} functions`)
      t.done()
    },

    'documents whose keys are ids': t => {
      const codec = learningCodec(canCompile)
      const random = seededRandom(SEED + 3)
      for (let i = 0; i < DOCUMENTS / 10; i++) {
        const fields = Array.from({ length: below(random, 40) }, () => [below(random, 2 ** 32).toString(16), VALUES.int32])
        checkDecode(codec, bytesOf(fields))
        checkDecode(codec, bytesOf([['users', ['03', frame(fields.map(element).join(''))]]]))
        checkDecode(codec, bytesOf(BASES.flat))
      }
      t.done()
    },

    'options stay outside what is learned': t => {
      const codec = learningCodec(canCompile)
      const all = bytesOf(Object.entries(VALUES))
      learn(codec, all)
      const wrongText = bytesOf([['a', ['02', '02000000' + 'ff00']]])
      for (const options of DECODE_OPTIONS) {
        for (let i = 0; i < 20; i++) {
          checkDecode(codec, all, options)
          checkDecode(codec, wrongText, options)
        }
      }
      t.done()
    },

    'a field that is excepted from the check of UTF-8, in a document whose shape was learned': t => {
      const codec = learningCodec(canCompile)
      const bytes = unhex(frame(`036100${frame(`026200${string('abc')}`)}026300${string('abc')}`))
      learn(codec, bytes)
      const wrong = Buffer.from(bytes)
      wrong[bytes.indexOf('abc') + 1] = 0xff
      for (const utf8 of [{ a: false }, { c: true }]) {
        t.deepStrictEqual(codec.decode(wrong, { validation: { utf8 } }), { a: { b: 'a\ufffdc' }, c: 'abc' })
      }
      for (const utf8 of [{ c: false }, { a: true }]) {
        t.throws(() => codec.decode(wrong, { validation: { utf8 } }), /Invalid UTF-8 .* in field a\.b\)/)
      }
      t.done()
    },

    'an offset in a larger buffer': t => {
      const codec = learningCodec(canCompile)
      const base = bytesOf(BASES.flat)
      learn(codec, base)
      const whole = Buffer.concat([Buffer.alloc(3, 0xff), base, base, Buffer.alloc(5, 0xff)])
      for (const index of [3, 3 + base.length, 0, 1, 4, whole.length - 4, whole.length, whole.length + 1, -1, 1.5, NaN, '3', null, 2 ** 31]) {
        checkDecode(codec, whole, { index, allowObjectSmallerThanBufferSize: true })
        checkDecode(codec, whole, { index })
      }
      t.done()
    }
  }
}

function suite(canCompile) {
  return { ...decodeSuite(canCompile), ...mixedDecodeSuite(canCompile) }
}

module.exports = { compiled: suite(true), interpreted: suite(false) }
