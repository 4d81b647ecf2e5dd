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
  /** V8 reserves room for each time that the source sets a field, the same one too, whether or not that code runs. */
  function Wide(isExample) {
    if (!isExample) return
    this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a =
      this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a =
      this.a = this.a = this.a = this.a = this.a = this.a = this.a = this.a = null
    for (let i = 1; i < 32; i++) this[`a${i}`] = null
  }
  Wide.prototype = Object.prototype
  for (let i = 0; i < 16; i++) new Wide(true) // V8 removes the room that none of the first objects uses
  return /** @type {any} */ (Wide)
}

module.exports = { WIDE, makeWide }
