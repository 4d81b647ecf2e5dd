'use strict'

/**
 * What depends on versions: each driver and Mongoose of with-versions/ stores and finds on qbson what it should, and the
 * table of compatibility.md says what each version of bson does.
 *
 *     for (const { name, outcome, detail } of await checkVersions(uri)) …
 */

const assert = require('assert')
const crypto = require('crypto')
const fs = require('fs')
const { createRequire } = require('module')
const path = require('path')
const { inspect } = require('util')
const qbson = require('../../qbson')

const databaseName = 'qbson_versions_test'
const requireDriver = createRequire(path.join(__dirname, 'with-versions', 'package.json'))
const requireBson = createRequire(path.join(__dirname, 'bson-versions', 'package.json'))

/** What was stored, by the classes of qbson. */
const types = doc => Object.fromEntries(Object.entries(doc).map(([key, value]) => [key, value?._bsontype ?? typeof value]))

/** Logs in with a password, at a server that does nothing else: RFC 7677. */
async function checkLogin(name) {
  const { ScramSHA256 } = requireDriver(`${name}/lib/cmap/auth/scram.js`)
  const { Binary } = requireDriver(name)
  const hmac = (key, text) => crypto.createHmac('sha256', key).update(text).digest()
  const key = hmac(crypto.pbkdf2Sync('secret', 'salt', 4096, 32, 'sha256'), 'Server Key')
  const said = []
  const command = async (ns, { payload }) => {
    said.push(payload.toString('utf8').replace(/^n,,|,p=.*/g, ''))
    const answer = said.length === 1 ? `${said[0].slice(said[0].indexOf('r='))}b,s=${btoa('salt')},i=4096`
      : `v=${hmac(key, said.join(',')).toString('base64')}`
    said.push(answer)
    return { conversationId: 1, done: said.length > 2, payload: new Binary(Buffer.from(answer)) }
  }
  const credentials = { source: 'admin', username: 'ada', password: 'secret' }
  await new ScramSHA256().auth({ connection: { command, commandAsync: command }, credentials, nonce: Buffer.alloc(24, 1) })
  assert.strictEqual(said.length, 4)
}

async function checkDriver(name, { uri, decimals }) {
  await checkLogin(name)
  const { MongoClient, ObjectId, Long, Decimal128, Binary, Timestamp } = requireDriver(name)
  assert.strictEqual(ObjectId, requireDriver('bson').ObjectId)
  const client = await new MongoClient(uri).connect()
  try {
    const collection = client.db(databaseName).collection(name)
    await collection.drop().catch(() => {})
    const _id = new ObjectId()
    const doc = { _id, ref: new ObjectId(), sub: { id: new ObjectId() }, long: Long.fromString('9007199254740993'),
      bytes: new Binary(Buffer.from('ab')), time: new Timestamp({ t: 1, i: 2 }), at: new Date(5), none: null }
    if (decimals) doc.decimal = new Decimal128('1.50')
    await collection.insertMany([doc, { _id: new ObjectId(), n: -0 }])
    const found = await collection.findOne({ _id })
    assert.deepStrictEqual({ ...found, bytes: found.bytes.toString() }, { ...doc, bytes: 'ab' })
    assert.strictEqual((await collection.updateOne({ 'sub.id': doc.sub.id }, { $set: { n: 2 ** 40 } })).modifiedCount, 1)
    assert.deepStrictEqual(await collection.find({ n: { $gt: 1 } }).map(each => each.n).toArray(), [2 ** 40])
    assert.strictEqual(await collection.findOne({ _id: new ObjectId() }), null)
    assert.strictEqual((await collection.deleteOne({ _id })).deletedCount, 1)
  } finally {
    await client.close()
  }
}

async function checkMongoose(name, { uri, decimals }) {
  const mongoose = requireDriver(name)
  const { ObjectId } = mongoose.Types
  assert.strictEqual(ObjectId, requireDriver('bson').ObjectId)
  const connection = await mongoose.createConnection(uri, { dbName: databaseName }).asPromise()
  try {
    const person = connection.model('Person', new mongoose.Schema({ name: String }), `${name}_people`)
    const order = connection.model('Order', new mongoose.Schema({
      by: { type: mongoose.Schema.Types.ObjectId, ref: 'Person' }, total: mongoose.Schema.Types.Decimal128,
      items: [new mongoose.Schema({ sku: String })], at: Date
    }), `${name}_orders`)
    for (const model of [person, order]) await model.collection.drop().catch(() => {})
    const ada = await person.create({ name: 'Ada' })
    const total = decimals ? { total: '12.50' } : {}
    const made = await order.create({ by: ada._id, ...total, items: [{ sku: 'a' }], at: new Date(5) })
    const stored = await order.collection.findOne({ _id: made._id })
    const { total: type, ...rest } = types(stored)
    assert.strictEqual(type, decimals ? 'Decimal128' : undefined)
    assert.deepStrictEqual(rest, { _id: 'ObjectId', by: 'ObjectId', items: 'object', at: 'object', __v: 'number' })
    assert.deepStrictEqual(types(stored.items[0]), { sku: 'string', _id: 'ObjectId' })
    const found = await order.findById(String(made._id)).populate('by')
    assert.strictEqual(found.by.name, 'Ada')
    assert.strictEqual((await order.find({ 'items._id': made.items[0]._id }).lean()).length, 1)
  } finally {
    await connection.close()
  }
}

/** What a row of the table tries, by its first cell; the other cells are what it returns, or `error`. */
const ROWS = {
  'new ObjectId(5)': ({ ObjectId }) => (new ObjectId(5).toHexString().startsWith('00000005') ? 'an id of the time 5' : '?'),
  'new ObjectId(\'twelve chars\')': ({ ObjectId }) => (new ObjectId('twelve chars').toHexString() === '7477656c7665206368617273' ? 'an id of their bytes' : '?'),
  'ObjectId.isValid(5)': ({ ObjectId }) => String(ObjectId.isValid(5)),
  'ObjectId.isValid(\'twelve chars\')': ({ ObjectId }) => String(ObjectId.isValid('twelve chars')),
  'ObjectId()': ({ ObjectId }) => (ObjectId().toHexString().length === 24 ? 'an id' : '?'),
  'id._bsontype': ({ ObjectId }) => `\`'${new ObjectId()._bsontype}'\``,
  'util.inspect(id)': ({ ObjectId }) => `\`${inspect(new ObjectId()).replace(/\w{24}/, '…')}\``,
  ObjectID: ({ ObjectID }) => (ObjectID ? 'exported' : '-'),
  'Map, BSON_INT32_MAX, default export': bson => (bson.Map && bson.default ? 'exported' : '-'),
  'BSON.serialize': bson => (bson.BSON?.serialize ? 'exported' : '-'),
  'new Binary(\'text\')': ({ Binary }) => (new Binary('text').length() === 4 ? 'its characters' : '?'),
  'new Binary([65]).value()': ({ Binary }) => (new Binary(Buffer.from('A')).value() === 'A' ? 'a string' : 'bytes'),
  '-0 when written': ({ serialize }) => (serialize({ a: -0 })[4] === 0x10 ? 'int32 0' : 'double -0'),
  'a bigint when written': ({ serialize }) => (serialize({ a: 5n })[4] === 0x12 ? 'int64' : '?'),
  'JSON.stringify(new Long(5))': ({ Long }) => `\`${JSON.stringify(Long.fromNumber(5))}\``,
  'new Timestamp(1, 2)': ({ Timestamp }) => (new Timestamp(1, 2).toString() === '8589934593' ? 'from low and high' : '?'),
  'a Decimal128 of more than 34 digits': ({ Decimal128 }) => (Decimal128.fromString('1.23456789012345678901234567890123456789').toString().startsWith('2.') ? 'another number' : '?')
}

const LIBRARIES = { 4: 'bson4', 5: 'bson5', 6: 'bson6', 7: 'bson7' }

/** @returns {string} the table of compatibility.md */
function apiTable() {
  const libraries = [...Object.values(LIBRARIES).map(name => requireBson(name)), qbson]
  const rows = Object.entries(ROWS).map(([name, attempt]) => [name.includes('(') || name.includes('.') ? `\`${name}\`` : name, ...libraries.map(library => {
    try {
      return attempt(library)
    } catch {
      return 'error'
    }
  })])
  const line = cells => `| ${cells.join(' | ')} |`
  return [line(['', ...Object.keys(LIBRARIES).map(version => `bson ${version}`), 'qbson']), line(Array(6).fill('---')), ...rows.map(line)].join('\n')
}

function checkTable() {
  const page = fs.readFileSync(path.join(__dirname, '..', '..', 'docs', 'compatibility.md'), 'utf8')
  assert.ok(page.includes(apiTable()), `docs/compatibility.md should have this table:\n${apiTable()}`)
}

/**
 * @param {{uri: string, decimals: boolean}} server `decimals`: whether it takes Decimal128
 * @returns {Promise<{name: string, outcome: 'passed' | 'failed', detail?: string}[]>}
 */
async function checkVersions(server) {
  const names = Object.keys(requireDriver('./package.json').dependencies).filter(name => name !== 'bson')
  const checks = names.map(name => {
    const check = name.startsWith('mongoose') ? checkMongoose : checkDriver
    return [`${name} (${requireDriver(`${name}/package.json`).version}) on qbson`, () => check(name, server)]
  })
  const results = []
  for (const [name, check] of [...checks, ['the API of bson 4 to 7 is as in compatibility.md', checkTable]]) {
    const error = await Promise.resolve().then(check).then(() => undefined, thrown => thrown)
    results.push(error === undefined ? { name, outcome: 'passed' } : { name, outcome: 'failed', detail: error.stack })
  }
  return results
}

module.exports = { checkVersions, apiTable }
