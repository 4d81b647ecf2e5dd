'use strict'

// Written by `qbson compile`. Change the schema, not this.

const {
  slowOf,
  codecOf,
  OPTIONAL,
  REQUIRED,
  ITEM,
  hasOwn,
  isObjectId,
  isLong,
  isDecimal128,
  isBinary,
  isMap,
  cameThrough,
  putUtf8,
  roomOf,
  putObjectId,
  putDate,
  putDecimal128,
  putBinary,
  putIndexName,
  scanElement,
  getText,
  getObjectId,
  getPromotedInt64,
  getDecimal128,
  getTimestamp,
  getBinary,
  itemAt,
  readFrom,
  setDouble
} = require('qbson/compile/runtime')

const schema = {
  bsonType: 'object',
  required: ['_id', 'kind'],
  properties: {
    _id: { bsonType: 'objectId' },
    kind: { bsonType: 'string' },
    title: { bsonType: 'string' },
    authors: {
      bsonType: 'array',
      items: { bsonType: 'string' }
    },
    pages: { bsonType: 'int' },
    price: { bsonType: 'decimal' },
    rating: { bsonType: ['double', 'int'] },
    inPrint: { bsonType: 'bool' },
    language: { bsonType: 'string' },
    published: { bsonType: 'date' },
    sold: { bsonType: 'long' },
    cover: {
      bsonType: 'object',
      required: ['type', 'bytes', 'thumbnail'],
      properties: {
        type: { bsonType: 'string' },
        bytes: { bsonType: 'binData' },
        thumbnail: { bsonType: 'null' }
      }
    },
    shelf: { bsonType: 'binData' },
    customer: {
      bsonType: 'object',
      required: ['$ref', '$id'],
      properties: {
        '$ref': { bsonType: 'string' },
        '$id': { bsonType: 'objectId' }
      }
    },
    lines: {
      bsonType: 'array',
      items: {
        bsonType: 'object',
        required: ['book', 'count'],
        properties: {
          book: { bsonType: 'objectId' },
          count: { bsonType: 'int' },
          note: { bsonType: 'string' }
        }
      }
    },
    total: { bsonType: 'decimal' },
    weight: { bsonType: 'double' },
    at: { bsonType: 'timestamp' },
    pattern: { bsonType: 'regex' },
    advanced: { bsonType: 'regex' },
    embedding: { bsonType: 'binData' },
    score: { bsonType: 'javascriptWithScope' },
    range: {
      bsonType: 'array',
      items: { bsonType: ['minKey', 'maxKey'] }
    }
  }
}

const options = {}

const slow = slowOf(schema, options)

const namesDocument0 = [
  '_id',
  'kind',
  'title',
  'authors',
  'pages',
  'price',
  'rating',
  'inPrint',
  'language',
  'published',
  'sold',
  'cover',
  'shelf',
  'customer',
  'lines',
  'total',
  'weight',
  'at',
  'pattern',
  'advanced',
  'embedding',
  'score',
  'range'
]
const placesDocument0 = new Map(namesDocument0.map((name, i) => [name, i]))

function writeDocument0(out, doc, pos, depth, check) {
  if (depth > 100) return slow.writeDocument(out, 0, doc, pos, depth, check)
  let m0 = 0, next = 0, rest = false
  for (const key in doc) {
    if (!hasOwn.call(doc, key)) continue
    const i = key === namesDocument0[next] ? next : placesDocument0.get(key)
    if (i === undefined) {
      rest = true
      continue
    }
    m0 |= 1 << i
    next = i + 1
  }
  if ((m0 & 3) !== 3) return slow.writeDocument(out, 0, doc, pos, depth, check)
  const start = pos
  let buf = out.buf
  if (pos + 591 > buf.length) buf = out.grow(pos, 591)
  let v, f = 0
  let view = out.view
  pos += 4
  try {
    v = doc._id
    if (isObjectId(v) && v.toBSON === undefined) {
      f = 0
      view.setInt32(pos, 1684627207, true)
      view.setInt32(pos + 4, 0, true)
      pos += 5
      pos = putObjectId(out, v, pos)
    } else {
      f = 0
      pos = slow.writeElement(out, 1, { name: '_id', value: v, how: REQUIRED }, pos, depth, check)
      buf = out.buf
      if (pos + 569 > buf.length) buf = out.grow(pos, 569)
      view = out.view
    }
    v = doc.kind
    if (typeof v === 'string') {
      if (pos + 3 * v.length + 569 > buf.length) {
        buf = out.reserve(pos, roomOf(v) + 569)
        view = out.view
      }
      view.setInt32(pos, 1852402434, true)
      view.setInt32(pos + 4, 100, true)
      pos += 6
      const e = putUtf8(v, buf, pos + 4)
      view.setInt32(pos, e - pos - 3, true)
      buf[e] = 0
      pos = e + 1
    } else {
      f = 1
      pos = slow.writeElement(out, 2, { name: 'kind', value: v, how: REQUIRED }, pos, depth, check)
      buf = out.buf
      if (pos + 546 > buf.length) buf = out.grow(pos, 546)
      view = out.view
    }
    if (m0 & 4) {
      v = doc.title
      if (typeof v === 'string') {
        if (pos + 3 * v.length + 546 > buf.length) {
          buf = out.reserve(pos, roomOf(v) + 546)
          view = out.view
        }
        view.setInt32(pos, 1953068034, true)
        view.setInt32(pos + 4, 25964, true)
        pos += 7
        const e = putUtf8(v, buf, pos + 4)
        view.setInt32(pos, e - pos - 3, true)
        buf[e] = 0
        pos = e + 1
      } else {
        f = 2
        pos = slow.writeElement(out, 3, { name: 'title', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 522 > buf.length) buf = out.grow(pos, 522)
        view = out.view
      }
    }
    if (m0 & 8) {
      v = doc.authors
      if (Array.isArray(v) && v.toBSON === undefined) {
        f = 3
        view.setInt32(pos, 1953849604, true)
        view.setInt32(pos + 4, 1936879464, true)
        view.setInt32(pos + 8, 0, true)
        pos += 9
        pos = writeList0(out, v, pos, depth + 1, check)
        buf = out.buf
        if (pos + 496 > buf.length) buf = out.grow(pos, 496)
        view = out.view
      } else {
        f = 3
        pos = slow.writeElement(out, 4, { name: 'authors', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 496 > buf.length) buf = out.grow(pos, 496)
        view = out.view
      }
    }
    if (m0 & 16) {
      v = doc.pages
      if (typeof v === 'number' && (v | 0) === v && (v !== 0 || 1 / v > 0)) {
        view.setInt32(pos, 1734438928, true)
        view.setInt32(pos + 4, 29541, true)
        pos += 7
        view.setInt32(pos, v, true)
        pos += 4
      } else {
        f = 4
        pos = slow.writeElement(out, 5, { name: 'pages', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 472 > buf.length) buf = out.grow(pos, 472)
        view = out.view
      }
    }
    if (m0 & 32) {
      v = doc.price
      if (isDecimal128(v) && v.toBSON === undefined) {
        f = 5
        view.setInt32(pos, 1769107475, true)
        view.setInt32(pos + 4, 25955, true)
        pos += 7
        pos = putDecimal128(v, buf, pos)
      } else {
        f = 5
        pos = slow.writeElement(out, 6, { name: 'price', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 448 > buf.length) buf = out.grow(pos, 448)
        view = out.view
      }
    }
    if (m0 & 64) {
      v = doc.rating
      if (typeof v === 'number' && (v | 0) === v && (v !== 0 || 1 / v > 0)) {
        view.setInt32(pos, 1952543248, true)
        view.setInt32(pos + 4, 6778473, true)
        pos += 8
        view.setInt32(pos, v, true)
        pos += 4
      } else if (typeof v === 'number') {
        view.setInt32(pos, 1952543233, true)
        view.setInt32(pos + 4, 6778473, true)
        pos += 8
        setDouble(view, pos, v)
        pos += 8
      } else {
        f = 6
        pos = slow.writeElement(out, 7, { name: 'rating', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 423 > buf.length) buf = out.grow(pos, 423)
        view = out.view
      }
    }
    if (m0 & 128) {
      v = doc.inPrint
      if (typeof v === 'boolean') {
        view.setInt32(pos, 1349413128, true)
        view.setInt32(pos + 4, 1953393010, true)
        view.setInt32(pos + 5, 7630441, true)
        pos += 9
        buf[pos++] = v ? 1 : 0
      } else {
        f = 7
        pos = slow.writeElement(out, 8, { name: 'inPrint', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 397 > buf.length) buf = out.grow(pos, 397)
        view = out.view
      }
    }
    if (m0 & 256) {
      v = doc.language
      if (typeof v === 'string') {
        if (pos + 3 * v.length + 397 > buf.length) {
          buf = out.reserve(pos, roomOf(v) + 397)
          view = out.view
        }
        view.setInt32(pos, 1851878402, true)
        view.setInt32(pos + 4, 1734440295, true)
        view.setInt32(pos + 8, 101, true)
        pos += 10
        const e = putUtf8(v, buf, pos + 4)
        view.setInt32(pos, e - pos - 3, true)
        buf[e] = 0
        pos = e + 1
      } else {
        f = 8
        pos = slow.writeElement(out, 9, { name: 'language', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 370 > buf.length) buf = out.grow(pos, 370)
        view = out.view
      }
    }
    if (m0 & 512) {
      v = doc.published
      if (v instanceof Date && v.toBSON === undefined) {
        f = 9
        view.setInt32(pos, 1651863561, true)
        view.setInt32(pos + 4, 1752394092, true)
        view.setInt32(pos + 8, 25701, true)
        pos += 11
        pos = putDate(out, v, pos)
      } else {
        f = 9
        pos = slow.writeElement(out, 10, { name: 'published', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 342 > buf.length) buf = out.grow(pos, 342)
        view = out.view
      }
    }
    if (m0 & 1024) {
      v = doc.sold
      if (typeof v === 'number' && v >= -9007199254740992 && v <= 9007199254740992 && Math.floor(v) === v && (v !== 0 || 1 / v > 0)) {
        view.setInt32(pos, 1819243282, true)
        view.setInt32(pos + 4, 100, true)
        pos += 6
        view.setInt32(pos, v | 0, true)
        view.setInt32(pos + 4, Math.floor(v / 4294967296), true)
        pos += 8
      } else if (typeof v === 'bigint' && BigInt.asIntN(64, v) === v) {
        view.setInt32(pos, 1819243282, true)
        view.setInt32(pos + 4, 100, true)
        pos += 6
        view.setBigInt64(pos, v, true)
        pos += 8
      } else if (isLong(v) && v.toBSON === undefined && typeof v.low === 'number' && typeof v.high === 'number') {
        view.setInt32(pos, 1819243282, true)
        view.setInt32(pos + 4, 100, true)
        pos += 6
        view.setInt32(pos, v.low, true)
        view.setInt32(pos + 4, v.high, true)
        pos += 8
      } else {
        f = 10
        pos = slow.writeElement(out, 11, { name: 'sold', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 319 > buf.length) buf = out.grow(pos, 319)
        view = out.view
      }
    }
    if (m0 & 2048) {
      v = doc.cover
      if (typeof v === 'object' && v !== null && v.constructor === Object && v.toBSON === undefined) {
        f = 11
        view.setInt32(pos, 1987011331, true)
        view.setInt32(pos + 4, 29285, true)
        pos += 7
        pos = writeDocument1(out, v, pos, depth + 1, check)
        buf = out.buf
        if (pos + 295 > buf.length) buf = out.grow(pos, 295)
        view = out.view
      } else {
        f = 11
        pos = slow.writeElement(out, 12, { name: 'cover', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 295 > buf.length) buf = out.grow(pos, 295)
        view = out.view
      }
    }
    if (m0 & 4096) {
      v = doc.shelf
      if (isBinary(v) && v.toBSON === undefined) {
        f = 12
        view.setInt32(pos, 1701344005, true)
        view.setInt32(pos + 4, 26220, true)
        pos += 7
        pos = putBinary(out, v, pos)
        buf = out.buf
        if (pos + 271 > buf.length) buf = out.grow(pos, 271)
        view = out.view
      } else {
        f = 12
        pos = slow.writeElement(out, 13, { name: 'shelf', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 271 > buf.length) buf = out.grow(pos, 271)
        view = out.view
      }
    }
    if (m0 & 8192) {
      v = doc.customer
      if (typeof v === 'object' && v !== null && v.constructor === Object && v.toBSON === undefined) {
        f = 13
        view.setInt32(pos, 1937072899, true)
        view.setInt32(pos + 4, 1701670772, true)
        view.setInt32(pos + 8, 114, true)
        pos += 10
        pos = writeDocument2(out, v, pos, depth + 1, check)
        buf = out.buf
        if (pos + 244 > buf.length) buf = out.grow(pos, 244)
        view = out.view
      } else {
        f = 13
        pos = slow.writeElement(out, 14, { name: 'customer', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 244 > buf.length) buf = out.grow(pos, 244)
        view = out.view
      }
    }
    if (m0 & 16384) {
      v = doc.lines
      if (Array.isArray(v) && v.toBSON === undefined) {
        f = 14
        view.setInt32(pos, 1852402692, true)
        view.setInt32(pos + 4, 29541, true)
        pos += 7
        pos = writeList1(out, v, pos, depth + 1, check)
        buf = out.buf
        if (pos + 220 > buf.length) buf = out.grow(pos, 220)
        view = out.view
      } else {
        f = 14
        pos = slow.writeElement(out, 15, { name: 'lines', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 220 > buf.length) buf = out.grow(pos, 220)
        view = out.view
      }
    }
    if (m0 & 32768) {
      v = doc.total
      if (isDecimal128(v) && v.toBSON === undefined) {
        f = 15
        view.setInt32(pos, 1953461267, true)
        view.setInt32(pos + 4, 27745, true)
        pos += 7
        pos = putDecimal128(v, buf, pos)
      } else {
        f = 15
        pos = slow.writeElement(out, 16, { name: 'total', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 196 > buf.length) buf = out.grow(pos, 196)
        view = out.view
      }
    }
    if (m0 & 65536) {
      v = doc.weight
      if (typeof v === 'number') {
        view.setInt32(pos, 1768257281, true)
        view.setInt32(pos + 4, 7628903, true)
        pos += 8
        setDouble(view, pos, v)
        pos += 8
      } else {
        f = 16
        pos = slow.writeElement(out, 17, { name: 'weight', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 171 > buf.length) buf = out.grow(pos, 171)
        view = out.view
      }
    }
    if (m0 & 131072) {
      v = doc.at
      f = 17
      pos = slow.writeElement(out, 18, { name: 'at', value: v, how: OPTIONAL }, pos, depth, check)
      buf = out.buf
      if (pos + 150 > buf.length) buf = out.grow(pos, 150)
      view = out.view
    }
    if (m0 & 262144) {
      v = doc.pattern
      f = 18
      pos = slow.writeElement(out, 19, { name: 'pattern', value: v, how: OPTIONAL }, pos, depth, check)
      buf = out.buf
      if (pos + 124 > buf.length) buf = out.grow(pos, 124)
      view = out.view
    }
    if (m0 & 524288) {
      v = doc.advanced
      f = 19
      pos = slow.writeElement(out, 20, { name: 'advanced', value: v, how: OPTIONAL }, pos, depth, check)
      buf = out.buf
      if (pos + 97 > buf.length) buf = out.grow(pos, 97)
      view = out.view
    }
    if (m0 & 1048576) {
      v = doc.embedding
      if (isBinary(v) && v.toBSON === undefined) {
        f = 20
        view.setInt32(pos, 1651336453, true)
        view.setInt32(pos + 4, 1768186981, true)
        view.setInt32(pos + 8, 26478, true)
        pos += 11
        pos = putBinary(out, v, pos)
        buf = out.buf
        if (pos + 69 > buf.length) buf = out.grow(pos, 69)
        view = out.view
      } else {
        f = 20
        pos = slow.writeElement(out, 21, { name: 'embedding', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 69 > buf.length) buf = out.grow(pos, 69)
        view = out.view
      }
    }
    if (m0 & 2097152) {
      v = doc.score
      f = 21
      pos = slow.writeElement(out, 22, { name: 'score', value: v, how: OPTIONAL }, pos, depth, check)
      buf = out.buf
      if (pos + 45 > buf.length) buf = out.grow(pos, 45)
      view = out.view
    }
    if (m0 & 4194304) {
      v = doc.range
      if (Array.isArray(v) && v.toBSON === undefined) {
        f = 22
        view.setInt32(pos, 1851879940, true)
        view.setInt32(pos + 4, 25959, true)
        pos += 7
        pos = writeList2(out, v, pos, depth + 1, check)
        buf = out.buf
        if (pos + 21 > buf.length) buf = out.grow(pos, 21)
        view = out.view
      } else {
        f = 22
        pos = slow.writeElement(out, 23, { name: 'range', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 21 > buf.length) buf = out.grow(pos, 21)
        view = out.view
      }
    }
  } catch (error) {
    throw cameThrough(error, doc, namesDocument0[f])
  }
  if (rest) pos = slow.writeRest(out, 0, doc, pos, depth, check)
  buf = out.reserve(pos, 1)
  buf[pos++] = 0
  out.view.setInt32(start, pos - start, true)
  return pos
}

function readDocument0(buf, view, pos, end, depth, check) {
  let p = pos, n = 0
  let v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19
  let v20, v21, v22
  fields: {
    if (depth > 100) break fields
    if (
      p + 28 > end || view.getInt32(p, true) !== 1684627207 ||
      view.getInt32(p + 1, true) !== 6580575 || view.getInt32(p + 17, true) !== 1852402434 ||
      view.getInt32(p + 19, true) !== 6581865
    ) {
      break fields
    }
    v0 = getObjectId(buf, p + 5)
    const e1 = p + 27 + view.getInt32(p + 23, true)
    if (e1 < p + 28 || e1 > end || buf[e1 - 1] !== 0) break fields
    v1 = getText(buf, view, p + 27, e1 - 1)
    p = e1
    n = 2
    if (!(p + 12 > end || view.getInt32(p, true) !== 1953068034 || view.getInt32(p + 3, true) !== 6646900)) {
      const e2 = p + 11 + view.getInt32(p + 7, true)
      if (e2 < p + 12 || e2 > end || buf[e2 - 1] !== 0) break fields
      v2 = getText(buf, view, p + 11, e2 - 1)
      p = e2
    }
    n = 3
    if (
      !(p + 14 > end || view.getInt32(p, true) !== 1953849604 ||
      view.getInt32(p + 4, true) !== 1936879464 || view.getInt32(p + 5, true) !== 7565935)
    ) {
      const e3 = p + 9 + view.getInt32(p + 9, true)
      if (e3 < p + 14 || e3 > end || buf[e3 - 1] !== 0) break fields
      v3 = readList0(buf, view, p + 13, e3 - 1, depth + 1, check)
      p = e3
    }
    if (!(p + 11 > end || view.getInt32(p, true) !== 1734438928 || view.getInt32(p + 3, true) !== 7562599)) {
      v4 = view.getInt32(p + 7, true)
      p += 11
    }
    if (!(p + 23 > end || view.getInt32(p, true) !== 1769107475 || view.getInt32(p + 3, true) !== 6644585)) {
      v5 = getDecimal128(buf, p + 7)
      p += 23
    }
    n = 6
    if (
      !(p + 12 > end || (view.getInt32(p, true) & -256) !== 1952543232 ||
      view.getInt32(p + 4, true) !== 6778473)
    ) {
      const t6 = buf[p]
      if (t6 === 1 && p + 16 <= end) {
        v6 = view.getFloat64(p + 8, true)
        p += 16
      } else if (t6 === 16 && p + 12 <= end) {
        v6 = view.getInt32(p + 8, true)
        p += 12
      } else {
        break fields
      }
    }
    n = 7
    if (
      !(p + 10 > end || view.getInt32(p, true) !== 1349413128 ||
      view.getInt32(p + 4, true) !== 1953393010 || view.getInt32(p + 5, true) !== 7630441)
    ) {
      if (buf[p + 9] > 1) break fields
      v7 = buf[p + 9] === 1
      p += 10
    }
    n = 8
    if (
      !(p + 15 > end || view.getInt32(p, true) !== 1851878402 ||
      view.getInt32(p + 4, true) !== 1734440295 || view.getInt32(p + 6, true) !== 6645601)
    ) {
      const e8 = p + 14 + view.getInt32(p + 10, true)
      if (e8 < p + 15 || e8 > end || buf[e8 - 1] !== 0) break fields
      v8 = getText(buf, view, p + 14, e8 - 1)
      p = e8
    }
    if (
      !(p + 19 > end || view.getInt32(p, true) !== 1651863561 ||
      view.getInt32(p + 4, true) !== 1752394092 || view.getInt32(p + 7, true) !== 6579560)
    ) {
      v9 = new Date(view.getInt32(p + 15, true) * 4294967296 + view.getUint32(p + 11, true))
      p += 19
    }
    if (!(p + 14 > end || view.getInt32(p, true) !== 1819243282 || view.getInt32(p + 2, true) !== 6581359)) {
      v10 = getPromotedInt64(buf, p + 6)
      p += 14
    }
    n = 11
    if (!(p + 12 > end || view.getInt32(p, true) !== 1987011331 || view.getInt32(p + 3, true) !== 7497078)) {
      const e11 = p + 7 + view.getInt32(p + 7, true)
      if (e11 < p + 12 || e11 > end || buf[e11 - 1] !== 0) break fields
      v11 = readDocument1(buf, view, p + 11, e11 - 1, depth + 1, check)
      p = e11
    }
    n = 12
    if (!(p + 12 > end || view.getInt32(p, true) !== 1701344005 || view.getInt32(p + 3, true) !== 6712421)) {
      const e12 = p + 12 + view.getInt32(p + 7, true)
      if (e12 < p + 12 || e12 > end || buf[p + 11] === 2) break fields
      v12 = getBinary(buf, p + 7, e12, false)
      p = e12
    }
    n = 13
    if (
      !(p + 15 > end || view.getInt32(p, true) !== 1937072899 ||
      view.getInt32(p + 4, true) !== 1701670772 || view.getInt32(p + 6, true) !== 7497069)
    ) {
      const e13 = p + 10 + view.getInt32(p + 10, true)
      if (e13 < p + 15 || e13 > end || buf[e13 - 1] !== 0) break fields
      v13 = readDocument2(buf, view, p + 14, e13 - 1, depth + 1, check)
      p = e13
    }
    n = 14
    if (!(p + 12 > end || view.getInt32(p, true) !== 1852402692 || view.getInt32(p + 3, true) !== 7562606)) {
      const e14 = p + 7 + view.getInt32(p + 7, true)
      if (e14 < p + 12 || e14 > end || buf[e14 - 1] !== 0) break fields
      v14 = readList1(buf, view, p + 11, e14 - 1, depth + 1, check)
      p = e14
    }
    if (!(p + 23 > end || view.getInt32(p, true) !== 1953461267 || view.getInt32(p + 3, true) !== 7102836)) {
      v15 = getDecimal128(buf, p + 7)
      p += 23
    }
    if (!(p + 16 > end || view.getInt32(p, true) !== 1768257281 || view.getInt32(p + 4, true) !== 7628903)) {
      v16 = view.getFloat64(p + 8, true)
      p += 16
    }
    if (!(p + 12 > end || view.getInt32(p, true) !== 7627025)) {
      v17 = getTimestamp(buf, p + 4)
      p += 12
    }
    n = 18
    if (
      !(p + 9 > end || (view.getInt32(p, true) & -256) !== 1952542720 ||
      view.getInt32(p + 4, true) !== 1852990836 || view.getInt32(p + 5, true) !== 7238245)
    ) {
      const t18 = buf[p]
      const e18 = scanElement(t18, buf, p, p + 8, end)
      v18 = slow.readValue(19, { buf, pos: p, value: p + 9, next: e18, depth, check })
      if (v18 === undefined) break fields
      p = e18
    }
    n = 19
    if (
      !(p + 10 > end || (view.getInt32(p, true) & -256) !== 1986289920 ||
      view.getInt32(p + 4, true) !== 1701015137 || view.getInt32(p + 6, true) !== 6579555)
    ) {
      const t19 = buf[p]
      const e19 = scanElement(t19, buf, p, p + 9, end)
      v19 = slow.readValue(20, { buf, pos: p, value: p + 10, next: e19, depth, check })
      if (v19 === undefined) break fields
      p = e19
    }
    n = 20
    if (
      !(p + 16 > end || view.getInt32(p, true) !== 1651336453 ||
      view.getInt32(p + 4, true) !== 1768186981 || view.getInt32(p + 7, true) !== 6778473)
    ) {
      const e20 = p + 16 + view.getInt32(p + 11, true)
      if (e20 < p + 16 || e20 > end || buf[p + 15] === 2) break fields
      v20 = getBinary(buf, p + 11, e20, false)
      p = e20
    }
    n = 21
    if (
      !(p + 7 > end || (view.getInt32(p, true) & -256) !== 1868788480 ||
      view.getInt32(p + 3, true) !== 6648431)
    ) {
      const t21 = buf[p]
      const e21 = scanElement(t21, buf, p, p + 6, end)
      v21 = slow.readValue(22, { buf, pos: p, value: p + 7, next: e21, depth, check })
      if (v21 === undefined) break fields
      p = e21
    }
    n = 22
    if (!(p + 12 > end || view.getInt32(p, true) !== 1851879940 || view.getInt32(p + 3, true) !== 6645614)) {
      const e22 = p + 7 + view.getInt32(p + 7, true)
      if (e22 < p + 12 || e22 > end || buf[e22 - 1] !== 0) break fields
      v22 = readList2(buf, view, p + 11, e22 - 1, depth + 1, check)
      p = e22
    }
    n = 23
    if (p !== end) break fields
    if (
      v2 !== undefined && v3 !== undefined && v4 !== undefined && v5 !== undefined &&
      v6 !== undefined && v7 !== undefined && v8 !== undefined && v9 !== undefined &&
      v10 !== undefined && v11 !== undefined && v12 !== undefined && v13 !== undefined &&
      v14 !== undefined && v15 !== undefined && v16 !== undefined && v17 !== undefined &&
      v18 !== undefined && v19 !== undefined && v20 !== undefined && v21 !== undefined &&
      v22 !== undefined
    ) {
      return {
        _id: v0,
        kind: v1,
        title: v2,
        authors: v3,
        pages: v4,
        price: v5,
        rating: v6,
        inPrint: v7,
        language: v8,
        published: v9,
        sold: v10,
        cover: v11,
        shelf: v12,
        customer: v13,
        lines: v14,
        total: v15,
        weight: v16,
        at: v17,
        pattern: v18,
        advanced: v19,
        embedding: v20,
        score: v21,
        range: v22
      }
    }
    const doc = { _id: v0, kind: v1 }
    if (v2 !== undefined) doc.title = v2
    if (v3 !== undefined) doc.authors = v3
    if (v4 !== undefined) doc.pages = v4
    if (v5 !== undefined) doc.price = v5
    if (v6 !== undefined) doc.rating = v6
    if (v7 !== undefined) doc.inPrint = v7
    if (v8 !== undefined) doc.language = v8
    if (v9 !== undefined) doc.published = v9
    if (v10 !== undefined) doc.sold = v10
    if (v11 !== undefined) doc.cover = v11
    if (v12 !== undefined) doc.shelf = v12
    if (v13 !== undefined) doc.customer = v13
    if (v14 !== undefined) doc.lines = v14
    if (v15 !== undefined) doc.total = v15
    if (v16 !== undefined) doc.weight = v16
    if (v17 !== undefined) doc.at = v17
    if (v18 !== undefined) doc.pattern = v18
    if (v19 !== undefined) doc.advanced = v19
    if (v20 !== undefined) doc.embedding = v20
    if (v21 !== undefined) doc.score = v21
    if (v22 !== undefined) doc.range = v22
    return doc
  }
  return slow.readRest(
    { id: 0, isPositional: false, values: [v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11,
    v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22], count: n, buf, pos: p, end,
    start: pos, depth, check }
  )
}

function writeList0(out, array, pos, depth, check) {
  if (depth > 100 || array.length > 715827882) return slow.writeList(out, 0, array, pos, depth, check)
  const start = pos
  let buf = out.reserve(pos, 5)
  let view = out.view, i = 0
  pos += 4
  try {
    for (; i < array.length; i++) {
      if (pos + 45 > buf.length) {
        buf = out.grow(pos, 45)
        view = out.view
      }
      const v = array[i]
      if (typeof v === 'string') {
        if (pos + 3 * v.length + 45 > buf.length) {
          buf = out.reserve(pos, roomOf(v) + 45)
          view = out.view
        }
        pos = putIndexName(2, i, view, pos)
        const e = putUtf8(v, buf, pos + 4)
        view.setInt32(pos, e - pos - 3, true)
        buf[e] = 0
        pos = e + 1
      } else {
        pos = slow.writeElement(out, 24, { name: i, value: v, how: ITEM }, pos, depth, check)
        buf = out.buf
        if (pos + 45 > buf.length) buf = out.grow(pos, 45)
        view = out.view
      }
    }
  } catch (error) {
    throw cameThrough(error, array, i)
  }
  buf = out.reserve(pos, 1)
  buf[pos++] = 0
  out.view.setInt32(start, pos - start, true)
  return pos
}

function readList0(buf, view, pos, end, depth, check) {
  let p = pos, n = 0, v, a, b, c, d, array
  while (p < end && depth <= 100) {
    const q = itemAt(buf, p, n, end)
    const t = buf[p]
    if (t === 2 && q + 5 <= end) {
      const e = q + 4 + view.getInt32(q, true)
      if (e < q + 5 || e > end || buf[e - 1] !== 0) break
      v = getText(buf, view, q + 4, e - 1)
      p = e
    } else break
    if (n > 4) {
      array.push(v)
    } else if (n === 0) {
      a = v
    } else if (n === 1) {
      b = v
    } else if (n === 2) {
      c = v
    } else if (n === 3) {
      d = v
    } else {
      array = [a, b, c, d, v]
    }
    n++
  }
  if (p === end && depth <= 100) {
    if (n === 1) return [a]
    if (n === 2) return [a, b]
    if (n === 3) return [a, b, c]
    if (n === 4) return [a, b, c, d]
    return array ?? []
  }
  return slow.readList(
    { id: 0, values: array ?? [a, b, c, d].slice(0, n), buf, pos: p, end, start: pos, depth,
    check }
  )
}

const namesDocument1 = ['type', 'bytes', 'thumbnail']
const placesDocument1 = new Map(namesDocument1.map((name, i) => [name, i]))

function writeDocument1(out, doc, pos, depth, check) {
  if (depth > 100) return slow.writeDocument(out, 1, doc, pos, depth, check)
  let m0 = 0, next = 0, rest = false
  for (const key in doc) {
    if (!hasOwn.call(doc, key)) continue
    const i = key === namesDocument1[next] ? next : placesDocument1.get(key)
    if (i === undefined) {
      rest = true
      continue
    }
    m0 |= 1 << i
    next = i + 1
  }
  if ((m0 & 7) !== 7) return slow.writeDocument(out, 1, doc, pos, depth, check)
  const start = pos
  let buf = out.buf
  if (pos + 96 > buf.length) buf = out.grow(pos, 96)
  let v, f = 0
  let view = out.view
  pos += 4
  try {
    v = doc.type
    if (typeof v === 'string') {
      if (pos + 3 * v.length + 96 > buf.length) {
        buf = out.reserve(pos, roomOf(v) + 96)
        view = out.view
      }
      view.setInt32(pos, 1887007746, true)
      view.setInt32(pos + 4, 101, true)
      pos += 6
      const e = putUtf8(v, buf, pos + 4)
      view.setInt32(pos, e - pos - 3, true)
      buf[e] = 0
      pos = e + 1
    } else {
      f = 0
      pos = slow.writeElement(out, 25, { name: 'type', value: v, how: REQUIRED }, pos, depth, check)
      buf = out.buf
      if (pos + 73 > buf.length) buf = out.grow(pos, 73)
      view = out.view
    }
    v = doc.bytes
    if (isBinary(v) && v.toBSON === undefined) {
      f = 1
      view.setInt32(pos, 1954112005, true)
      view.setInt32(pos + 4, 29541, true)
      pos += 7
      pos = putBinary(out, v, pos)
      buf = out.buf
      if (pos + 49 > buf.length) buf = out.grow(pos, 49)
      view = out.view
    } else {
      f = 1
      pos = slow.writeElement(out, 26, { name: 'bytes', value: v, how: REQUIRED }, pos, depth, check)
      buf = out.buf
      if (pos + 49 > buf.length) buf = out.grow(pos, 49)
      view = out.view
    }
    v = doc.thumbnail
    if (v === null) {
      view.setInt32(pos, 1969779722, true)
      view.setInt32(pos + 4, 1634624109, true)
      view.setInt32(pos + 8, 27753, true)
      pos += 11
    } else {
      f = 2
      pos = slow.writeElement(out, 27, { name: 'thumbnail', value: v, how: REQUIRED }, pos, depth, check)
      buf = out.buf
      if (pos + 21 > buf.length) buf = out.grow(pos, 21)
      view = out.view
    }
  } catch (error) {
    throw cameThrough(error, doc, namesDocument1[f])
  }
  if (rest) pos = slow.writeRest(out, 1, doc, pos, depth, check)
  buf = out.reserve(pos, 1)
  buf[pos++] = 0
  out.view.setInt32(start, pos - start, true)
  return pos
}

function readDocument1(buf, view, pos, end, depth, check) {
  let p = pos, n = 0
  let v0, v1, v2
  fields: {
    if (depth > 100) break fields
    if (p + 11 > end || view.getInt32(p, true) !== 1887007746 || view.getInt32(p + 2, true) !== 6647929) {
      break fields
    }
    const e0 = p + 10 + view.getInt32(p + 6, true)
    if (e0 < p + 11 || e0 > end || buf[e0 - 1] !== 0) break fields
    v0 = getText(buf, view, p + 10, e0 - 1)
    p = e0
    n = 1
    if (p + 12 > end || view.getInt32(p, true) !== 1954112005 || view.getInt32(p + 3, true) !== 7562612) {
      break fields
    }
    const e1 = p + 12 + view.getInt32(p + 7, true)
    if (e1 < p + 12 || e1 > end || buf[p + 11] === 2) break fields
    v1 = getBinary(buf, p + 7, e1, false)
    p = e1
    n = 2
    if (
      p + 11 > end || view.getInt32(p, true) !== 1969779722 ||
      view.getInt32(p + 4, true) !== 1634624109 || view.getInt32(p + 7, true) !== 7104865
    ) {
      break fields
    }
    v2 = null
    p += 11
    n = 3
    if (p !== end) break fields
    return { type: v0, bytes: v1, thumbnail: v2 }
  }
  return slow.readRest(
    { id: 1, isPositional: false, values: [v0, v1, v2], count: n, buf, pos: p, end, start: pos,
    depth, check }
  )
}

function writeDocument2(out, doc, pos, depth, check) {
  return slow.writeDocument(out, 2, doc, pos, depth, check)
}

function readDocument2(buf, view, pos, end, depth, check) {
  return slow.readRest(
    { id: 2, isPositional: false, values: [], count: 0, buf, pos: pos, end, start: pos, depth,
    check }
  )
}

function writeList1(out, array, pos, depth, check) {
  if (depth > 100 || array.length > 715827882) return slow.writeList(out, 1, array, pos, depth, check)
  const start = pos
  let buf = out.reserve(pos, 5)
  let view = out.view, i = 0
  pos += 4
  try {
    for (; i < array.length; i++) {
      if (pos + 45 > buf.length) {
        buf = out.grow(pos, 45)
        view = out.view
      }
      const v = array[i]
      if (typeof v === 'object' && v !== null && v.constructor === Object && v.toBSON === undefined) {
        pos = putIndexName(3, i, view, pos)
        pos = writeDocument3(out, v, pos, depth + 1, check)
        buf = out.buf
        if (pos + 45 > buf.length) buf = out.grow(pos, 45)
        view = out.view
      } else {
        pos = slow.writeElement(out, 30, { name: i, value: v, how: ITEM }, pos, depth, check)
        buf = out.buf
        if (pos + 45 > buf.length) buf = out.grow(pos, 45)
        view = out.view
      }
    }
  } catch (error) {
    throw cameThrough(error, array, i)
  }
  buf = out.reserve(pos, 1)
  buf[pos++] = 0
  out.view.setInt32(start, pos - start, true)
  return pos
}

function readList1(buf, view, pos, end, depth, check) {
  let p = pos, n = 0, v, a, b, c, d, array
  while (p < end && depth <= 100) {
    const q = itemAt(buf, p, n, end)
    const t = buf[p]
    if (t === 3 && q + 5 <= end) {
      const e = q + view.getInt32(q, true)
      if (e < q + 5 || e > end || buf[e - 1] !== 0) break
      v = readDocument3(buf, view, q + 4, e - 1, depth + 1, check)
      p = e
    } else break
    if (n > 4) {
      array.push(v)
    } else if (n === 0) {
      a = v
    } else if (n === 1) {
      b = v
    } else if (n === 2) {
      c = v
    } else if (n === 3) {
      d = v
    } else {
      array = [a, b, c, d, v]
    }
    n++
  }
  if (p === end && depth <= 100) {
    if (n === 1) return [a]
    if (n === 2) return [a, b]
    if (n === 3) return [a, b, c]
    if (n === 4) return [a, b, c, d]
    return array ?? []
  }
  return slow.readList(
    { id: 1, values: array ?? [a, b, c, d].slice(0, n), buf, pos: p, end, start: pos, depth,
    check }
  )
}

function writeList2(out, array, pos, depth, check) {
  return slow.writeList(out, 2, array, pos, depth, check)
}

function readList2(buf, view, pos, end, depth, check) {
  return slow.readList({ id: 2, values: [], buf, pos: pos, end, start: pos, depth, check })
}

const namesDocument3 = ['book', 'count', 'note']
const placesDocument3 = new Map(namesDocument3.map((name, i) => [name, i]))

function writeDocument3(out, doc, pos, depth, check) {
  if (depth > 100) return slow.writeDocument(out, 3, doc, pos, depth, check)
  let m0 = 0, next = 0, rest = false
  for (const key in doc) {
    if (!hasOwn.call(doc, key)) continue
    const i = key === namesDocument3[next] ? next : placesDocument3.get(key)
    if (i === undefined) {
      rest = true
      continue
    }
    m0 |= 1 << i
    next = i + 1
  }
  if ((m0 & 3) !== 3) return slow.writeDocument(out, 3, doc, pos, depth, check)
  const start = pos
  let buf = out.buf
  if (pos + 91 > buf.length) buf = out.grow(pos, 91)
  let v, f = 0
  let view = out.view
  pos += 4
  try {
    v = doc.book
    if (isObjectId(v) && v.toBSON === undefined) {
      f = 0
      view.setInt32(pos, 1869570567, true)
      view.setInt32(pos + 4, 107, true)
      pos += 6
      pos = putObjectId(out, v, pos)
    } else {
      f = 0
      pos = slow.writeElement(out, 32, { name: 'book', value: v, how: REQUIRED }, pos, depth, check)
      buf = out.buf
      if (pos + 68 > buf.length) buf = out.grow(pos, 68)
      view = out.view
    }
    v = doc.count
    if (typeof v === 'number' && (v | 0) === v && (v !== 0 || 1 / v > 0)) {
      view.setInt32(pos, 1970234128, true)
      view.setInt32(pos + 4, 29806, true)
      pos += 7
      view.setInt32(pos, v, true)
      pos += 4
    } else {
      f = 1
      pos = slow.writeElement(out, 33, { name: 'count', value: v, how: REQUIRED }, pos, depth, check)
      buf = out.buf
      if (pos + 44 > buf.length) buf = out.grow(pos, 44)
      view = out.view
    }
    if (m0 & 4) {
      v = doc.note
      if (typeof v === 'string') {
        if (pos + 3 * v.length + 44 > buf.length) {
          buf = out.reserve(pos, roomOf(v) + 44)
          view = out.view
        }
        view.setInt32(pos, 1953459714, true)
        view.setInt32(pos + 4, 101, true)
        pos += 6
        const e = putUtf8(v, buf, pos + 4)
        view.setInt32(pos, e - pos - 3, true)
        buf[e] = 0
        pos = e + 1
      } else {
        f = 2
        pos = slow.writeElement(out, 34, { name: 'note', value: v, how: OPTIONAL }, pos, depth, check)
        buf = out.buf
        if (pos + 21 > buf.length) buf = out.grow(pos, 21)
        view = out.view
      }
    }
  } catch (error) {
    throw cameThrough(error, doc, namesDocument3[f])
  }
  if (rest) pos = slow.writeRest(out, 3, doc, pos, depth, check)
  buf = out.reserve(pos, 1)
  buf[pos++] = 0
  out.view.setInt32(start, pos - start, true)
  return pos
}

function readDocument3(buf, view, pos, end, depth, check) {
  let p = pos, n = 0
  let v0, v1, v2
  fields: {
    if (depth > 100) break fields
    if (
      p + 29 > end || view.getInt32(p, true) !== 1869570567 ||
      view.getInt32(p + 2, true) !== 7040879 || view.getInt32(p + 18, true) !== 1970234128 ||
      view.getInt32(p + 21, true) !== 7630453
    ) {
      break fields
    }
    v0 = getObjectId(buf, p + 6)
    v1 = view.getInt32(p + 25, true)
    p += 29
    n = 2
    if (!(p + 11 > end || view.getInt32(p, true) !== 1953459714 || view.getInt32(p + 2, true) !== 6648943)) {
      const e2 = p + 10 + view.getInt32(p + 6, true)
      if (e2 < p + 11 || e2 > end || buf[e2 - 1] !== 0) break fields
      v2 = getText(buf, view, p + 10, e2 - 1)
      p = e2
    }
    n = 3
    if (p !== end) break fields
    if (v2 === undefined) {
      return { book: v0, count: v1 }
    }
    return { book: v0, count: v1, note: v2 }
  }
  return slow.readRest(
    { id: 3, isPositional: false, values: [v0, v1, v2], count: n, buf, pos: p, end, start: pos,
    depth, check }
  )
}

function writeRoot(out, doc, pos, check) {
  if (doc.constructor !== Object && isMap(doc)) return slow.writeRoot(out, doc, pos, check)
  return writeDocument0(out, doc, pos, 1, check)
}

function readRoot(buf, index, end, check) {
  return readFrom(readDocument0, buf, index, end, 4, check)
}

const { encode, encodeInto, sizeOf, decode, validate } = codecOf({ writeRoot, readRoot }, slow, options)

module.exports = { encode, encodeInto, sizeOf, decode, validate }
