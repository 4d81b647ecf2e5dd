'use strict'

// The oracle is a Map of the names as text.

const { Names, isNameAt } = require('../../lib/elements/names')
const { seededRandom } = require('../fixtures/random-document')
const { many } = require('../fixtures/long')

const viewOf = ({ buffer, byteOffset, length }) => new DataView(buffer, byteOffset, length)

const cstringOf = text => Buffer.from(`${text}\0`)

/** Looks for names one after the other, as a reader does, and adds unknown ones. @returns {string[]} their targets */
function read(names, texts) {
  const buf = Buffer.concat(texts.map(cstringOf))
  const view = viewOf(buf)
  let [pos, previous] = [0, names.start]
  return texts.map(text => {
    const end = pos + Buffer.byteLength(text) + 1
    const { next } = previous
    const found = isNameAt(next, buf, view, pos) ? next : names.find(buf, view, pos, buf.length, previous)
    previous = found ?? names.add(buf, pos, end, text, previous)
    pos = end
    return found?.target ?? null
  })
}

/** Milliseconds for looking up a name that is not there, which begins as `count` names of `size` bytes do. */
function missIn(count, size) {
  const common = 'a'.repeat(size - 8)
  const names = new Names(Array.from({ length: count }, (_, i) => {
    const text = common + String(2 * i).padStart(8, '0')
    return /** @type {[Uint8Array, any]} */ ([cstringOf(text), text])
  }))
  const buf = cstringOf(common + String(count | 1).padStart(8, '0'))
  let least = Infinity
  for (let round = 0; round < 20; round++) {
    const before = performance.now()
    if (names.find(buf, viewOf(buf), 0, buf.length, names.start) !== null) throw new Error('found')
    least = Math.min(least, performance.now() - before)
  }
  return least
}

module.exports = {
  'each name is found in any order, whatever it shares with others': t => {
    const random = seededRandom(7)
    const parts = ['', 'a', 'b', 'ab', 'é', 'name', 'a long name that goes on', '\u{1f600}']
    for (let round = 0; round < many(120, 6000); round++) {
      const names = new Names()
      const known = new Map()
      const texts = Array.from({ length: 40 }, () => Array.from({ length: random() * 4 }, () => parts[Math.floor(random() * parts.length)]).join(''))
      const found = read(names, texts)
      const expected = texts.map(text => {
        const target = known.get(text) ?? null
        known.set(text, text)
        return target
      })
      t.deepStrictEqual(found, expected)
      t.deepStrictEqual(names.list.map(({ target }) => target), [...known.keys()])
    }
    t.done()
  },

  'a name is told from those that begin like it, or that it begins': t => {
    const names = new Names()
    t.deepStrictEqual(read(names, ['abcdefghi', 'abcdefgh', 'abcdefghij', 'abc', 'abcdefgh']), [null, null, null, null, 'abcdefgh'])
    t.done()
  },

  'among many long names that begin alike, an unknown one does not take a comparison with each': t => {
    // V8 gives all strings of one length above 16,383 the same hash, so that no Map of texts may be asked
    const [few, all] = [missIn(100, 16_400), missIn(1600, 16_400)]
    t.ok(all < 6 * few, `${few} ms, among sixteen times as many ${all} ms`)
    t.done()
  }
}
