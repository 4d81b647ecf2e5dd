'use strict'

// Names with the same hash. FNV-1a of 32 bits, and the multiplicative hashes with 31 and 33, are what tables of names
// are made with; a table of 2^k places only looks at some bits, so that names alike in the low 16 bits of all of them
// collide in every one of its sizes.

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

/** Pairs with the same 32 bits of FNV-1a. */
const PAIRS = ['costarring', 'liquid', 'declinate', 'macallums', 'altarage', 'zinke']

function search() {
  const names = [...PAIRS]
  for (let i = 0; names.length < WANTED && i < 40 * BITS; i++) {
    const name = `n${i.toString(36)}`
    if ((hashes.fnv(name) & 0x3ff) === 0x155) names.push(name)
  }
  // for the multiplicative ones every pair of Aa and BB is alike, in any number
  for (let i = 0; i < WANTED; i++) {
    names.push(Array.from({ length: 10 }, (_, bit) => i >> bit & 1 ? 'Aa' : 'BB').join(''))
  }
  return names
}

/** @param {number} i @returns {string} the i-th name, from 0; after some hundreds they come again, longer */
function colliding(i) {
  found ??= search()
  const turn = Math.floor(i / found.length)
  return found[i % found.length] + (turn === 0 ? '' : 'Aa'.repeat(turn))
}

module.exports = { colliding, hashes }
