'use strict'

const assert = require('node:assert')
const walk = require('../lib/walk')
const types = require('../lib/types')
const { ELEMENT, MAX_DEPTH } = require('../lib/spec')
const { BSONError } = require('../lib/errors')
const { OMIT } = require('../lib/type-of')
const { outcome } = require('./fixtures/outcome')

const { planOf, checkRoot, unwrap, elementType, checkLength, checkMapKey, dbRefDocument, dbRefPlan, isContainer } = walk
const { openFrame, openChild, keyOf, valueOf, prependPaths, describeError, DEFAULT_PLAN, RECURSION_DEPTH } = walk

module.exports = {
  'options become a plan, once': t => {
    const flags = { checkKeys: false, serializeFunctions: false, ignoreUndefined: true }
    const defaults = { ...flags, maxDepth: MAX_DEPTH, recursionDepth: RECURSION_DEPTH }
    t.deepEqual({ ...DEFAULT_PLAN }, defaults)
    t.strictEqual(planOf(undefined), DEFAULT_PLAN)
    t.strictEqual(planOf(null), DEFAULT_PLAN)
    t.deepEqual(planOf({}), defaults)
    t.deepEqual(planOf({ checkKeys: 1, serializeFunctions: 'yes', ignoreUndefined: 0, maxDepth: '5' }), defaults)
    t.deepEqual(planOf({ checkKeys: true, serializeFunctions: true, ignoreUndefined: false, maxDepth: 5 }), {
      checkKeys: true, serializeFunctions: true, ignoreUndefined: false, maxDepth: 5, recursionDepth: 5
    })
    t.done()
  },

  'a root is a document': t => {
    const doc = { a: 1 }
    t.strictEqual(checkRoot(doc), doc)
    t.deepEqual([checkRoot(null), checkRoot(undefined)], [{}, {}])
    t.deepEqual(checkRoot({ toBSON: () => doc }), doc)
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
    for (const value of [plain, null, undefined, 5, 'x', [], { toBSON: 1 }]) t.strictEqual(unwrap(value), value)
    t.strictEqual(unwrap({ toBSON: () => plain }), plain)
    t.strictEqual(unwrap({ toBSON: () => ({ toBSON: () => plain }) }), plain)
    const third = { toBSON: () => plain }
    t.strictEqual(unwrap({ toBSON: () => ({ toBSON: () => third }) }), third)
    t.strictEqual(unwrap(Object.assign(() => 1, { toBSON: () => 5 })), 5)
    const list = Object.assign([], { toBSON: () => 'no' })
    t.strictEqual(unwrap({ toBSON: () => list }), list)
    const map = Object.assign(new Map(), { toBSON: () => 'no' })
    t.strictEqual(unwrap({ toBSON: () => map }), map)
    assert.throws(() => unwrap({ toBSON: () => ({ toBSON: () => 5 }) }), /toBSON function did not return an object/)
    t.done()
  },

  'undefined': t => {
    t.strictEqual(elementType(undefined, DEFAULT_PLAN, false), OMIT)
    t.strictEqual(elementType(undefined, DEFAULT_PLAN, true), ELEMENT.NULL)
    t.strictEqual(elementType(undefined, planOf({ ignoreUndefined: false }), false), ELEMENT.NULL)
    t.strictEqual(elementType(1, DEFAULT_PLAN, false), ELEMENT.INT32)
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
    t.deepEqual(Object.entries(dbRefDocument(new types.DBRef('c', 1, 'd', { x: 2 }))), [['$ref', 'c'], ['$id', 1], ['$db', 'd'], ['x', 2]])
    t.deepEqual(Object.keys(dbRefDocument(new types.DBRef('c', 1))), ['$ref', '$id'])
    t.deepEqual(dbRefDocument({ namespace: 'c', oid: 1, db: null }), { $ref: 'c', $id: 1 })
    const plan = dbRefPlan(planOf({ checkKeys: true, ignoreUndefined: false, maxDepth: 9 }))
    t.deepEqual([plan.checkKeys, plan.ignoreUndefined, plan.maxDepth], [false, true, 9])
    t.done()
  },

  'frames go through each kind of document': t => {
    const frames = [
      [{ a: 1, b: 2 }, ['a', 'b'], [1, 2]],
      [[5, 6], [0, 1], [5, 6]],
      [new Map([['x', 1]]), ['x'], [1]]
    ]
    for (const [doc, keys, values] of frames) {
      const open = new Set()
      const frame = openFrame(doc, DEFAULT_PLAN, 3, null, open)
      t.ok(open.has(doc))
      t.strictEqual(frame.size, keys.length)
      t.deepEqual(keys.map((_, i) => keyOf(frame, i)), keys)
      t.deepEqual(keys.map(key => valueOf(frame, key)), values)
      assert.throws(() => openFrame(doc, DEFAULT_PLAN, 4, frame, open), /circular/)
      assert.throws(() => openFrame({}, planOf({ maxDepth: 3 }), 4, frame, open), /nested deeper than 3/)
    }
    t.done()
  },

  'children: scopes, arrays, references': t => {
    const open = new Set()
    const parent = openFrame({}, planOf({ checkKeys: true }), 1, null, open)
    const scope = openChild(ELEMENT.CODE_WITH_SCOPE, new types.Code('f', { a: 1 }), parent, open)
    t.deepEqual([scope.keys, scope.depth, scope.parent], [['a'], 2, parent])
    t.strictEqual(openChild(ELEMENT.ARRAY, [1], parent, open).keys, null)
    t.deepEqual(openChild(ELEMENT.DOCUMENT, { b: 1 }, parent, open).keys, ['b'])
    const ref = openChild(ELEMENT.DOCUMENT, new types.DBRef('c', 1), parent, open)
    t.deepEqual([ref.keys, ref.plan.checkKeys], [['$ref', '$id'], false])
    t.done()
  },

  'containers': t => {
    t.ok(isContainer(ELEMENT.DOCUMENT, {}) && isContainer(ELEMENT.ARRAY, []) && isContainer(ELEMENT.CODE_WITH_SCOPE, {}))
    t.ok(!isContainer(ELEMENT.STRING, 'x') && !isContainer(ELEMENT.INT32, 1))
    t.done()
  },

  'paths of frames, long ones by their ends': t => {
    const open = new Set()
    let frame = null
    for (let i = 0; i < 50; i++) {
      frame = openFrame(i % 2 ? [0] : { [`k${i}`]: 1 }, DEFAULT_PLAN, i, frame, open)
      frame.next = 1
    }
    const { path } = prependPaths(new BSONError('what'), frame)
    t.ok(path.startsWith('["…"].k30[0].k32[0]') && path.endsWith('.k48[0]'), path)
    t.strictEqual(prependPaths(new BSONError('what'), frame.parent.parent.parent).path.split('.').length, 11)
    t.done()
  },

  'a cycle is told by its shortest way': t => {
    const cycleOf = root => outcome(() => { throw describeError(outcome(() => openTwice(root)).error, root) }).error.path
    const self = {}
    self.self = self
    t.strictEqual(cycleOf(self), 'self')
    const shared = { deep: { er: [] } }
    const root = { before: { shared, x: 1 }, shared, map: new Map([['m', shared]]) }
    shared.deep.er.push(shared)
    t.strictEqual(cycleOf(root), 'before.shared.deep.er[0]')
    const through = new Map()
    through.set('m', [through])
    t.strictEqual(cycleOf({ a: through }), 'a.m[0]')
    t.strictEqual(describeError(outcome(() => openTwice({})).error, { no: { cycle: 1 } }).path, undefined)
    t.done()
  }
}

/** The error that a cycle gives. */
function openTwice(doc) {
  const open = new Set()
  openFrame(doc, DEFAULT_PLAN, 1, openFrame(doc, DEFAULT_PLAN, 1, null, open), open)
}
