'use strict'

const { BSONError } = require('../errors')
const { ownField } = require('../properties')
const { BSONValue, defaultInspect } = require('./bson-value')

/** A reference to a document in another collection, by convention a document {$ref, $id, $db}. */
class DBRef extends BSONValue {
  /** @returns {'DBRef'} */ get _bsontype() { return 'DBRef' }

  /**
   * @param {string} collection `db.collection` also names the database
   * @param {import('./object-id').ObjectId} oid
   * @param {string} [db]
   * @param {Document} [fields] other fields of the reference
   * @throws {TypeError} when `collection` is not a string, as in bson: packages that clone objects expect it
   */
  constructor(collection, oid, db, fields) {
    super()
    if (typeof collection !== 'string') throw new TypeError(NO_NAME)
    const dot = collection.indexOf('.')
    const qualified = dot !== -1 && collection.indexOf('.', dot + 1) === -1
    this.collection = qualified ? collection.slice(dot + 1) : collection
    this.oid = oid
    /** @type {string | undefined} */
    this.db = qualified ? collection.slice(0, dot) : db
    this.fields = fields || {}
  }

  /** An older name for `collection`. @internal */
  get namespace() {
    return this.collection
  }

  set namespace(value) {
    this.collection = value
  }

  /** @returns {DBRefLike & Document} with `$db` last, as in bson; elsewhere it comes before the other fields */
  toJSON() {
    const { $db, ...others } = dbRefDocument(this)
    return $db === undefined ? others : { ...others, $db }
  }

  /** @param {import('./bson-value').EJSONOptions} [options] @returns {DBRefLike} @internal */
  toExtendedJSON(options) {
    return dbRefDocument(this, options?.legacy)
  }

  /** @param {DBRefLike} doc @returns {DBRef} of that collection, even if its name has a dot, as fs.files @internal */
  static fromExtendedJSON(doc) {
    const { $ref, $id, $db, ...fields } = doc
    const ref = new DBRef($ref, $id, $db, fields)
    ref.collection = $ref
    ref.db = ownField(doc, '$db') // Object.prototype may be polluted
    return ref
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    const oid = inspect(this.oid, options)
    const parts = [inspect(this.namespace, options), inspect === defaultInspect ? `new ObjectId(${oid})` : oid]
    if (this.db) parts.push(inspect(this.db, options))
    if (Object.keys(this.fields).length > 0) parts.push(inspect(this.fields, options))
    return `new DBRef(${parts.join(', ')})`
  }
}

const NO_NAME = 'the collection of a DBRef must be a string'

function checkedName(collection) {
  if (typeof collection !== 'string') throw new BSONError(NO_NAME)
  return collection
}

/** Whether a document is a DBRef by convention. @param {any} value @returns {value is DBRefLike} */
function isDBRefLike(value) {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, '$ref') || !Object.hasOwn(value, '$id')) return false
  const { $ref, $id } = value
  if (typeof $ref !== 'string' || $id === undefined || $id === null) return false
  return !Object.hasOwn(value, '$db') || typeof value.$db === 'string'
}

/** @param {string} key */
function isDBRefKey(key) {
  return key === '$ref' || key === '$id' || key === '$db'
}

/** @param {Record<string, any>} doc has no other keys that begin with `$` @returns {any} a DBRef, if it is one */
function toDBRef(doc) {
  return isDBRefLike(doc) ? DBRef.fromExtendedJSON(doc) : doc
}

/**
 * The document that a reference is written as, in bytes and in text: $ref, $id, $db, then its other fields.
 *
 * @param {any} ref a DBRef from this library or another
 * @param {boolean} [isLegacy] Extended JSON version 1 has only the collection and id of a reference
 * @returns {DBRefLike & Document}
 * @throws {BSONError} when the name of its collection is not a string
 */
function dbRefDocument({ collection, namespace, oid, db, fields }, isLegacy = false) {
  const head = { $ref: checkedName(collection ?? namespace), $id: oid }
  if (isLegacy) return head
  const others = fields instanceof Map ? Object.fromEntries(fields) : fields
  return { ...(db === undefined || db === null ? head : { ...head, $db: db }), ...others }
}

/** @typedef {import('./bson-value').Document} Document */
/** @typedef {{$ref: string, $id: import('./object-id').ObjectId, $db?: string}} DBRefLike */

module.exports = { DBRef, isDBRefLike, isDBRefKey, toDBRef, dbRefDocument }
