'use strict'

// What is known of the documents that end at one node of a tree, and when it is worth compiling.

const { canCompile } = require('../codegen')
const { pathTo } = require('./tree')

/** Documents of a shape before the object literal may be compiled for it. */
const WARM = 8

/** Documents that may be met meanwhile: for a shape that is rarer, compiling takes longer than it wins. */
const WARM_WINDOW = 100 * WARM

/** Documents of a shape before all of its reading or writing may be compiled. */
const HOT = 100

/**
 * Documents that may be met while a shape gets HOT: a shape that is rarer is not compiled. The engine runs a new
 * function slowly for its first thousand calls, slower than the paths that all shapes share.
 */
const HOT_WINDOW = 40 * HOT

/** Values of new types that a compiled function may meet before it is compiled again. */
const SURPRISES = 16

/** How often a shape may be compiled. */
const MAX_COMPILATIONS = 4

/** Misses after which a place no longer expects any shape. */
const MAX_MISSES = 128

/** Documents of one shape in a row after which it is expected again. */
const STREAK = 16

/**
 * @typedef {(nodes: import('./tree').Node[], surprise: Surprise) => Function | undefined} Compiler
 * @typedef {(i: number, type: any) => void} Surprise
 */

class Shape {
  /**
   * @param {import('./tree').Node} node
   * @param {import('./tree').Tree} tree
   * @param {Compiler} compiler
   */
  constructor(node, tree, compiler) {
    this.tree = tree
    /** When counting began, in documents that the tree has met. */
    this.since = tree.met
    this.nodes = pathTo(node)
    this.compiler = compiler
    this.uses = 0
    this.compilations = 0
    this.surprises = 0
    /** @type {any} the compiled function, or null */
    this.run = null
    /** @type {Set<Place>} the places that expect it */
    this.places = new Set()
  }

  /** Counts a document that was handled without a compiled function. */
  count() {
    if (++this.uses < HOT || !canCompile) return
    if (this.compilations === 0 && this.tree.met - this.since < HOT_WINDOW) this.compile()
    this.uses = WARM
    this.since = this.tree.met
  }

  /** Whether it is time to compile the object literal. */
  isWarm() {
    return this.uses === WARM && canCompile && this.tree.met - this.since < WARM_WINDOW
  }

  compile() {
    this.compilations++
    this.surprises = 0
    this.run = this.compiler(this.nodes, (i, type) => this.surprise(i, type)) ?? null
    for (const place of this.places) place.run = this.run ?? place.miss
  }

  /** The key number `i` has a value of a type that the function was not made for. */
  surprise(i, type) {
    this.nodes[i].types |= 1 << type
    if (++this.surprises === SURPRISES && this.compilations < MAX_COMPILATIONS) this.compile()
  }
}

/**
 * A place where documents stand: the root, a key of a shape, the items of an array. What stood there last time is what
 * is expected next.
 */
class Place {
  /** @param {Function} miss what is run while nothing is expected: it answers that the document is not known */
  constructor(miss) {
    this.miss = miss
    /** @type {any} the expected shape's function */
    this.run = miss
    /** @type {Shape | null} */
    this.expected = null
    /** @type {Shape | null} the shape of the last document that was another than expected */
    this.shape = null
    this.misses = 0
    this.streak = 0
  }

  /** Counts a document that was not the expected one. */
  missed() {
    if (this.run !== this.miss && ++this.misses > MAX_MISSES) this.expect(null)
  }

  /** A document of `shape` stood here: at first at once, later after many in a row, it is what is expected. */
  meet(shape) {
    this.streak = shape === this.shape ? this.streak + 1 : 0
    if (this.misses === 0 || this.streak >= STREAK) this.expect(shape)
    this.shape = shape
  }

  /** @param {Shape | null} shape */
  expect(shape) {
    if (this.expected !== null) this.expected.places.delete(this)
    if (shape !== null) shape.places.add(this)
    this.expected = shape
    this.run = shape === null ? this.miss : shape.run
    this.misses = shape === null ? 1 : 0
    this.streak = 0
  }
}

module.exports = { HOT, SURPRISES, MAX_COMPILATIONS, MAX_MISSES, STREAK, Shape, Place }
