'use strict'

// What recurring documents look like. Where documents stand - at the root, under a key - there is a point, and from it
// branches: functions that read the next keys of a shape and make the object. A function that meets another key hands
// over what it has read to the point behind its last key, and there is a branch for what follows, or the lean way goes
// on. Nothing is read twice. A branch is compiled when reading what it will read has cost more than compiling does: one
// document in many is looked at, and stands for those before it.

const { canCompile } = require('../codegen')
const { ELEMENT } = require('../spec')
const { scanName, scanElement } = require('./scan')
const { SPECIAL, isMatch, findKey, keepKeys, releaseKeys, releaseAll, noKey } = require('./keys')
const { FIELDS, REST, ITEMS, read } = require('./read')
const { WIDE, makeWide } = require('./wide')
const { compileBranch } = require('./branch')

/** @typedef {import('./reader').Reader} Reader */
/** @typedef {import('./keys').Key} Key */
/** @typedef {{bytes: number, inherited: number}} Weight bytes read of a shape, and those perhaps of others */

/** An object, so that tests can learn quickly: see hurry(). */
const COST = {
  /** One document in so many is looked at, on average: that takes some ten times as long as to read it. */
  sample: 512,
  /**
   * Bytes read of one shape, for each of its keys, before it is compiled: V8 takes 10 to 20 ms of a core for such a
   * function and runs it slowly meanwhile. With four times as many the first 100,000 documents took 1.1 times as long,
   * 300,000 readings of a sensor 1.4; with half of it the first 30,000 of several kinds 1.05.
   */
  buy: 1 << 19,
  /** Bytes that a point has in its scales when they begin to count half. */
  old: 1 << 30
}

/** Bytes that are read for each that was looked at, before more are: looking costs a third of the time at most. */
const SPARSE = 32

/** What a document takes besides its bytes, in those. */
const OVERHEAD = 64

/** Keys of one function: V8 takes much longer to optimise long ones. More are read by the branch behind it. */
const CHUNK = 24

/** Keys of an object that a literal can make: beyond 128 V8 makes a slow, dictionary-like one. */
const MAX_KEYS = 120

/** Branches of a point, and shapes that it weighs. */
const MAX_BRANCHES = 16
const MAX_CANDIDATES = 16

/** A shape is worth a branch when it is one in so many of the bytes that no branch reads. */
const SHARE = 32

/** Branches that a document goes through at each of its levels, which are on the stack together: see MAX_DEPTH. */
const MAX_HOPS = 12

/** Branches in all, some 20 kB each with what the engine makes of them; then all are forgotten, and learned anew. */
const MAX_TOTAL = 200

/** The same of the keys that stay in their table for them. */
const MAX_KEPT = 1024

/**
 * Documents under a key that are read by what is learned, though there is nothing yet: the engine optimises what it has
 * met, and would drop read() when it meets something new, which takes 100 ms.
 */
const FIRST = 8

/**
 * Levels of a document that are looked at, and read by what is learned: 190 levels of six branches each took more stack
 * than there is.
 */
const MAX_DEPTH = 32

/** Values of a type that a branch was not made for before it is made anew, and how often it is. */
const SURPRISES = 32
const MAX_VERSIONS = 4

/** Branches there are. */
let total = 0

/** Documents before the one that only shows V8 the way: see look(). */
const SHOWN = 128

/**
 * Documents before the first that is looked at: the functions that look have to be compiled as well, and the first
 * 1,000 documents took 1.07 times as long with them.
 */
const EARLIEST = 8192

/** Documents until one is looked at, of how many. */
let wait = SHOWN
let pause = 0

/** Bytes read since one was looked at, and how many there have to be. */
let bytesRead = 0
let owed = 0

/** A key, or the end of the document, and what reads on from there. */
class Branch {
  /**
   * @param {Point} point
   * @param {Key[]} keys the first of which it is taken for; none: for the end of the document
   * @param {number[]} types of their values, as bits
   * @param {boolean} isWhole whether the document ends behind them
   */
  constructor(point, keys, types, isWhole) {
    this.point = point
    this.key = keys.length === 0 ? null : keys[0]
    this.keys = keys
    this.types = types
    /** Whether the document ends behind the last key. */
    this.isWhole = isWhole
    /** @type {(Point | undefined)[]} behind so many of its keys */
    this.points = []
    /** Bytes that it has read since its point got its last branch, going by the documents that were looked at. */
    this.bytes = 0.5
    this.bytes = 0 // a fraction first, for it will be one, and V8 drops what it has compiled when a field changes so
    this.surprises = 0
    this.versions = 0
    /** @type {(r: Reader, values: any[], pos: number, end: number, depth: number) => any} */
    this.run = null
  }

  /** @returns {boolean} whether there is a function now */
  compile() {
    this.surprises = 0
    this.versions++
    const run = compileBranch(this)
    if (run !== undefined) this.run = run
    return run !== undefined
  }

  /** Something else has been met than is known, behind the first `count` of its own keys. */
  leave(r, values, count, pos, end, depth) {
    if (count === 0) return readRest(r, this.point, values, pos, end, depth)
    return enter(r, pointBehind(this, count), values, pos, end, depth)
  }

  /** A value of a type that it was not made for; `r.pos` is then the offset after it. */
  readValue(i, r, at, pos, end, depth) {
    const type = r.buf[at]
    const next = scanElement(type, r.buf, at, pos - 1, end)
    r.site = this.keys[i]
    const [value] = read(r, null, at, next, ITEMS, depth)
    r.pos = next
    this.types[i] |= type < 32 ? 1 << type : 0
    if (++this.surprises === SURPRISES && this.versions < MAX_VERSIONS) this.compile()
    return value
  }
}

/** What has been read the lean way at a point since its last branch. */
class Scales {
  constructor() {
    this.bytes = 0
    /** @type {Map<number, Weight>} by the hash of the keys of a shape */
    this.weights = new Map()
  }

  /** @returns {Weight} of a shape, with so many bytes more */
  add(hash, bytes) {
    const weight = this.weights.get(hash) ?? this.make(hash)
    weight.bytes += bytes
    this.bytes += bytes
    return weight
  }

  /**
   * A shape that is new takes the place and the weight of the lightest: few counters find what is frequent. Metwally,
   * Agrawal, El Abbadi, Efficient Computation of Frequent Elements, 2005.
   */
  make(hash) {
    let inherited = 0
    if (this.weights.size >= MAX_CANDIDATES) {
      const [lightest, { bytes }] = [...this.weights].reduce((a, b) => (b[1].bytes < a[1].bytes ? b : a))
      this.weights.delete(lightest)
      inherited = bytes
    }
    const weight = { bytes: inherited, inherited }
    this.weights.set(hash, weight)
    return weight
  }
}

/** Where documents of several shapes part, behind the same keys. */
class Point {
  /**
   * @param {Key} site under which the documents stand
   * @param {Key[]} keys that they have in common
   * @param {number} hops branches that have read those
   */
  constructor(site, keys, hops) {
    this.site = site
    this.keys = keys
    this.hops = hops
    /** @type {Branch[]} */
    this.branches = []
    /** @type {Branch | null} the only one, which looks at its first key itself */
    this.only = null
    this.visits = 0
    /** Fields of the last document that went on from here the lean way. */
    this.width = 0
    this.scales = new Scales()
  }
}

/** A document under a key of which something is learned. @param {Reader} r @param {Key} site */
function readDocument(r, site, pos, next, depth) {
  const { point } = site
  // in this order: with the condition turned round, or a ternary, nested documents take 1.08 times as long
  if (point !== null && point.only !== null && depth <= MAX_DEPTH) {
    return point.only.run(r, NONE, pos + 4, next - 1, depth)
  }
  return readVaried(r, site, pos, next, depth)
}

/** The same at the root, with a call of its own: V8 compiles the one branch that there often is into it. */
function readRoot(r, site, pos, next) {
  const { point } = site
  if (point !== null && point.only !== null) return point.only.run(r, NONE, pos + 4, next - 1, 1)
  return readVaried(r, site, pos, next, 1)
}

/** One of which several things are learned, or none yet. */
function readVaried(r, site, pos, next, depth) {
  r.site = site
  if (depth > MAX_DEPTH) return read(r, null, pos + 4, next - 1, FIELDS, depth)
  const point = pointAt(site)
  if (point.branches.length === 0 && ++point.visits >= FIRST) site.isLearned = false
  return enter(r, point, NONE, pos + 4, next - 1, depth)
}

/** Where the documents under a key begin. */
function pointAt(site) {
  return (site.point ??= new Point(site, [], 0))
}

/** @type {any[]} */
const NONE = []

/** Goes on behind the keys of a point, the values of which are given. */
function enter(r, point, values, pos, end, depth) {
  const { branches, only } = point
  if (only !== null) return only.run(r, values, pos, end, depth)
  for (let i = 0; i < branches.length; i++) {
    const { key } = branches[i]
    if (key === null ? pos === end : pos < end && isMatch(key, r.buf, pos + 1)) {
      return branches[i].run(r, values, pos, end, depth)
    }
  }
  return readRest(r, point, values, pos, end, depth)
}

/** The lean way. @param {Reader} r @param {Point} point */
function readRest(r, point, values, pos, end, depth) {
  const { keys, site } = point
  if (keys.length === 0) {
    r.site = site
    return read(r, null, pos, end, FIELDS, depth)
  }
  const doc = point.width > WIDE ? makeWide() : {}
  for (let i = 0; i < keys.length; i++) doc[keys[i].text] = values[i]
  r.site = keys[keys.length - 1]
  const value = read(r, doc, pos, end, REST, depth)
  point.width = keys.length + r.width
  return value
}

function pointBehind({ point, points, keys }, count) {
  return (points[count] ??= new Point(point.site, [...point.keys, ...keys.slice(0, count)], point.hops + 1))
}

/** A document has been read; if it is time, it is looked at. @param {Reader} r @param {Key} site */
function learn(r, site, pos, next) {
  if (!canCompile) return
  bytesRead += next - pos
  if (--wait <= 0) look(r, site, pos, next)
}

/** The first time it only has been called: V8 drops what it has compiled at a call that it has not seen. */
function look(r, site, pos, next) {
  if (pause === 0) {
    wait = pause = EARLIEST
    return
  }
  if (bytesRead < owed) {
    wait = 1
    pause++
    return
  }
  const scale = Math.min(pause, 2 * COST.sample)
  bytesRead = 0
  owed = (next - pos) * Math.min(SPARSE, COST.sample)
  // nobody can be in step with it, nor foresee it
  wait = pause = Math.ceil(COST.sample * (0.5 + Math.random()))
  weighDocument(r, site, pos, next, scale, 1)
}

/** A document and those in it are put in the scales for `scale` of their kind. */
function weighDocument(r, site, pos, next, scale, depth) {
  const fields = fieldsOf(r, pos, next, scale, depth)
  if (fields === null || site.isGone) return
  let point = pointAt(site)
  let i = 0
  while (true) {
    const key = i < fields.length ? fields[i].key : null
    const branch = point.branches.find(one => one.key?.text === key?.text)
    if (branch === undefined) return weigh(point, fields, i, scale)
    const count = countOf(branch.keys, fields, i)
    branch.bytes += scale * bytesOf(fields.slice(i, i + count))
    i += count
    if (count === 0 || (i === fields.length && branch.isWhole && count === branch.keys.length)) return
    point = pointBehind(branch, count)
  }
}

/** Of the keys of a branch, those that fields from `start` on have. */
function countOf(keys, fields, start) {
  let count = 0
  while (count < keys.length && fields[start + count]?.key.text === keys[count].text) count++
  return count
}

/** The keys of a document and the types of their values; nothing where a literal would not do. */
function fieldsOf(r, pos, next, scale, depth) {
  const { buf } = r
  const end = next - 1
  const fields = []
  let isFit = true
  for (let at = pos + 4; at < end; ) {
    const nameEnd = scanName(buf, at + 1, end)
    const key = findKey(buf, at + 1, nameEnd)
    const after = scanElement(buf[at], buf, at, nameEnd, end)
    if (key === null) {
      isFit = false
    } else {
      const isNested = buf[at] === ELEMENT.DOCUMENT || buf[at] === ELEMENT.ARRAY
      const field = { key, type: buf[at], pos: nameEnd + 1, next: after, size: (isNested ? nameEnd + 1 : after) - at }
      fields.push(field)
      isFit = isFit && key.special === SPECIAL.NONE
      if (isNested && depth < MAX_DEPTH) weighValue(r, field, scale, depth + 1)
    }
    at = after
  }
  return isFit && fields.length <= MAX_KEYS ? fields : null
}

/** Of an array the first item stands for all. */
function weighValue(r, { key, type, pos, next }, scale, depth) {
  if (type === ELEMENT.DOCUMENT) return weighDocument(r, key, pos, next, scale, depth)
  if (type !== ELEMENT.ARRAY || next === pos + 5 || depth >= MAX_DEPTH) return
  const { buf } = r
  const nameEnd = scanName(buf, pos + 5, next - 1)
  const after = scanElement(buf[pos + 4], buf, pos + 4, nameEnd, next - 1)
  const share = (next - pos) / (after - pos)
  weighValue(r, { key, type: buf[pos + 4], pos: nameEnd + 1, next: after }, scale * share, depth + 1)
}

/** The shape of the fields from `start` on has been read at a point; the bytes of documents in it do not count. */
function weigh(point, fields, start, scale) {
  if (point.hops >= MAX_HOPS) return
  if (point.scales.bytes > COST.old) age(point)
  const shape = fields.slice(start, start + CHUNK)
  const hash = shape.reduce((sum, { key }) => (Math.imul(sum, 31) + key.hash) | 0, 0)
  const { bytes, inherited } = point.scales.add(hash, scale * bytesOf(shape))
  if (bytes - inherited < Math.max(COST.buy * (shape.length + 2), point.scales.bytes / SHARE)) return
  addBranch(point, shape, start + shape.length === fields.length, bytes - inherited)
  point.scales = new Scales()
  for (const branch of point.branches) branch.bytes = 0
}

/** What has been read long ago counts less. */
function age({ scales, branches }) {
  scales.bytes /= 2
  for (const weight of scales.weights.values()) {
    weight.bytes /= 2
    weight.inherited /= 2
  }
  for (const branch of branches) branch.bytes /= 2
}

function bytesOf(fields) {
  return fields.reduce((sum, { size }) => sum + size, OVERHEAD)
}

/** @param {Branch} branch @returns {Branch[]} */
function withThoseBehind(branch) {
  return [branch, ...branch.points.flatMap(({ branches }) => branches.flatMap(withThoseBehind))]
}

/** Of a shape that so many bytes were read of; when the point is full, in the place of a branch that has read less. */
function addBranch(point, shape, isWhole, bytes) {
  if (total >= MAX_TOTAL) return forgetAll()
  const isFull = point.branches.length >= MAX_BRANCHES
  const least = isFull ? point.branches.reduce((a, b) => (b.bytes < a.bytes ? b : a)) : null
  if (least !== null && least.bytes >= bytes) return
  const keys = shape.map(({ key }) => key)
  const types = shape.map(({ type }) => (type < 32 ? 1 << type : 0))
  const branch = new Branch(point, keys, types, isWhole)
  if (!branch.compile()) return
  if (least !== null) drop(point, least)
  if (keepKeys([point.site, ...keys]) > MAX_KEPT) return forgetAll()
  total++
  point.branches.push(branch)
  point.only = point.branches.length === 1 && branch.key !== null ? branch : null
  point.site.isLearned = true
}

/** @param {Point} point @param {Branch} branch which is gone then, and those behind it */
function drop(point, branch) {
  point.branches = point.branches.filter(one => one !== branch)
  for (const { keys } of withThoseBehind(branch)) {
    releaseKeys([point.site, ...keys])
    total--
  }
}

function forgetAll() {
  total = 0
  releaseAll()
}

/**
 * Calls two functions, so many times, where branches will be called: V8 would compile the first branch into whatever
 * calls it, and drop all that, read() with it, when there is a second. That took 20 of the 100 ms of compiling that
 * 30,000 orders took.
 */
function showBranches(times) {
  const point = pointAt(noKey())
  const branch = new Branch(point, [], [], true)
  const functions = [() => null, () => undefined]
  point.only = branch
  for (let i = 0; i < times; i++) {
    branch.run = functions[i % 2]
    readDocument(null, point.site, 0, 0, 1)
  }
}

/** Learns at once: for tests. */
function hurry(cost) {
  Object.assign(COST, cost)
  wait = pause = 1
}

module.exports = { CHUNK, MAX_TOTAL, Point, readRoot, readDocument, learn, showBranches, hurry }
