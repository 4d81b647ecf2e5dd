'use strict'

// Documents of any shape, by what has been learned of them, for shapes.js.

const walk = require('../walk')
const { locate } = require('../elements')
const encoder = require('../encode')
const { COPIED, scratch, scratchView, getView } = require('./source')
const { beginText } = require('./text')
const { ReadSite, beginStack } = require('./read-site')
const { WriteSite } = require('./write-site')
const { MISS, isPlain } = require('./writer')

const readRoot = new ReadSite()
const writeRoot = new WriteSite()

/**
 * @param {import('../output').Output} out
 * @param {object} doc
 * @param {number} pos where to begin
 * @param {import('../walk').EncodePlan} plan without checkKeys and serializeFunctions
 * @returns {number} the offset after the document
 * @throws {import('../errors').BSONError} with the path
 */
function putDocument(out, doc, pos, plan) {
  try {
    const end = writeRoot.run(out, doc, pos, plan, 1)
    if (end !== MISS) return end
    if (isPlain(doc) && doc.toBSON === undefined) return writeRoot.learn(out, doc, pos, plan, 1)
  } catch (error) {
    throw walk.describeError(error, doc)
  }
  return encoder.appendDocument(out, doc, pos, plan)
}

/**
 * @param {Uint8Array} buf
 * @param {number} index where the document begins
 * @param {number} end the offset after it, inside `buf`; the byte before it is its 0x00
 * @returns {Record<string, any>}
 * @throws {import('../errors').BSONError} with the offset and the path
 */
function getDocument(buf, index, end) {
  try {
    beginText(end)
    beginStack()
    if (index !== 0 || buf.length > COPIED) return readRoot.getDocument(buf, getView(buf), index + 4, end - 1, 1)
    scratch.set(buf)
    return readRoot.getDocument(scratch, scratchView, 4, end - 1, 1)
  } catch (error) {
    throw locate(error, buf, index)
  }
}

module.exports = { putDocument, getDocument }
