'use strict'

// How many levels fit on the stack: MAX_DEPTH of lib/spec.js, TREE_DEPTH of lib/ejson/tree.js, MAX_KEYS of
// lib/raw/path.js.

const { measureThresholds } = require('../runner/threshold')

function nested(depth) {
  let doc = { name: 'leaf', number: 1 }
  for (let i = 1; i < depth; i++) doc = { level: i, name: 'inner', child: doc }
  return doc
}

const deepest = {
  encode: depth => require('../../qbson').encode(nested(depth), { maxDepth: Infinity }),
  decode: depth => {
    const { encode, decode } = require('../../qbson')
    return decode(encode(nested(depth), { maxDepth: Infinity }), { maxDepth: Infinity })
  },
  replacer: depth => {
    const { EJSON } = require('../../qbson')
    return EJSON.stringify(nested(depth), (key, value) => value)
  },
  path: depth => {
    const { encode, RawDocument } = require('../../qbson')
    return new RawDocument(encode(nested(depth + 1))).pick([new Array(depth).fill('child')]).bytes
  }
}

/** `replacer, half of the stack used`: the most levels without an error, to within 2 %. */
function room(subject) {
  const [kind, state] = subject.split(', ')
  const isPossible = depth => {
    try {
      deepest[kind](depth)
      return true
    } catch {
      return false
    }
  }
  const most = () => {
    let [low, high] = [1, 20000]
    while (high - low > low / 50 && high - low > 1) {
      const middle = low + high >> 1
      if (isPossible(middle)) low = middle
      else high = middle
    }
    return low
  }
  isPossible(20)
  return { once: () => at(Math.floor(stackFrames() * USED[state]), most) }
}

const USED = { 'all of the stack free': 0, 'half of the stack used': 0.5, '3/4 of the stack used': 0.75 }

/** How many calls of `at` fit on the stack. */
function stackFrames() {
  let frames = 0
  const count = () => {
    frames++
    at(1, count)
  }
  try {
    count()
  } catch {
    return 2 * frames
  }
}

function at(frames, operate) {
  return frames === 0 ? operate() : at(frames - 1, operate)
}

const roomOf = (kind, constant, title) => ({
  title,
  unit: 'levels without an error',
  constant,
  subjects: Object.keys(USED).map(state => `${kind}, ${state}`),
  work: room
})

measureThresholds([
  roomOf('encode', { file: 'lib/spec.js', name: 'MAX_DEPTH', values: [1000] }, 'levels of a document, encode'),
  roomOf('decode', { file: 'lib/spec.js', name: 'MAX_DEPTH', values: [1000] }, 'levels of a document, decode'),
  roomOf('replacer', { file: 'lib/ejson/tree.js', name: 'TREE_DEPTH', values: [100, 1000, 1000000] },
    'levels for a replacer; at 1,000,000 stands where the stack ends'),
  roomOf('path', { file: 'lib/raw/path.js', name: 'MAX_KEYS', values: [100, 1000, 1000000] },
    'keys of a path; at 1,000,000 stands where the stack ends')
], __filename)
