'use strict'

// Strings and keys -> JSON. A key is quoted once: documents repeat their keys, and mostly in the same order, so that
// one comparison with the key that came next last time finds it (2 ns; a Map takes 12).

const { putUtf8 } = require('../utf8')

/** What has to be escaped in a JSON string; of surrogates JSON.stringify says which. */
const NEEDS_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/** Keys longer than this, in UTF-16 units, are not kept. */
const MAX_KEY = 64

/** How many keys are kept, at most some 400 bytes each. */
const MAX_KEYS = 4096

/**
 * @param {string} string
 * @returns {string} with quotes around it
 */
function quote(string) {
  return NEEDS_ESCAPE.test(string) ? JSON.stringify(string) : '"' + string + '"'
}

/** @param {string} name @returns {Uint8Array} */
function bytesOf(name) {
  const bytes = new Uint8Array(3 * name.length)
  return bytes.slice(0, putUtf8(name, bytes, 0))
}

class Key {
  /** @param {string} name */
  constructor(name) {
    const quoted = JSON.stringify(name) + ':'
    this.name = name
    /** In UTF-8. */
    this.bytes = bytesOf(name)
    /** As the first of a document. */
    this.first = '{' + quoted
    /** After another one. */
    this.rest = ',' + quoted
    // The same before a string, after one, and between two: every piece less makes the text faster to put together.
    this.firstOfString = this.first + '"'
    this.restOfString = this.rest + '"'
    this.afterString = '"' + this.rest
    this.betweenStrings = '"' + this.restOfString
    /** The key that followed last time. @type {Key} */
    this.next = this
  }
}

/** @type {Map<string, Key>} */
const keys = new Map()

/** Before the first key of a document. */
const start = new Key('')

/**
 * What `previous.next` is when it is not `name`.
 *
 * @param {Key} previous
 * @param {string} name
 * @returns {Key}
 */
function keyAfter(previous, name) {
  let key = keys.get(name)
  if (key === undefined) {
    key = new Key(name)
    if (name.length <= MAX_KEY) keep(key)
  }
  previous.next = key
  return key
}

/** @param {Key} key */
function keep(key) {
  if (keys.size >= MAX_KEYS) forget()
  keys.set(key.name, key)
}

/** Lets go of all keys: those in use come back at once, those of a dictionary do not. */
function forget() {
  for (const key of keys.values()) key.next = key
  keys.clear()
  start.next = start
}

module.exports = { MAX_KEYS, NEEDS_ESCAPE, quote, keyAfter, start, keys }
