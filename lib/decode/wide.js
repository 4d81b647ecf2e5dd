'use strict'

// Objects with many fields. V8 turns an object into a dictionary when it gets more than 12 fields beyond those it has
// room for and their names are not constants: creating it takes 1.6 times as long, and every later access several times
// as long. `{}` has room for four. The objects created here have room for 32 and stay fast up to 64 fields. They are
// otherwise ordinary objects, also in other engines.

/** From this many fields the room is worth its memory: 256 bytes per object. */
const WIDE = 16

/** Created on first use, which takes 0.1 ms. @type {(new () => Record<string, any>) | undefined} */
let Wide

/** @returns {Record<string, any>} an empty object */
function makeWide() {
  return new (Wide ??= withRoom())()
}

function withRoom() {
  /** V8 reserves room for the fields that the source sets, whether or not that code runs. */
  function Wide(isExample) {
    if (!isExample) return
    this.a = this.b = this.c = this.d = this.e = this.f = this.g = this.h = null
    this.i = this.j = this.k = this.l = this.m = this.n = this.o = this.p = null
    this.q = this.r = this.s = this.t = this.u = this.v = this.w = this.x = null
    this.y = this.z = this.aa = this.bb = this.cc = this.dd = this.ee = this.ff = null
  }
  Wide.prototype = Object.prototype
  for (let i = 0; i < 16; i++) new Wide(true) // V8 removes the room that none of the first objects uses
  return /** @type {any} */ (Wide)
}

module.exports = { WIDE, makeWide }
