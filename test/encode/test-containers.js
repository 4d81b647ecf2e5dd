'use strict'

const assert = require('node:assert')
const containers = require('../../lib/encode/containers')
const types = require('../../lib/types')
const { DEFAULT_PLAN, planOf, dbRefPlan } = require('../../lib/encode/options')
const { dbRefDocument } = require('../../lib/types/db-ref')
const { BSONError, pathOf } = require('../../lib/errors')

const { enter, leave, prependPath, describeError, checkRoot, applyToBSON, checkLength, checkMapKey, isPolluted } = containers

const begin = (plan = DEFAULT_PLAN) => ({ plan, depth: 0, cycleCheckpoint: null })

/** Enters the containers that a list of keys leads to, and returns the error. */
function follow(root, nextKey) {
  const at = begin()
  const visit = doc => {
    enter(at, doc)
    const key = nextKey(doc)
    try {
      visit(doc instanceof Map ? doc.get(key) : doc[key])
    } catch (error) {
      throw prependPath(error, doc, key)
    }
  }
  try {
    visit(root)
  } catch (error) {
    return { error: describeError(error), depth: at.depth }
  }
}

const firstKey = doc => (Array.isArray(doc) ? 0 : doc instanceof Map ? [...doc.keys()][0] : Object.keys(doc)[0])

module.exports = {
  'a root is a document': t => {
    const doc = { a: 1 }
    t.strictEqual(checkRoot(doc), doc)
    t.deepStrictEqual([checkRoot(null), checkRoot(undefined)], [{}, {}])
    t.deepStrictEqual(checkRoot({ toBSON: () => doc }), doc)
    t.strictEqual(checkRoot({ a: 1, toBSON: 5 }).a, 1)
    for (const [root, message] of [
      [[], /an array as the root/], [1, /non-object as the root/], [new types.Long(1), /BSON types cannot/], [new Date(), /date, regexp/],
      [{ toBSON: () => null }, /toBSON function did not return an object/], [{ toBSON: () => 'x' }, /toBSON function did not return an object/]
    ]) {
      assert.throws(() => checkRoot(root), error => error instanceof BSONError && message.test(error.message))
    }
    t.done()
  },

  'toBSON is asked, and its answer once more': t => {
    const plain = { a: 1 }
    for (const value of [plain, null, undefined, 5, 'x', [], { toBSON: 1 }]) t.strictEqual(applyToBSON(value), value)
    t.strictEqual(applyToBSON({ toBSON: () => plain }), plain)
    t.strictEqual(applyToBSON({ toBSON: () => ({ toBSON: () => plain }) }), plain)
    const third = { toBSON: () => plain }
    t.strictEqual(applyToBSON({ toBSON: () => ({ toBSON: () => third }) }), third)
    t.strictEqual(applyToBSON(Object.assign(() => 1, { toBSON: () => 5 })), 5)
    const list = Object.assign([], { toBSON: () => 'no' })
    t.strictEqual(applyToBSON({ toBSON: () => list }), list)
    const map = Object.assign(new Map(), { toBSON: () => 'no' })
    t.strictEqual(applyToBSON({ toBSON: () => map }), map)
    assert.throws(() => applyToBSON({ toBSON: () => ({ toBSON: () => 5 }) }), /toBSON function did not return an object/)
    t.done()
  },

  'lengths and keys': t => {
    checkLength([])
    checkLength(new Array(700e6))
    assert.throws(() => checkLength(new Array(2 ** 31)), error => error instanceof BSONError)
    t.strictEqual(checkMapKey('a'), 'a')
    for (const key of [1, null, undefined, {}, Symbol('s')]) assert.throws(() => checkMapKey(key), error => error instanceof BSONError)
    t.done()
  },

  'references as documents': t => {
    t.deepStrictEqual(Object.entries(dbRefDocument(new types.DBRef('c', 1, 'd', { x: 2 }))), [['$ref', 'c'], ['$id', 1], ['$db', 'd'], ['x', 2]])
    t.deepStrictEqual(Object.keys(dbRefDocument(new types.DBRef('c', 1))), ['$ref', '$id'])
    t.deepStrictEqual(dbRefDocument({ namespace: 'c', oid: 1, db: null }), { $ref: 'c', $id: 1 })
    const plan = dbRefPlan(planOf({ checkKeys: true, ignoreUndefined: false, maxDepth: 9 }))
    t.deepStrictEqual([plan.checkKeys, plan.ignoreUndefined, plan.maxDepth], [false, true, 9])
    t.strictEqual(dbRefPlan(DEFAULT_PLAN), DEFAULT_PLAN)
    t.done()
  },

  'levels are counted, and given back': t => {
    const at = begin(planOf({ maxDepth: 3 }))
    const docs = [{}, [], new Map()]
    const cycleCheckpoints = docs.map(doc => enter(at, doc))
    t.strictEqual(at.depth, 3)
    assert.throws(() => enter(at, {}), /nested deeper than 3 levels/)
    t.strictEqual(at.depth, 3)
    for (const cycleCheckpoint of cycleCheckpoints.reverse()) leave(at, cycleCheckpoint)
    t.deepStrictEqual([at.depth, at.cycleCheckpoint], [0, null])
    t.done()
  },

  'what stands in two places is no cycle': t => {
    const at = begin()
    const shared = {}
    enter(at, {})
    for (let i = 0; i < 20; i++) leave(at, enter(at, shared))
    t.strictEqual(at.depth, 1)
    t.done()
  },

  'a cycle is noticed before its length and what leads to it have been gone through four times': t => {
    for (const lead of [0, 1, 2, 7, 30, 100]) {
      for (const length of [1, 2, 3, 8, 50, 200]) {
        const docs = Array.from({ length: lead + length }, () => ({}))
        docs.forEach((doc, i) => (doc[`k${i}`] = docs[i + 1] ?? docs[lead]))
        const { error, depth } = follow(docs[0], firstKey)
        assert.match(error.message, /^Cannot convert circular structure to BSON/)
        assert.ok(depth <= 4 * (lead + length), `${lead}, ${length}: ${depth}`)
        assert.strictEqual(error.path, pathOf(docs.map((_, i) => `k${i}`)))
      }
    }
    t.done()
  },

  'a cycle is told by where a document stands inside itself first': t => {
    const list = []
    const through = new Map([['m', list]])
    list.push(through)
    t.strictEqual(follow({ a: through }, firstKey).error.path, 'a.m[0]')
    const self = {}
    self.self = self
    t.strictEqual(follow(self, firstKey).error.path, 'self')
    t.deepStrictEqual(Object.keys(follow(self, firstKey).error), [])
    t.done()
  },

  'a prototype of all objects with something enumerable on it is noticed': t => {
    t.strictEqual(isPolluted(), false)
    Object.prototype.extra = 1
    try {
      t.strictEqual(isPolluted(), true)
    } finally {
      delete Object.prototype.extra
    }
    t.done()
  }
}
