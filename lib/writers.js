'use strict'

// Objects of the same keys, met so often that a function which writes just those pays: what the encoder has spent on
// them is more than the function costs. What is known of shapes is in one table, which forgets what is met no longer.

const { canCompile, compile } = require('./codegen')
const { enter, leave, cameThrough, isGone } = require('./containers')
const { SCOPE, KIND_SOURCE, writerSource } = require('./writers/source')

/** One object in so many is looked at, on average: at 4 us each, with 32 events took 1.19 of the time. */
const SAMPLE = 256

/**
 * Fields the encoder has written of a shape before a function is compiled for it: what compiling and running it until
 * V8 has optimised it cost, 2 to 7 ms, is won back in so many. With 300,000 the first 100,000 log entries, sensor
 * readings and documents of ten kinds took 1.2 to 1.5 times as long, and no longer than without any function so.
 */
const PRICE = 1_200_000

/** For more keys it is higher: V8 11 takes 200 ms for 130, and bought so early 10,000 took 2.2 times as long. */
const PRICED_KEYS = 20

/** Objects before the first that would be, by which V8 only is shown the way: see sample(). */
const SHOWN = 64

/** What an object takes besides its fields, in those. */
const OBJECT = 2

/** Objects that no process writes; Infinity would be a floating-point number. */
const NEVER = 2 ** 30

/** Samples of a shape before it is compiled: the values under a key may have several types. */
const MIN_SAMPLES = 4

/** Keys of a shape that is compiled. */
const MAX_KEYS = 200

/** UTF-16 units of a shape's keys. */
const MAX_SIGNATURE = 4096

/** UTF-16 units of all signatures in the table, two bytes each at most and about as much again beside them. */
const TABLE_SIZE = 1 << 18

/** Keys of all functions, some 1.5 kB each, and what a function takes beside them: with the table at most 4 MB. */
const MAX_LIVE_KEYS = 2000
const OVERHEAD = 8

/** Values of kinds that a function is not made for, one in so many, with which it does not pay. */
const STRANGE_SHARE = 4
const STRANGE = 1000

/** Objects in a row without a function after which not every one is looked up, and how many then are not at most. */
const PATIENCE = 16
const MAX_SKIPPED = 64

/** A key after others, of shapes that have a function. */
class Node {
  /** @param {string} key */
  constructor(key) {
    this.key = key
    /** @type {Node | null} the child that came last */
    this.next = null
    /** @type {Map<string, Node>} */
    this.children = new Map()
    /** @type {Shape | null} of the objects that end here */
    this.shape = null
  }
}

class Shape {
  /** @param {string} signature @param {string[]} keys */
  constructor(signature, keys) {
    this.signature = signature
    this.keys = keys
    /** Whether no key is one that `checkKeys` refuses, or looks closer at. */
    this.isAllowed = keys.every(key => key[0] !== '$' && !key.includes('.'))
    /** By key: a bit for each kind of value it had. */
    this.kinds = keys.map(() => 0)
    this.samples = 0
    /** Fields written by the encoder, about. */
    this.spent = 0
    /** How many times the price of others a function costs, after some that did not pay. */
    this.dearness = 1
    /** @type {Function | null} */
    this.write = null
    /** Objects written by the function, and when it was last looked. */
    this.uses = 0
    this.usesSeen = 0
    /** Values that the function was not made for. */
    this.strange = 0
  }
}

/** Whether most often something else than a function would write them. @param {number[]} kinds */
function isStrange(kinds) {
  return kinds.filter(bits => bits === 0).length * STRANGE_SHARE >= kinds.length
}

class Writers {
  /** @param {Record<string, any>} encoder the functions and prototypes that the source uses */
  constructor(encoder) {
    /** @type {Record<string, any>} */
    this.scope = { ...SCOPE, ...encoder, enter, leave, cameThrough }
    /** @type {Function | null | undefined} made when it is first needed */
    this.kindOf = null
    /** @type {Map<string, Shape>} by signature; what was met last is at the end */
    this.shapes = new Map()
    this.tableSize = 0
    this.liveKeys = 0
    /** Whether there are any functions. */
    this.isUsed = true
    this.isUsed = false // a second store, so that V8 does not take it for a constant
    this.root = new Node('')
    /** Objects until the next sample. */
    this.wait = SHOWN
    this.isShown = false
    this.random = 1
    this.price = PRICE
    this.isSampled = true
    /** Objects in a row without a function, and how many are not looked up. */
    this.misses = 0
    this.skipped = 0
  }

  /**
   * @param {any} doc a plain object
   * @param {boolean} checkKeys whether only keys that `checkKeys` allows will do
   * @returns {Function | null} what writes it, `(out, doc, pos) => offset after the document`
   */
  find(doc, checkKeys) {
    if (--this.skipped >= 0) return null
    let node = this.root
    for (const key in doc) {
      let { next } = node
      if (next === null || next.key !== key) {
        next = node.children.get(key) ?? null
        if (next === null) return this.miss()
        node.next = next
      }
      node = next
    }
    const { shape } = node
    if (shape === null || (checkKeys && !shape.isAllowed)) return this.miss()
    this.misses = 0
    shape.uses++
    return shape.write
  }

  /** @returns {null} */
  miss() {
    this.skipped = ++this.misses > PATIENCE ? Math.min(this.misses, MAX_SKIPPED) : 0
    return null
  }

  /**
   * The encoder has none for `doc` and counts `wait` down: one object in so many is looked at. The first time it only
   * has been called: V8 drops what it has compiled at a call that it has not seen.
   */
  sample(doc) {
    if (!canCompile || !this.isShown) {
      this.isShown = true
      this.wait = canCompile ? SAMPLE : NEVER
      return
    }
    // neither regular, which some collection would be in step with, nor dear
    this.random = (Math.imul(this.random, 1103515245) + 12345) & 0x7fffffff
    this.wait = this.isSampled ? SAMPLE / 2 + (this.random >> 16) % SAMPLE : 0
    const keys = Object.keys(doc)
    if (keys.length === 0 || keys.length > MAX_KEYS) return
    this.kindOf ??= compile(this.scope, KIND_SOURCE)
    if (this.kindOf === undefined) return
    const signature = keys.join('\0')
    if (signature.length > MAX_SIGNATURE || signature.split('\0').length !== keys.length) return
    const shape = this.meet(signature, keys)
    for (let i = 0; i < keys.length; i++) {
      // by its descriptor, for a getter is asked when it is written and not before
      const { value } = Object.getOwnPropertyDescriptor(doc, keys[i]) ?? {}
      shape.kinds[i] |= this.kindOf(value)
    }
    shape.samples++
    shape.spent += (this.isSampled ? SAMPLE : 1) * (keys.length + OBJECT)
    const price = this.price * shape.dearness * Math.max(1, keys.length / PRICED_KEYS)
    const isPaid = shape.samples >= MIN_SAMPLES && shape.spent >= price
    if (isPaid && shape.write === null && !isStrange(shape.kinds)) this.buy(shape)
  }

  /** The shape of that signature, as what was met last. */
  meet(signature, keys) {
    const known = this.shapes.get(signature)
    if (known !== undefined) {
      this.shapes.delete(signature)
      this.shapes.set(signature, known)
      return known
    }
    const shape = new Shape(signature, keys)
    this.shapes.set(signature, shape)
    this.tableSize += signature.length
    while (this.tableSize > TABLE_SIZE) this.forgetOldest()
    return shape
  }

  /** What was not met for longest; a function that was used since makes its shape young again. */
  forgetOldest() {
    for (const shape of this.shapes.values()) {
      this.shapes.delete(shape.signature)
      if (shape.uses === shape.usesSeen) {
        this.tableSize -= shape.signature.length
        this.drop(shape)
        return
      }
      shape.usesSeen = shape.uses
      this.shapes.set(shape.signature, shape)
    }
  }

  /** @param {Shape} shape */
  buy(shape) {
    const { keys } = shape
    while (this.liveKeys + keys.length + OVERHEAD > MAX_LIVE_KEYS) this.dropOldest()
    shape.strange = shape.uses = shape.usesSeen = 0
    const { putElement } = this.scope
    const other = (out, doc, i, value, pos) => {
      if (++shape.strange % STRANGE === 0) this.reconsider(shape)
      return isGone(doc, keys[i], value) ? pos : putElement(out, keys[i], value, pos)
    }
    shape.write = compile({ ...this.scope, keys, other }, writerSource(keys, shape.kinds)) ?? null
    shape.spent = 0
    if (shape.write === null) shape.dearness *= 2
    else this.plant(shape)
  }

  /** A function whose values are often others than those it was made for is given up, and costs more the next time. */
  reconsider(shape) {
    if (shape.strange * STRANGE_SHARE < shape.uses * shape.keys.length) return
    shape.dearness *= 4
    this.drop(shape)
  }

  plant(shape) {
    let node = this.root
    for (const key of shape.keys) {
      let child = node.children.get(key)
      if (child === undefined) node.children.set(key, (child = new Node(key)))
      node = child
    }
    node.shape = shape
    this.liveKeys += shape.keys.length + OVERHEAD
    this.isUsed = true
  }

  /** Drops a function that was not used lately, the one met longest ago first. */
  dropOldest() {
    for (const shape of this.shapes.values()) {
      if (shape.write === null) continue
      if (shape.uses === shape.usesSeen) return this.drop(shape)
      shape.usesSeen = shape.uses
    }
  }

  /** @param {Shape} shape whose function is not used any more */
  drop(shape) {
    if (shape.write === null) return
    shape.write = null
    shape.spent = 0
    this.liveKeys -= shape.keys.length + OVERHEAD
    this.isUsed = this.liveKeys > 0
    const path = [this.root]
    for (const key of shape.keys) path.push(path[path.length - 1].children.get(key))
    path[path.length - 1].shape = null
    for (let i = path.length - 1; i > 0 && path[i].shape === null && path[i].children.size === 0; i--) {
      path[i - 1].children.delete(path[i].key)
      path[i - 1].next = null
    }
  }

  /** Learns at once: for tests. */
  hurry() {
    this.price = 1
    this.isSampled = false
    this.isShown = true
    this.wait = 0
  }
}

module.exports = { TABLE_SIZE, MAX_LIVE_KEYS, Writers }
