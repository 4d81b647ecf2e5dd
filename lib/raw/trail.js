'use strict'

// The way to a field that is read often: in documents of one kind, the same names precede it. A function generated for
// these names compares four bytes at a time at the expected places, which takes 2 to 3 ns an element instead of 7 to
// 10. Reading two of 150 fields then takes a tenth of the time of decoding all. Anything unexpected is left to
// `findElement`, so the result is always the same.

const { ELEMENT, FIXED_SIZE, SUBTYPE } = require('../spec')
const { getInt32 } = require('../bytes')
const { compile } = require('../codegen')
const { scanName } = require('../decode')
const { findElement, skipElement } = require('./find')

/**
 * Searches before the function is made. Before it is optimised, a function past 100 elements costs what 30,000 searches
 * gain, and one past 20 elements what 3,000 gain. So it is made only after about as much time has been spent.
 */
const HOT = 5000

/** Fields within this many bytes of the start are found fast enough. */
const NEAR = 100

/** A field after more elements gets no function: V8 does not optimise very long ones. */
const MAX_ELEMENTS = 250

/**
 * The most functions at a time: with 60, fields read in turn take ten times as long while the functions are optimised;
 * with 16, reading takes as long as without any.
 */
const MAX_TRAILS = 16

/** A function unused for this many other searches makes room for another. */
const IDLE = 100_000

/** A trail is dropped after this many misses, if they are over a quarter of all searches; the third time for good. */
const MAX_MISSES = 50
const MAX_ROUNDS = 3

/** @type {Trail[]} trails with a function */
const trails = []

/** The number of searches for all keys. */
let clock = 0

/** The number of functions made so far. */
let ways = 0

/** @typedef {((view: DataView, pos: number, end: number) => number) | undefined} Run returns -1 off the way */

/** Finds one key of a path. */
class Trail {
  constructor() {
    /** @type {Run} from the start of the document */
    this.run = undefined
    /** Identifies the way `run` was made for; a new number each time. */
    this.way = 0
    /** The way of another trail, to the element where `resume` starts; 0 for none. */
    this.base = 0
    /** @type {Run} */
    this.resume = undefined
    /** @type {string[]} the source of `run`, element by element */
    this.steps = []
    this.searches = 0
    this.misses = 0
    this.rounds = 0
    /** The clock when `run` was last used. */
    this.used = 0
  }

  /**
   * @param {import('.').RawDocument} raw a document, not an array
   * @param {import('./path').Key} key
   * @returns {number} the offset of the element, or -1 if the document does not have it
   * @throws {import('../errors').BSONError} on bytes before it that are not BSON
   */
  find(raw, key) {
    this.searches++
    clock++
    if (this.run !== undefined) {
      this.used = clock
      const pos = this.follow(raw)
      if (pos !== -1 && raw.buf[pos] !== 0) return raw.passed(this, pos)
      this.miss()
    }
    const pos = findElement(raw.buf, raw.start, raw.end, false, key)
    if (this.searches >= HOT && pos - raw.start > NEAR && this.run === undefined) this.learn(raw, pos)
    return pos
  }

  /** Starts where the last search ended, if that was on the same way: earlier elements need no second look. */
  follow({ lastWay, lastPos, view, start, end }) {
    return lastWay !== 0 && lastWay === this.base ? this.resume(view, lastPos, end) : this.run(view, start + 4, end)
  }

  miss() {
    this.misses++
    if (this.misses > MAX_MISSES && this.misses * 4 > this.searches) this.forget()
  }

  forget() {
    this.release()
    this.searches = ++this.rounds < MAX_ROUNDS ? 0 : -Infinity
  }

  /** Drops the function; after enough searches, another may be made. */
  release() {
    const index = trails.indexOf(this)
    if (index !== -1) trails.splice(index, 1)
    this.run = undefined
    this.resume = undefined
    this.base = 0
    this.way = 0
    this.steps = []
    this.misses = 0
    this.searches = 0
  }

  /** Makes the function for the elements before the one at `found`. */
  learn(raw, found) {
    const { buf, start, end, lastTrail, lastWay } = raw
    this.steps = []
    for (let pos = start + 4; pos < found; ) {
      const nameEnd = scanName(buf, pos + 1, end)
      this.steps.push(stepSource(buf, pos, nameEnd))
      pos = skipElement(buf, pos, nameEnd, end)
    }
    const target = nameSource(buf, found + 1, scanName(buf, found + 1, end) + 1, 1)
    const isPossible = this.steps.length <= MAX_ELEMENTS && !this.steps.includes('')
    const known = lastTrail !== null && lastTrail.way === lastWay && this.goesOn(lastTrail) ? lastTrail.steps.length : 0
    const resume = known === 0 ? 'undefined' : sourceOf(this.steps.slice(known), target)
    if (isPossible && !makeRoom()) return this.release()
    const made = isPossible ? compile({}, `[${sourceOf(this.steps, target)}, ${resume}]`) : undefined
    if (made === undefined) return this.forget()
    trails.push(this)
    this.run = made[0]
    this.resume = made[1]
    this.base = known === 0 ? 0 : lastWay
    this.way = ++ways
    this.used = clock
    raw.passed(this, found)
  }

  /** Whether the other way is the start of this one. @param {Trail} other */
  goesOn(other) {
    return other.steps.length < this.steps.length && other.steps.every((step, i) => step === this.steps[i])
  }
}

/** @returns {boolean} whether one more function may be made */
function makeRoom() {
  if (trails.length < MAX_TRAILS) return true
  const idle = trails.find(trail => clock - trail.used > IDLE)
  idle?.release()
  return idle !== undefined
}

/** @param {string[]} steps @param {string} target */
function sourceOf(steps, target) {
  return `(view, p, end) => {\nlet l = 0\n${steps.join('\n')}\n${target}\nreturn p\n}`
}

const INT32_AT = offset => `view.getInt32(p + ${offset}, true)`

/** Types whose value states its size, at `p + n`: the least size, and the bytes before those it counts. */
const SIZED = new Map([
  [ELEMENT.STRING, { least: 1, head: 4, ends: true }],
  [ELEMENT.DOCUMENT, { least: 5, head: 0, ends: true }],
  [ELEMENT.ARRAY, { least: 5, head: 0, ends: true }],
  [ELEMENT.BINARY, { least: 0, head: 5, ends: false }]
])

/** Source that steps over one element. @returns {string} empty for rare types, which are not supported */
function stepSource(buf, pos, nameEnd) {
  const type = buf[pos]
  const size = nameEnd + 1 - pos
  const name = nameSource(buf, pos, nameEnd + 1, 0)
  if (FIXED_SIZE[type] !== -1) return `${name} p += ${size + FIXED_SIZE[type]}`
  if (type === ELEMENT.BOOLEAN) {
    return `${name} if (p + ${size} >= end || view.getUint8(p + ${size}) > 1) return -1; p += ${size + 1}`
  }
  if (!SIZED.has(type)) return ''
  const { least, head, ends } = SIZED.get(type)
  // a 0x00 at the end; not an old binary, which contains its own size
  const check = ends ? 'view.getUint8(p - 1) !== 0' : `view.getUint8(p - l - 1) === ${SUBTYPE.BYTE_ARRAY}`
  return `${name} if (p + ${size + head} + ${least} > end) return -1; l = ${INT32_AT(size)}
    if (l < ${least} || l > end - p - ${size + head}) return -1
    p += ${size + head} + l; if (${check}) return -1`
}

/** Source that compares the bytes from `from` to `to` with those at `p + at`, in words that may overlap. */
function nameSource(buf, from, to, at) {
  const size = to - from
  const tests = [`p + ${at + size} > end`]
  const word = i => `${INT32_AT(at + i)} !== ${getInt32(buf, from + i)}`
  for (let i = 0; i + 4 <= size; i += 4) tests.push(word(i))
  if (size % 4 !== 0 && size > 4) tests.push(word(size - 4))
  for (let i = 0; i < size && size < 4; i++) tests.push(`view.getUint8(p + ${at + i}) !== ${buf[from + i]}`)
  return `if (${tests.join(' || ')}) return -1;`
}

module.exports = { HOT, IDLE, Trail }
