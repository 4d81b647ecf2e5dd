'use strict'

// Some fields of a document, or all but some, as a new document: ranges of bytes are copied, no value is decoded.

const { ELEMENT } = require('../spec')
const { putInt32 } = require('../bytes')
const { putUtf8 } = require('../utf8')
const { acquireOutput, releaseOutput } = require('../output')
const { scanName } = require('../elements')
const { skipElement, isContainer } = require('./find')

/**
 * @typedef {import('./path').PathNode} PathNode
 * @typedef {import('../output').Output} Output
 */

/**
 * Keeps the elements that are in the tree (`isPick`) or those that are not. An array stays one: what is left of it
 * moves together. Of elements with the same name a pick takes the first.
 *
 * @param {Uint8Array} buf
 * @param {number} start of the document
 * @param {number} end of the document: the offset of its closing 0x00
 * @param {boolean} isArray
 * @param {PathNode[]} nodes
 * @param {boolean} isPick
 * @returns {Uint8Array} a document
 * @throws {import('../errors').BSONError} on bytes that are not BSON
 */
function project(buf, start, end, isArray, nodes, isPick) {
  const out = acquireOutput()
  try {
    return out.finish(putProjected(out, out.begin(), buf, start, end, isArray, nodes, isPick))
  } finally {
    releaseOutput(out)
  }
}

function putProjected(out, pos, buf, start, end, isArray, nodes, isPick) {
  const docStart = pos
  const wanted = isPick ? nodes.slice() : nodes
  let kept = 0
  let element = start + 4
  let run = element // the start of what is kept as it is, and not copied yet
  out.reserve(pos, 4)
  pos += 4
  for (let index = 0; element < end && (wanted.length > 0 || !isPick); index++) {
    const type = buf[element]
    const nameEnd = scanName(buf, element + 1, end)
    const next = skipElement(buf, element, nameEnd, end)
    const value = nameEnd + 1
    const node = isArray ? nodeOfIndex(wanted, index) : nodeOfName(wanted, buf, element + 1, nameEnd)
    if (isPick && node !== undefined) wanted.splice(wanted.indexOf(node), 1)
    const inner = innerNodes(node, type)
    const isKept = inner !== null || isPick === isWhole(node)
    // In an array whose earlier items are gone the others get new names.
    if (!isKept || inner !== null || (isArray && kept !== index)) {
      pos = putRange(out, pos, buf, run, element)
      run = next
      if (isKept) pos = isArray ? putIndex(out, pos, type, kept) : putRange(out, pos, buf, element, value)
      if (inner !== null) pos = putProjected(out, pos, buf, value, next - 1, type === ELEMENT.ARRAY, inner, isPick)
      else if (isKept) pos = putRange(out, pos, buf, value, next)
    }
    if (isKept) kept++
    element = next
  }
  return putEnd(out, putRange(out, pos, buf, run, element), docStart)
}

/**
 * A pick of few fields, each of which has been found by itself.
 *
 * @param {Uint8Array} buf
 * @param {number} end of the document: the offset of its closing 0x00
 * @param {{node: PathNode, offset: number}[]} found in the order of the offsets
 * @returns {Uint8Array} a document
 * @throws {import('../errors').BSONError} on bytes that are not BSON
 */
function pickFound(buf, end, found) {
  const out = acquireOutput()
  try {
    const start = out.begin()
    out.reserve(start, 4)
    let pos = start + 4
    for (const { node, offset } of found) pos = putFound(out, pos, buf, end, node, offset)
    return out.finish(putEnd(out, pos, start))
  } finally {
    releaseOutput(out)
  }
}

function putFound(out, pos, buf, end, node, offset) {
  const type = buf[offset]
  const value = offset + node.key.bytes.length + 2
  const next = skipElement(buf, offset, value - 1, end)
  if (isWhole(node)) return putRange(out, pos, buf, offset, next)
  const inner = innerNodes(node, type)
  if (inner === null) return pos
  pos = putRange(out, pos, buf, offset, value)
  return putProjected(out, pos, buf, value, next - 1, type === ELEMENT.ARRAY, inner, true)
}

/** @returns {boolean} whether a path ends here; one that goes on into a scalar finds nothing */
function isWhole(node) {
  return node !== undefined && node.children === null
}

/** @returns {PathNode[] | null} the paths that go on inside a value */
function innerNodes(node, type) {
  return node !== undefined && isContainer(type) ? node.children : null
}

/** @returns {PathNode | undefined} */
function nodeOfIndex(nodes, index) {
  return nodes.find(({ key }) => key.index === index)
}

/** @returns {PathNode | undefined} */
function nodeOfName(nodes, buf, nameStart, nameEnd) {
  for (let i = 0; i < nodes.length; i++) {
    const { bytes } = nodes[i].key
    if (bytes.length === nameEnd - nameStart && isSame(bytes, buf, nameStart)) return nodes[i]
  }
  return undefined
}

function isSame(bytes, buf, offset) {
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== buf[offset + i]) return false
  }
  return true
}

/** Ranges of up to so many bytes are copied by a loop: `subarray` and `set` cost 60 ns together. */
const SHORT_COPY = 64

function putRange(out, pos, buf, from, to) {
  const target = out.reserve(pos, to - from)
  if (to - from > SHORT_COPY) target.set(buf.subarray(from, to), pos)
  else for (let i = from; i < to; i++) target[pos + i - from] = buf[i]
  return pos + to - from
}

/** type | index 0x00 */
function putIndex(out, pos, type, index) {
  const name = String(index)
  const target = out.reserve(pos, name.length + 2)
  target[pos] = type
  const end = putUtf8(name, target, pos + 1)
  target[end] = 0
  return end + 1
}

function putEnd(out, pos, start) {
  const target = out.reserve(pos, 1)
  target[pos++] = 0
  putInt32(pos - start, target, start)
  return pos
}

module.exports = { project, pickFound }
