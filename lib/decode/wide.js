'use strict'

// Objects of many fields. V8 makes a dictionary of an object that gets more than 12 fields beside those it has room
// for, when their names are not constants: to make it takes 1.6 times as long, and every later access several times.
// `{}` has room for four. Here are objects with room for 32, which stay as quick as any up to 64 fields. They are like
// any other object, and other engines do not mind.

/** Fields from which on it is worth the memory: 256 bytes an object. */
const WIDE = 16

/** Made with the first: it takes 0.1 ms. @type {(new () => Record<string, any>) | undefined} */
let Wide

/** @returns {Record<string, any>} an empty object */
function makeWide() {
  return new (Wide ??= withRoom())()
}

function withRoom() {
  /** V8 gives room for the fields that the source sets, run or not. @param {boolean} [isExample] */
  function Wide(isExample) {
    if (!isExample) return
    this.a = this.b = this.c = this.d = this.e = this.f = this.g = this.h = null
    this.i = this.j = this.k = this.l = this.m = this.n = this.o = this.p = null
    this.q = this.r = this.s = this.t = this.u = this.v = this.w = this.x = null
    this.y = this.z = this.aa = this.bb = this.cc = this.dd = this.ee = this.ff = null
  }
  Wide.prototype = Object.prototype
  for (let i = 0; i < 16; i++) new Wide(true) // it takes away the room that none of the first ones uses
  return /** @type {any} */ (Wide)
}

module.exports = { WIDE, makeWide }
