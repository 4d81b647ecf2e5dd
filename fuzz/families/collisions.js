'use strict'

// Names with the same hash. Tables of names use 32-bit FNV-1a, or multiplicative hashes with 31 and 33. A table of 2^k
// places uses only some of the bits, so that names with the same low 16 bits in all of these hashes collide in tables
// of every size.

const BITS = 0xffff
const WANTED = 400

const hashes = {
  fnv: text => {
    let hash = 0x811c9dc5
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    return hash >>> 0
  },
  31: text => {
    let hash = 0
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash, 31) + text.charCodeAt(i) | 0
    return hash >>> 0
  }
}

let found

/** Pairs with the same 32-bit FNV-1a. */
const PAIRS = ['costarring', 'liquid', 'declinate', 'macallums', 'altarage', 'zinke']

function search() {
  const names = [...PAIRS]
  for (let i = 0; names.length < WANTED && i < 40 * BITS; i++) {
    const name = `n${i.toString(36)}`
    if ((hashes.fnv(name) & 0x3ff) === 0x155) names.push(name)
  }
  // for the multiplicative hashes, any sequence of Aa and BB is the same
  for (let i = 0; i < WANTED; i++) {
    names.push(Array.from({ length: 10 }, (_, bit) => i >> bit & 1 ? 'Aa' : 'BB').join(''))
  }
  return names
}

/** @param {number} i @returns {string} the i-th name, from 0; after some hundreds they repeat with more characters */
function colliding(i) {
  found ??= search()
  const turn = Math.floor(i / found.length)
  return found[i % found.length] + (turn === 0 ? '' : 'Aa'.repeat(turn))
}

module.exports = { colliding, hashes }
