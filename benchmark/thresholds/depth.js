'use strict'

// Levels handled by recursion before a loop with a stack of its own takes over: RECURSION_DEPTH of the rooms that go
// through documents. Deeper ones wait in a list of frames, which costs more a level; a level of recursion takes some 200
// bytes of a stack of 984 KB, of which the caller may have used most already.

const { measureThresholds } = require('../runner/threshold')

const VALUES = [10, 30, 100, 300, 1000]

function nested(depth) {
  let doc = { name: 'leaf', number: 1 }
  for (let i = 1; i < depth; i++) doc = { level: i, name: 'inner', child: doc }
  return doc
}

/** What of the library does it, from what. */
const operations = {
  encode: depth => {
    const doc = nested(depth)
    const { encode } = require('../..')
    return () => encode(doc)
  },
  decode: depth => {
    const { encode, decode } = require('../..')
    const bytes = Buffer.from(encode(nested(depth)))
    return () => decode(bytes)
  },
  parse: depth => {
    const { EJSON } = require('../..')
    const text = EJSON.stringify(nested(depth), { relaxed: false })
    return () => EJSON.parse(text)
  },
  stringify: depth => {
    const { EJSON } = require('../..')
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
  subjects: [8, 50, 200, 900].map(depth => `${op} ${depth} levels`),
  work
})

measureThresholds([
  threshold('lib/walk.js', 'encode'),
  threshold('lib/decode.js', 'decode'),
  threshold('lib/ejson/parse.js', 'parse'),
  threshold('lib/ejson/stringify.js', 'stringify')
], __filename)
