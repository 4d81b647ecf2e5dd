'use strict'

// Queries of every class on documents as they lie in a real collection: decimals, int64, UUIDs, optional fields and
// lists of documents. What they find is compared with a plain evaluator on decoded documents.

const { decode, BSONRegExp, Decimal128, Long, EJSON } = require('../../qbson')
const { matcher } = require('../../lib/query')
const { messy } = require('../../benchmark/data/messy')
const { matches } = require('../fixtures/query-oracle')
const { many } = require('../fixtures/long')

/** Of an order that lacks none. */
const FIELDS = 15

const decimal = text => Decimal128.fromString(text)

/** @param {any} one an order that has all fields */
function queriesFor(one) {
  return [
    { total: { $gt: decimal('3000') } },
    { total: { $lt: decimal('500') } },
    { total: { $gt: 3000 }, coupon: { $regex: '^C-A' } },
    { items: { $elemMatch: { price: { $gt: 490 } } } },
    { total: { $type: 'decimal' } },
    { number: { $gt: Long.fromString('5000000100') }, total: { $gte: 100 } },
    { number: { $mod: [3, 1] } },
    { number: { $type: 'long' } },
    { _id: { $type: 'objectId' } },
    { total: one.total },
    { total: { $ne: one.total } },
    { 'items.price': { $gte: decimal('100.5'), $lt: 101 } },
    { 'items.0.qty': 1 },
    { 'items.discount': { $exists: false } },
    { status: { $in: ['new', 'lost', new BSONRegExp('^pa')] } },
    { customer: { $in: [one.customer, one._id, null] } },
    { status: { $nin: ['new', 'sent'] } },
    { paidAt: { $gte: one.at }, at: { $lte: one.paidAt } },
    { tracking: one.tracking },
    { tracking: { $type: ['binData', 'null'] } },
    { note: { $regex: 'CRÈME|soy', $options: 'i' } },
    { note: { $not: { $regex: 'water' } } },
    { tags: { $all: ['water', 'milk'] } },
    { tags: { $size: 2 } },
    { tags: [] },
    { items: { $size: 8 } },
    { items: { $elemMatch: { qty: { $gt: 7 }, discount: { $lt: 0.1 } } } },
    { items: { $not: { $elemMatch: { qty: { $gt: 2 } } } } },
    { 'address.at.lat': { $gt: 45, $lt: 46.5 } },
    { 'address.zip': { $gt: '9' } },
    { gift: true, coupon: { $exists: true } },
    { gift: { $ne: true } },
    { coupon: null },
    { $or: [{ total: { $lt: 50 } }, { 'items.sku': one.items[0].sku }] },
    { $nor: [{ gift: true }, { status: 'new' }, { tags: 'milk' }] },
    { $and: [{ total: { $gt: 1000 } }, { total: { $lt: 1500.25 } }] },
    { 'items.qty': { $bitsAllSet: [0, 3] } },
    { 'items.qty': { $bitsAnyClear: 8 } },
    { total: { $not: { $gt: decimal('3999') } } },
    { total: { $gte: -Infinity } }
  ]
}

/** @param {Buffer} dump @returns {Buffer[]} */
function cut(dump) {
  const parts = []
  for (let at = 0; at < dump.length; at += dump.readInt32LE(at)) parts.push(dump.subarray(at, at + dump.readInt32LE(at)))
  return parts
}

/** Queries that may find everything: of fields that every order has. */
const MOST_OF_ALL = 5

module.exports = {
  'they find what decoded documents say': t => {
    const bytes = cut(messy('orders', { documents: many(150, 4_000), seed: 7 }))
    const orders = bytes.map(each => decode(each, { promoteValues: false }))
    let ofAll = 0
    for (const query of queriesFor(orders.find(order => Object.keys(order).length === FIELDS))) {
      const wanted = orders.map(order => matches(query, order))
      const found = bytes.map(matcher(query))
      const what = EJSON.stringify(query)
      t.ok(wanted.includes(true), `none for ${what}`)
      t.deepStrictEqual(found.flatMap((is, i) => (is === wanted[i] ? [] : [i])), [], what)
      if (!wanted.includes(false)) ofAll++
    }
    t.ok(ofAll <= MOST_OF_ALL, `${ofAll} of all`)
    t.done()
  }
}
