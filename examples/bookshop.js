'use strict'

// Written by `qbson compile`. Change the schema, not this.

const { codecOf } = require('qbson/compile/runtime')

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

const names = [
  'ObjectId',
  'readOther',
  'cursor',
  'getText',
  'getDecimal128',
  'promoted',
  'getBinary',
  'getTimestamp',
  'readRemainder',
  'cooldownOf',
  'tooDeep',
  'itemAt',
  'readRemainingItems',
  'readFallback',
  'isChanged',
  'readFrom'
]

function makeReader(scope) {
  const {
    ObjectId,
    readOther,
    cursor,
    getText,
    getDecimal128,
    promoted,
    getBinary,
    getTimestamp,
    readRemainder,
    cooldownOf,
    tooDeep,
    itemAt,
    readRemainingItems,
    readFallback,
    isChanged,
    readFrom
  } = scope

  const cooldownreadDocument0 = cooldownOf('readDocument0')

  function readDocument0(buf, view, pos, end, depth) {
    if (depth > 1000) tooDeep(1000, pos)
    if (cooldownreadDocument0.left > 0) {
      cooldownreadDocument0.left--
      return readRemainder(0, null, buf, view, pos, end, depth)
    }
    cooldownreadDocument0.entries++
    let
      p = pos,
      n = 0,
      doc,
      v0,
      v1,
      v2,
      v3,
      v4,
      v5,
      v6,
      v7,
      v8,
      v9,
      v10,
      v11,
      v12,
      v13,
      v14,
      v15,
      v16,
      v17,
      v18,
      v19,
      v20,
      v21,
      v22

    fields: {
      if (!(p + 5 <= end && (view.getInt32(p, true) & -256) === 1684627200 && view.getInt32(p + 1, true) === 6580575)) { n = 0; break fields }
      if (buf[p] === 7 && p + 17 <= end) {
        v0 = new ObjectId(buf, p + 5)
        p += 17
      } else {
        if (buf[p] === 6) { n = 0; break fields }
        v0 = readOther(0, buf, view, p, end, depth)
        p = cursor.pos
      }
      if (!(p + 6 <= end && (view.getInt32(p, true) & -256) === 1852402432 && view.getInt32(p + 2, true) === 6581865)) { n = 1; break fields }
      if (buf[p] === 2 && p + 11 <= end) {
        const ev1 = p + 10 + view.getInt32(p + 6, true)
        if (ev1 < p + 11 || ev1 > end || buf[ev1 - 1] !== 0) { n = 1; break fields }
        v1 = getText(buf, view, p + 10, ev1 - 1)
        p = ev1
      } else {
        if (buf[p] === 6) { n = 1; break fields }
        v1 = readOther(1, buf, view, p, end, depth)
        p = cursor.pos
      }
      if (p + 7 <= end && (view.getInt32(p, true) & -256) === 1953068032 && view.getInt32(p + 3, true) === 6646900) {
        if (buf[p] === 2 && p + 12 <= end) {
          const ev2 = p + 11 + view.getInt32(p + 7, true)
          if (ev2 < p + 12 || ev2 > end || buf[ev2 - 1] !== 0) { n = 2; break fields }
          v2 = getText(buf, view, p + 11, ev2 - 1)
          p = ev2
        } else {
          if (buf[p] === 6) { n = 2; break fields }
          v2 = readOther(2, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 9 <= end && (view.getInt32(p, true) & -256) === 1953849600 && view.getInt32(p + 4, true) === 1936879464 && view.getInt32(p + 5, true) === 7565935) {
        if (buf[p] === 4 && p + 14 <= end) {
          const ev3 = p + 9 + view.getInt32(p + 9, true)
          if (ev3 < p + 14 || ev3 > end || buf[ev3 - 1] !== 0) { n = 3; break fields }
          v3 = readList0(buf, view, p + 13, ev3 - 1, depth + 1)
          p = ev3
        } else {
          if (buf[p] === 6) { n = 3; break fields }
          v3 = readOther(3, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 7 <= end && (view.getInt32(p, true) & -256) === 1734438912 && view.getInt32(p + 3, true) === 7562599) {
        if (buf[p] === 16 && p + 11 <= end) {
          v4 = view.getInt32(p + 7, true)
          p += 11
        } else {
          if (buf[p] === 6) { n = 4; break fields }
          v4 = readOther(4, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 7 <= end && (view.getInt32(p, true) & -256) === 1769107456 && view.getInt32(p + 3, true) === 6644585) {
        if (buf[p] === 19 && p + 23 <= end) {
          v5 = getDecimal128(buf, p + 7)
          p += 23
        } else {
          if (buf[p] === 6) { n = 5; break fields }
          v5 = readOther(5, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 8 <= end && (view.getInt32(p, true) & -256) === 1952543232 && view.getInt32(p + 4, true) === 6778473) {
        if (buf[p] === 1 && p + 16 <= end) {
          v6 = view.getFloat64(p + 8, true)
          p += 16
        } else if (buf[p] === 16 && p + 12 <= end) {
          v6 = view.getInt32(p + 8, true)
          p += 12
        } else {
          if (buf[p] === 6) { n = 6; break fields }
          v6 = readOther(6, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 9 <= end && (view.getInt32(p, true) & -256) === 1349413120 && view.getInt32(p + 4, true) === 1953393010 && view.getInt32(p + 5, true) === 7630441) {
        if (buf[p] === 8 && p + 10 <= end) {
          if (buf[p + 9] > 1) { n = 7; break fields }
          v7 = buf[p + 9] === 1
          p += 10
        } else {
          if (buf[p] === 6) { n = 7; break fields }
          v7 = readOther(7, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 10 <= end && (view.getInt32(p, true) & -256) === 1851878400 && view.getInt32(p + 4, true) === 1734440295 && view.getInt32(p + 6, true) === 6645601) {
        if (buf[p] === 2 && p + 15 <= end) {
          const ev8 = p + 14 + view.getInt32(p + 10, true)
          if (ev8 < p + 15 || ev8 > end || buf[ev8 - 1] !== 0) { n = 8; break fields }
          v8 = getText(buf, view, p + 14, ev8 - 1)
          p = ev8
        } else {
          if (buf[p] === 6) { n = 8; break fields }
          v8 = readOther(8, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 11 <= end && (view.getInt32(p, true) & -256) === 1651863552 && view.getInt32(p + 4, true) === 1752394092 && view.getInt32(p + 7, true) === 6579560) {
        if (buf[p] === 9 && p + 19 <= end) {
          v9 = new Date(view.getInt32(p + 15, true) * 4294967296 + view.getUint32(p + 11, true))
          p += 19
        } else {
          if (buf[p] === 6) { n = 9; break fields }
          v9 = readOther(9, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 6 <= end && (view.getInt32(p, true) & -256) === 1819243264 && view.getInt32(p + 2, true) === 6581359) {
        if (buf[p] === 18 && p + 14 <= end) {
          v10 = promoted(view.getInt32(p + 6, true), view.getInt32(p + 10, true))
          p += 14
        } else {
          if (buf[p] === 6) { n = 10; break fields }
          v10 = readOther(10, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 7 <= end && (view.getInt32(p, true) & -256) === 1987011328 && view.getInt32(p + 3, true) === 7497078) {
        if (buf[p] === 3 && p + 12 <= end) {
          const ev11 = p + 7 + view.getInt32(p + 7, true)
          if (ev11 < p + 12 || ev11 > end || buf[ev11 - 1] !== 0) { n = 11; break fields }
          v11 = readDocument1(buf, view, p + 11, ev11 - 1, depth + 1)
          p = ev11
        } else {
          if (buf[p] === 6) { n = 11; break fields }
          v11 = readOther(11, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 7 <= end && (view.getInt32(p, true) & -256) === 1701344000 && view.getInt32(p + 3, true) === 6712421) {
        if (buf[p] === 5 && p + 12 <= end) {
          const ev12 = p + 12 + view.getInt32(p + 7, true)
          if (ev12 < p + 12 || ev12 > end || buf[p + 11] === 2) { n = 12; break fields }
          v12 = getBinary(buf, p + 7, ev12, false)
          p = ev12
        } else {
          if (buf[p] === 6) { n = 12; break fields }
          v12 = readOther(12, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 10 <= end && (view.getInt32(p, true) & -256) === 1937072896 && view.getInt32(p + 4, true) === 1701670772 && view.getInt32(p + 6, true) === 7497069) {
        if (buf[p] === 3 && p + 15 <= end) {
          const ev13 = p + 10 + view.getInt32(p + 10, true)
          if (ev13 < p + 15 || ev13 > end || buf[ev13 - 1] !== 0) { n = 13; break fields }
          v13 = readDocument2(buf, view, p + 14, ev13 - 1, depth + 1)
          p = ev13
        } else {
          if (buf[p] === 6) { n = 13; break fields }
          v13 = readOther(13, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 7 <= end && (view.getInt32(p, true) & -256) === 1852402688 && view.getInt32(p + 3, true) === 7562606) {
        if (buf[p] === 4 && p + 12 <= end) {
          const ev14 = p + 7 + view.getInt32(p + 7, true)
          if (ev14 < p + 12 || ev14 > end || buf[ev14 - 1] !== 0) { n = 14; break fields }
          v14 = readList1(buf, view, p + 11, ev14 - 1, depth + 1)
          p = ev14
        } else {
          if (buf[p] === 6) { n = 14; break fields }
          v14 = readOther(14, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 7 <= end && (view.getInt32(p, true) & -256) === 1953461248 && view.getInt32(p + 3, true) === 7102836) {
        if (buf[p] === 19 && p + 23 <= end) {
          v15 = getDecimal128(buf, p + 7)
          p += 23
        } else {
          if (buf[p] === 6) { n = 15; break fields }
          v15 = readOther(15, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 8 <= end && (view.getInt32(p, true) & -256) === 1768257280 && view.getInt32(p + 4, true) === 7628903) {
        if (buf[p] === 1 && p + 16 <= end) {
          v16 = view.getFloat64(p + 8, true)
          p += 16
        } else {
          if (buf[p] === 6) { n = 16; break fields }
          v16 = readOther(16, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 4 <= end && (view.getInt32(p, true) & -256) === 7627008) {
        if (buf[p] === 17 && p + 12 <= end) {
          v17 = getTimestamp(buf, p + 4)
          p += 12
        } else {
          if (buf[p] === 6) { n = 17; break fields }
          v17 = readOther(17, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 9 <= end && (view.getInt32(p, true) & -256) === 1952542720 && view.getInt32(p + 4, true) === 1852990836 && view.getInt32(p + 5, true) === 7238245) {
        if (buf[p] === 6) { n = 18; break fields }
        v18 = readOther(18, buf, view, p, end, depth)
        p = cursor.pos
      }
      if (p + 10 <= end && (view.getInt32(p, true) & -256) === 1986289920 && view.getInt32(p + 4, true) === 1701015137 && view.getInt32(p + 6, true) === 6579555) {
        if (buf[p] === 6) { n = 19; break fields }
        v19 = readOther(19, buf, view, p, end, depth)
        p = cursor.pos
      }
      if (p + 11 <= end && (view.getInt32(p, true) & -256) === 1651336448 && view.getInt32(p + 4, true) === 1768186981 && view.getInt32(p + 7, true) === 6778473) {
        if (buf[p] === 5 && p + 16 <= end) {
          const ev20 = p + 16 + view.getInt32(p + 11, true)
          if (ev20 < p + 16 || ev20 > end || buf[p + 15] === 2) { n = 20; break fields }
          v20 = getBinary(buf, p + 11, ev20, false)
          p = ev20
        } else {
          if (buf[p] === 6) { n = 20; break fields }
          v20 = readOther(20, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (p + 7 <= end && (view.getInt32(p, true) & -256) === 1868788480 && view.getInt32(p + 3, true) === 6648431) {
        if (buf[p] === 6) { n = 21; break fields }
        v21 = readOther(21, buf, view, p, end, depth)
        p = cursor.pos
      }
      if (p + 7 <= end && (view.getInt32(p, true) & -256) === 1851879936 && view.getInt32(p + 3, true) === 6645614) {
        if (buf[p] === 4 && p + 12 <= end) {
          const ev22 = p + 7 + view.getInt32(p + 7, true)
          if (ev22 < p + 12 || ev22 > end || buf[ev22 - 1] !== 0) { n = 22; break fields }
          v22 = readList2(buf, view, p + 11, ev22 - 1, depth + 1)
          p = ev22
        } else {
          if (buf[p] === 6) { n = 22; break fields }
          v22 = readOther(22, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (v2 !== undefined && v3 !== undefined && v4 !== undefined && v5 !== undefined && v6 !== undefined && v7 !== undefined && v8 !== undefined && v9 !== undefined && v10 !== undefined && v11 !== undefined && v12 !== undefined && v13 !== undefined && v14 !== undefined && v15 !== undefined && v16 !== undefined && v17 !== undefined && v18 !== undefined && v19 !== undefined && v20 !== undefined && v21 !== undefined && v22 !== undefined) {
        doc = {
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
      } else {
        doc = { _id: v0, kind: v1 }
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
      }
      if (p === end) return doc
      n = 23
    }
    if (doc === undefined) {
      doc = {}
      if (n > 0) doc._id = v0
      if (n > 1) doc.kind = v1
      if (n > 2 && v2 !== undefined) doc.title = v2
      if (n > 3 && v3 !== undefined) doc.authors = v3
      if (n > 4 && v4 !== undefined) doc.pages = v4
      if (n > 5 && v5 !== undefined) doc.price = v5
      if (n > 6 && v6 !== undefined) doc.rating = v6
      if (n > 7 && v7 !== undefined) doc.inPrint = v7
      if (n > 8 && v8 !== undefined) doc.language = v8
      if (n > 9 && v9 !== undefined) doc.published = v9
      if (n > 10 && v10 !== undefined) doc.sold = v10
      if (n > 11 && v11 !== undefined) doc.cover = v11
      if (n > 12 && v12 !== undefined) doc.shelf = v12
      if (n > 13 && v13 !== undefined) doc.customer = v13
      if (n > 14 && v14 !== undefined) doc.lines = v14
      if (n > 15 && v15 !== undefined) doc.total = v15
      if (n > 16 && v16 !== undefined) doc.weight = v16
      if (n > 17 && v17 !== undefined) doc.at = v17
      if (n > 18 && v18 !== undefined) doc.pattern = v18
      if (n > 19 && v19 !== undefined) doc.advanced = v19
      if (n > 20 && v20 !== undefined) doc.embedding = v20
      if (n > 21 && v21 !== undefined) doc.score = v21
      if (n > 22 && v22 !== undefined) doc.range = v22
    }
    cooldownreadDocument0.count()
    return readRemainder(0, doc, buf, view, p, end, depth)
  }

  const cooldownreadList0 = cooldownOf('readList0')

  function readList0(buf, view, pos, end, depth) {
    if (depth > 1000) tooDeep(1000, pos)
    if (cooldownreadList0.left > 0) {
      cooldownreadList0.left--
      return readRemainingItems(0, [], buf, view, pos, end, depth)
    }
    cooldownreadList0.entries++
    let p = pos, n = 0, v, a, b, c, d, array
    while (p < end) {
      const q = itemAt(buf, p, n, end)
      const t = buf[p]
      if (t === 2 && q + 5 <= end) {
        const ev = q + 4 + view.getInt32(q, true)
        if (ev < q + 5 || ev > end || buf[ev - 1] !== 0) break
        v = getText(buf, view, q + 4, ev - 1)
        p = ev
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
    if (p === end) {
      if (n === 1) return [a]
      if (n === 2) return [a, b]
      if (n === 3) return [a, b, c]
      if (n === 4) return [a, b, c, d]
      return array ?? []
    }
    cooldownreadList0.count()
    return readRemainingItems(0, array ?? [a, b, c, d].slice(0, n), buf, view, p, end, depth)
  }

  const cooldownreadDocument1 = cooldownOf('readDocument1')

  function readDocument1(buf, view, pos, end, depth) {
    if (depth > 1000) tooDeep(1000, pos)
    if (cooldownreadDocument1.left > 0) {
      cooldownreadDocument1.left--
      return readRemainder(1, null, buf, view, pos, end, depth)
    }
    cooldownreadDocument1.entries++
    let p = pos, n = 0, doc, v0, v1, v2
    fields: {
      if (!(p + 6 <= end && (view.getInt32(p, true) & -256) === 1887007744 && view.getInt32(p + 2, true) === 6647929)) { n = 0; break fields }
      if (buf[p] === 2 && p + 11 <= end) {
        const ev0 = p + 10 + view.getInt32(p + 6, true)
        if (ev0 < p + 11 || ev0 > end || buf[ev0 - 1] !== 0) { n = 0; break fields }
        v0 = getText(buf, view, p + 10, ev0 - 1)
        p = ev0
      } else {
        if (buf[p] === 6) { n = 0; break fields }
        v0 = readOther(23, buf, view, p, end, depth)
        p = cursor.pos
      }
      if (!(p + 7 <= end && (view.getInt32(p, true) & -256) === 1954112000 && view.getInt32(p + 3, true) === 7562612)) { n = 1; break fields }
      if (buf[p] === 5 && p + 12 <= end) {
        const ev1 = p + 12 + view.getInt32(p + 7, true)
        if (ev1 < p + 12 || ev1 > end || buf[p + 11] === 2) { n = 1; break fields }
        v1 = getBinary(buf, p + 7, ev1, false)
        p = ev1
      } else {
        if (buf[p] === 6) { n = 1; break fields }
        v1 = readOther(24, buf, view, p, end, depth)
        p = cursor.pos
      }
      if (!(p + 11 <= end && (view.getInt32(p, true) & -256) === 1969779712 && view.getInt32(p + 4, true) === 1634624109 && view.getInt32(p + 7, true) === 7104865)) { n = 2; break fields }
      if (buf[p] === 10) {
        v2 = null
        p += 11
      } else {
        if (buf[p] === 6) { n = 2; break fields }
        v2 = readOther(25, buf, view, p, end, depth)
        p = cursor.pos
      }
      doc = { type: v0, bytes: v1, thumbnail: v2 }
      if (p === end) return doc
      n = 3
    }
    if (doc === undefined) {
      doc = {}
      if (n > 0) doc.type = v0
      if (n > 1) doc.bytes = v1
      if (n > 2) doc.thumbnail = v2
    }
    cooldownreadDocument1.count()
    return readRemainder(1, doc, buf, view, p, end, depth)
  }

  function readDocument2(buf, view, pos, end, depth) {
    if (depth > 1000) tooDeep(1000, pos)
    return readRemainder(2, null, buf, view, pos, end, depth)
  }

  const cooldownreadList1 = cooldownOf('readList1')

  function readList1(buf, view, pos, end, depth) {
    if (depth > 1000) tooDeep(1000, pos)
    if (cooldownreadList1.left > 0) {
      cooldownreadList1.left--
      return readRemainingItems(1, [], buf, view, pos, end, depth)
    }
    cooldownreadList1.entries++
    let p = pos, n = 0, v, a, b, c, d, array
    while (p < end) {
      const q = itemAt(buf, p, n, end)
      const t = buf[p]
      if (t === 3 && q + 5 <= end) {
        const ev = q + view.getInt32(q, true)
        if (ev < q + 5 || ev > end || buf[ev - 1] !== 0) break
        v = readDocument3(buf, view, q + 4, ev - 1, depth + 1)
        p = ev
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
    if (p === end) {
      if (n === 1) return [a]
      if (n === 2) return [a, b]
      if (n === 3) return [a, b, c]
      if (n === 4) return [a, b, c, d]
      return array ?? []
    }
    cooldownreadList1.count()
    return readRemainingItems(1, array ?? [a, b, c, d].slice(0, n), buf, view, p, end, depth)
  }

  function readList2(buf, view, pos, end, depth) {
    if (depth > 1000) tooDeep(1000, pos)
    return readRemainingItems(2, [], buf, view, pos, end, depth)
  }

  const cooldownreadDocument3 = cooldownOf('readDocument3')

  function readDocument3(buf, view, pos, end, depth) {
    if (depth > 1000) tooDeep(1000, pos)
    if (cooldownreadDocument3.left > 0) {
      cooldownreadDocument3.left--
      return readRemainder(3, null, buf, view, pos, end, depth)
    }
    cooldownreadDocument3.entries++
    let p = pos, n = 0, doc, v0, v1, v2
    fields: {
      if (!(p + 6 <= end && (view.getInt32(p, true) & -256) === 1869570560 && view.getInt32(p + 2, true) === 7040879)) { n = 0; break fields }
      if (buf[p] === 7 && p + 18 <= end) {
        v0 = new ObjectId(buf, p + 6)
        p += 18
      } else {
        if (buf[p] === 6) { n = 0; break fields }
        v0 = readOther(26, buf, view, p, end, depth)
        p = cursor.pos
      }
      if (!(p + 7 <= end && (view.getInt32(p, true) & -256) === 1970234112 && view.getInt32(p + 3, true) === 7630453)) { n = 1; break fields }
      if (buf[p] === 16 && p + 11 <= end) {
        v1 = view.getInt32(p + 7, true)
        p += 11
      } else {
        if (buf[p] === 6) { n = 1; break fields }
        v1 = readOther(27, buf, view, p, end, depth)
        p = cursor.pos
      }
      if (p + 6 <= end && (view.getInt32(p, true) & -256) === 1953459712 && view.getInt32(p + 2, true) === 6648943) {
        if (buf[p] === 2 && p + 11 <= end) {
          const ev2 = p + 10 + view.getInt32(p + 6, true)
          if (ev2 < p + 11 || ev2 > end || buf[ev2 - 1] !== 0) { n = 2; break fields }
          v2 = getText(buf, view, p + 10, ev2 - 1)
          p = ev2
        } else {
          if (buf[p] === 6) { n = 2; break fields }
          v2 = readOther(28, buf, view, p, end, depth)
          p = cursor.pos
        }
      }
      if (v2 !== undefined) {
        doc = { book: v0, count: v1, note: v2 }
      } else {
        doc = { book: v0, count: v1 }
      }
      if (p === end) return doc
      n = 3
    }
    if (doc === undefined) {
      doc = {}
      if (n > 0) doc.book = v0
      if (n > 1) doc.count = v1
      if (n > 2 && v2 !== undefined) doc.note = v2
    }
    cooldownreadDocument3.count()
    return readRemainder(3, doc, buf, view, p, end, depth)
  }

  function readRoot(buf, index, end) {
    if (cooldownreadDocument0.left > 0) {
      cooldownreadDocument0.left--
      return readFallback(buf, index, end)
    }
    if (isChanged(end - index)) return readFallback(buf, index, end)
    return readFrom(readDocument0, buf, index, end)
  }

  return readRoot
}

const codec = codecOf({ schema, options, isOwn: false, names, makeReader })
const { encode, encodeInto, sizeOf, decode, validate } = codec

module.exports = { encode, encodeInto, sizeOf, decode, validate }
