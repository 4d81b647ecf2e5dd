'use strict'

/**
 * Numbers from a seed, the same on every machine: mulberry32.
 * @param {number} seed
 * @returns {() => number} 32 random bits, unsigned
 */
function random(seed) {
  let state = seed | 0
  return () => {
    state = state + 0x6d2b79f5 | 0
    let t = Math.imul(state ^ state >>> 15, 1 | state)
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t
    return (t ^ t >>> 14) >>> 0
  }
}

module.exports = { random }
