'use strict'

// gzip in members that can be found and read one by one. An extra field in the header of each, which other programs
// ignore, says how long the member is compressed, as in BGZF, and what comes before it.
// https://www.rfc-editor.org/rfc/rfc1952#page-6

const fs = require('node:fs')
const { withFile } = require('./files')

/** Bytes of a header without extra fields. */
const HEAD_SIZE = 10

/** Bytes of the extra fields with their length: "QB", their size, the size of the member, and the bytes before it. */
const EXTRA_SIZE = 18

const FEXTRA = 4
const Q = 0x51
const B = 0x42

/** Adds the extra field to a member as zlib writes it, without one. `before`: bytes of all before it, uncompressed. */
function withLength(gzip, before) {
  const member = Buffer.alloc(gzip.length + EXTRA_SIZE)
  member.set(gzip.subarray(0, HEAD_SIZE))
  member[3] = FEXTRA
  member.writeUInt16LE(EXTRA_SIZE - 2, HEAD_SIZE)
  member[HEAD_SIZE + 2] = Q
  member[HEAD_SIZE + 3] = B
  member.writeUInt16LE(EXTRA_SIZE - 6, HEAD_SIZE + 4)
  member.writeUInt32LE(member.length, HEAD_SIZE + 6)
  member.writeBigUInt64LE(BigInt(before), HEAD_SIZE + 10)
  member.set(gzip.subarray(HEAD_SIZE), HEAD_SIZE + EXTRA_SIZE)
  return member
}

/** The member that begins there, if its size is known. @returns {{size: number, before: number} | null} */
function memberAt(handle, offset) {
  const head = Buffer.alloc(HEAD_SIZE + EXTRA_SIZE)
  if (fs.readSync(handle, head, 0, head.length, offset) < head.length) return null
  const isGzip = head[0] === 0x1f && head[1] === 0x8b && head[2] === 8 && head[3] === FEXTRA
  const isOwn = head[HEAD_SIZE] === EXTRA_SIZE - 2 && head[HEAD_SIZE + 2] === Q && head[HEAD_SIZE + 3] === B
  if (!isGzip || !isOwn) return null
  const size = head.readUInt32LE(HEAD_SIZE + 6)
  return size <= head.length ? null : { size, before: Number(head.readBigUInt64LE(HEAD_SIZE + 10)) }
}

/** @returns {{offset: number, size: number, before: number}[] | null} null unless all of it are such members */
function membersOf(file) {
  return withFile(file, handle => {
    const members = []
    const { size: end } = fs.fstatSync(handle)
    for (let offset = 0; offset < end; ) {
      const member = memberAt(handle, offset)
      if (member === null || offset + member.size > end) return null
      members.push({ offset, ...member })
      offset += member.size
    }
    return members
  })
}

module.exports = { withLength, membersOf, memberAt }
