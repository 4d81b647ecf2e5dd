'use strict'

// Levels handled by recursion before a loop with a stack of its own takes over: RECURSION_DEPTH of the rooms that go
// through documents. Deeper ones wait in a list of frames, which costs more a level; a level of recursion takes some 200
// bytes of a stack of 984 KB, of which the caller may have used most already. What has no such loop stops at TREE_DEPTH
// of lib/ejson/tree.js and MAX_KEYS of lib/raw/path.js: those tables show how many levels there is room for.

const { measureThresholds } = require('../runner/threshold')

const VALUES = [10, 100, 1000]

function nested(depth) {
  let doc = { name: 'leaf', number: 1 }
  for (let i = 1; i < depth; i++) doc = { level: i, name: 'inner', child: doc }
  return doc
}

/** What of the library does it, from what. */
const operations = {
  encode: depth => {
    const doc = nested(depth)
    const { encode } = require('../../qbson')
    return () => encode(doc)
  },
  decode: depth => {
    const { encode, decode } = require('../../qbson')
    const bytes = Buffer.from(encode(nested(depth)))
    return () => decode(bytes)
  },
  parse: depth => {
    const { EJSON } = require('../../qbson')
    const text = EJSON.stringify(nested(depth), { relaxed: false })
    return () => EJSON.parse(text)
  },
  stringify: depth => {
    const { EJSON } = require('../../qbson')
    const doc = nested(depth)
    return () => EJSON.stringify(doc)
  }
}

/** `encode 50 levels` */
function work(subject) {
  const [op, depth] = subject.split(' ')
  const operate = operations[op](Number(depth))
  const ops = Math.ceil(2000 / Number(depth))
  return {
    ops,
    run() {
      for (let i = 0; i < ops; i++) operate()
    }
  }
}

const threshold = (file, op) => ({
  title: `levels on the stack, ${op}`,
  constant: { file, name: 'RECURSION_DEPTH', values: VALUES },
  subjects: [8, 50, 900].map(depth => `${op} ${depth} levels`),
  work
})

const deepest = {
  replacer: depth => {
    const { EJSON } = require('../../qbson')
    return EJSON.stringify(nested(depth), (key, value) => value)
  },
  path: depth => {
    const { encode, RawDocument } = require('../../qbson')
    return new RawDocument(encode(nested(depth + 1))).pick([new Array(depth).fill('child')]).bytes
  }
}

/** `replacer, half of the stack used`: the most levels for which there is no error, to 2 %. */
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

/** Calls of `at` that the stack has room for. */
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
  threshold('lib/encode/containers.js', 'encode'),
  threshold('lib/decode/decode.js', 'decode'),
  threshold('lib/ejson/parse.js', 'parse'),
  threshold('lib/ejson/stringify.js', 'stringify'),
  roomOf('replacer', { file: 'lib/ejson/tree.js', name: 'TREE_DEPTH', values: [100, 1000, 1000000] },
    'levels for a replacer; at 1,000,000 stands where the stack ends'),
  roomOf('path', { file: 'lib/raw/path.js', name: 'MAX_KEYS', values: [100, 1000, 1000000] },
    'keys of a path; at 1,000,000 stands where the stack ends')
], __filename)
