'use strict'

// Resolves the options of `compile`.

const { BSONError } = require('../errors')
const { ownFields } = require('../properties')
const encoder = require('../encode')
const decoder = require('../decode')

/** Options of `decode` that change what a document is. */
const REFUSED = ['raw', 'fieldsAsRaw']

const KNOWN = [
  'useBigInt64', 'promoteLongs', 'promoteBuffers', 'promoteValues', 'bsonRegExp', 'validation', 'maxDepth', 'checkKeys',
  'serializeFunctions', 'ignoreUndefined'
]

/**
 * @typedef {object} Plan
 * @property {Map<string | null, import('../decode/decode').DecodePlan>} plansAs plans of `decode`, by `as`
 * @property {import('../encode/options').EncodePlan} encodePlan
 * @property {boolean} utf8 whether text is checked
 * @property {number} maxDepth levels
 * @property {boolean} promoteValues
 * @property {'bigint' | 'number' | 'long'} int64 the result type without an `as`
 * @property {'buffer' | 'binary'} binary the result type without an `as`
 */

/** @param {Record<string, any>} options @returns {Plan} */
function makePlan(options) {
  const own = ownFields(options)
  const refused = REFUSED.find(name => own[name])
  if (refused !== undefined) throw new BSONError(`compiled codecs do not have the option ${refused}`)
  if (typeof (own.validation?.utf8 ?? true) !== 'boolean') {
    throw new BSONError('compiled codecs validate UTF-8 in all fields or in none')
  }
  const { useBigInt64, promoteLongs, promoteValues, promoteBuffers, utf8, maxDepth } = decoder.planOf(own)
  const planAs = changes => decoder.planOf({ ...own, ...changes })
  return {
    plansAs: new Map([
      [null, planAs({})],
      ['bigint', planAs({ useBigInt64: true, promoteLongs: true, promoteValues: true })],
      ['long', planAs({ useBigInt64: false, promoteLongs: false })],
      ['number', planAs({ useBigInt64: false, promoteLongs: true, promoteValues: true })],
      ['buffer', planAs({ promoteBuffers: true, promoteValues: true })],
      ['binary', planAs({ promoteBuffers: false })]
    ]),
    encodePlan: encoder.planOf(own),
    utf8,
    maxDepth,
    promoteValues,
    int64: useBigInt64 ? 'bigint' : promoteLongs ? 'number' : 'long',
    binary: promoteBuffers ? 'buffer' : 'binary'
  }
}

module.exports = { KNOWN, REFUSED, makePlan }
