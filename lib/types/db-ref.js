'use strict'

const { BSONError } = require('../errors')
const { BSONValue } = require('./bson-value')
const { defaultInspect } = require('./inspect')

/** A reference to a document of another collection, by convention a document {$ref, $id, $db}. */
class DBRef extends BSONValue {
  /** @returns {'DBRef'} */
  get _bsontype() {
    return 'DBRef'
  }

  /**
   * @param {string} collection `db.collection` names the database too
   * @param {import('./object-id').ObjectId} oid
   * @param {string} [db]
   * @param {Document} [fields] what else is in the reference
   * @throws {BSONError} when `collection` is not a string
   */
  constructor(collection, oid, db, fields) {
    super()
    if (typeof collection !== 'string') throw new BSONError('the collection of a DBRef must be a string')
    const dot = collection.indexOf('.')
    const qualified = dot !== -1 && collection.indexOf('.', dot + 1) === -1
    /** @type {string} */
    this.collection = qualified ? collection.slice(dot + 1) : collection
    /** @type {import('./object-id').ObjectId} */
    this.oid = oid
    /** @type {string | undefined} */
    this.db = qualified ? collection.slice(0, dot) : db
    /** @type {Document} */
    this.fields = fields || {}
  }

  /** An older name of `collection`. @internal */
  get namespace() {
    return this.collection
  }

  set namespace(value) {
    this.collection = value
  }

  /** @returns {DBRefLike & Document} */
  toJSON() {
    const json = Object.assign({ $ref: this.collection, $id: this.oid }, this.fields)
    if (this.db !== undefined && this.db !== null) json.$db = this.db
    return json
  }

  /**
   * @param {import('./bson-value').EJSONOptions} [options]
   * @returns {DBRefLike}
   * @internal
   */
  toExtendedJSON(options) {
    /** @type {DBRefLike} */
    const json = { $ref: this.collection, $id: this.oid }
    if (options && options.legacy) return json
    if (this.db) json.$db = this.db
    return Object.assign(json, this.fields)
  }

  /** @param {DBRefLike} doc @returns {DBRef} @internal */
  static fromExtendedJSON(doc) {
    const { $ref, $id, $db, ...fields } = doc
    return new DBRef($ref, $id, $db, fields)
  }

  /**
   * @param {number} [depth]
   * @param {unknown} [options]
   * @param {import('./inspect').InspectFn} [inspect]
   * @returns {string}
   */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    const oid = inspect(this.oid, options)
    const parts = [inspect(this.namespace, options), inspect === defaultInspect ? `new ObjectId(${oid})` : oid]
    if (this.db) parts.push(inspect(this.db, options))
    if (Object.keys(this.fields).length > 0) parts.push(inspect(this.fields, options))
    return `new DBRef(${parts.join(', ')})`
  }
}

/**
 * Whether a document is a DBRef by convention.
 *
 * @param {any} value
 * @returns {value is DBRefLike}
 */
function isDBRefLike(value) {
  return (
    value !== null &&
    typeof value === 'object' &&
    value.$id !== undefined &&
    value.$id !== null &&
    typeof value.$ref === 'string' &&
    (!('$db' in value) || typeof value.$db === 'string')
  )
}

/** @typedef {import('./bson-value').Document} Document */
/** @typedef {{$ref: string, $id: import('./object-id').ObjectId, $db?: string}} DBRefLike */

module.exports = { DBRef, isDBRefLike }
