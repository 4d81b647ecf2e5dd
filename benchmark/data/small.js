'use strict'

// The seven small documents. Each entry makes a new object every time: one shape, one value, many objects.

/** @type {Record<string, () => any>} */
const small = {
  '{"a":1234}': () => ({ a: 1234 }),
  '{"a":1234.5}': () => ({ a: 1234.5 }),
  '{"a":[1,2,3,4,5]}': () => ({ a: [1, 2, 3, 4, 5] }),
  '{"a":{"a":1,…"e":5}}': () => ({ a: { a: 1, b: 2, c: 3, d: 4, e: 5 } }),
  '{"a":[1,[2,[3,[4,[5]]]]]}': () => ({ a: [1, [2, [3, [4, [5]]]]] }),
  '{"a":{"a":{"b":{"c":…': () => ({ a: { a: { b: { c: { d: { e: 5 } } } } } }),
  '{"a":{"a":"ABC",…}}': () => ({ a: { a: 'ABC', b: 1, c: 'DEFGHI\xff', d: 1234.567, e: null } })
}

module.exports = { small }
