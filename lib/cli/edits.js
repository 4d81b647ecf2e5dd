'use strict'

// What --set, --unset, --hash and --mask do to values, as edits of lib/raw/rewrite.js.

const fs = require('node:fs')
const { editTree, Rewriter } = require('../raw')
const { UsageError, reasonOf } = require('./options')
const { hashEdit } = require('./hash')
const { MASK } = require('./mask')
const { printable } = require('./printable')

/**
 * The edits with their key, in a form that can be sent to another thread.
 *
 * @param {Record<string, any>} options
 * @param {any} stderr gets a note when hashes cannot be reproduced
 * @returns {{set?: string[], unset?: string[], hash?: string[], mask?: string[], key?: Uint8Array} | undefined}
 * @throws {UsageError}
 */
function editsOf({ set, unset, hash, mask, 'key-file': file }, stderr) {
  if ((set ?? unset ?? hash ?? mask) === undefined) return undefined
  if (hash === undefined) return { set, unset, mask }
  if (file !== undefined) return { set, unset, hash, mask, key: readKey(file) }
  stderr.write('qbson: --hash uses a new random key, so another run produces other hashes (see --key-file)\n')
  return { set, unset, hash, mask, key: require('node:crypto').randomBytes(32) }
}

function readKey(file) {
  let key
  try {
    key = fs.readFileSync(file)
  } catch (error) {
    throw new UsageError(printable(`${file}: ${reasonOf(error)}`))
  }
  if (key.length < 16) throw new UsageError(printable(`${file}: a key must have at least 16 bytes`))
  return new Uint8Array(key)
}

/** @param {ReturnType<typeof editsOf>} edits @returns {Rewriter} @throws {UsageError} */
function rewriterOf({ set = [], unset = [], hash = [], mask = [], key }) {
  const hashing = hash.length > 0 ? hashEdit(key) : null
  const all = [
    ...set.map(setEdit), ...unset.map(path => ({ path, edit: { of: () => null } })),
    ...hash.map(path => ({ path, edit: hashing })), ...mask.map(path => ({ path, edit: MASK }))
  ]
  try {
    return new Rewriter(editTree(all))
  } catch (error) {
    throw new UsageError(printable(error.message))
  }
}

/** @param {string} text `path=json` */
function setEdit(text) {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`--set needs PATH=JSON, not ${JSON.stringify(text)}`)
  try {
    const bytes = require('../ejson').EJSON.toBSON(`{"":${text.slice(at + 1)}}`)
    const added = { type: bytes[4], buf: bytes, start: 6, end: bytes.length - 1 }
    return { path: text.slice(0, at), edit: { of: () => added, added } }
  } catch (error) {
    throw new UsageError(`--set ${printable(text)}: ${printable(error.message)} (text needs quotes: name='"x"')`)
  }
}

module.exports = { editsOf, rewriterOf }
