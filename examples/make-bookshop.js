'use strict'

// Writes bookshop.bson: a few invented documents that together contain every common BSON type.
//
//   node examples/make-bookshop.js

const fs = require('node:fs')
const path = require('node:path')
const {
  encode, Binary, BSONRegExp, Code, DBRef, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID
} = require('../qbson')

const id = n => new ObjectId(`65a0c0de${n.toString(16).padStart(16, '0')}`)
const day = n => new Date(Date.UTC(2024, 0, n, 9, 30, 0, 125))

const books = [
  { title: 'The Lighthouse Keeper’s Almanac', authors: ['Ida Thorne'], pages: 312, price: '18.50', language: 'en' },
  { title: 'Ein Winter in Łódź', authors: ['Jan Kowal', 'Mia Adler'], pages: 488, price: '24.00', language: 'de' },
  { title: '雨の図書館', authors: ['森 あおい'], pages: 207, price: '1890', language: 'ja' },
  { title: 'Cooking for One 🍲', authors: ['Sam Okafor'], pages: 96, price: '9.99', language: 'en' }
]

const documents = [
  ...books.map((book, i) => ({
    _id: id(i + 1),
    kind: 'book',
    title: book.title,
    authors: book.authors,
    pages: book.pages,
    price: Decimal128.fromString(book.price),
    rating: 3.5 + i / 4,
    inPrint: i !== 2,
    language: book.language,
    published: day(i + 1),
    sold: Long.fromString(`${9007199254740993n + BigInt(i)}`),
    cover: { type: 'image/png', bytes: Buffer.from('89504e470d0a1a0a', 'hex'), thumbnail: null },
    shelf: new UUID(`0d8f2d5c-7a51-4c0e-9b1e-3f5e6a7b8c0${i}`)
  })),
  {
    _id: id(16),
    kind: 'order',
    customer: new DBRef('customers', id(77)),
    lines: [{ book: id(1), count: new Int32(2) }, { book: id(3), count: new Int32(1), note: 'gift wrap' }],
    total: Decimal128.fromString('55.90'),
    weight: new Double(1),
    at: new Timestamp({ t: 1705137300, i: 7 })
  },
  {
    _id: id(17),
    kind: 'search',
    pattern: /^the\s+light/i,
    advanced: new BSONRegExp('(?<=keeper)', 'ix'),
    embedding: Binary.fromFloat32Array(new Float32Array([0.25, -1.5, 3])),
    score: new Code('function (b) { return b.rating * weight }', { weight: 2 }),
    range: [new MinKey(), new MaxKey()]
  }
]

const file = path.join(__dirname, 'bookshop.bson')
fs.writeFileSync(file, Buffer.concat(documents.map(document => encode(document))))
console.log(`${file}: ${documents.length} documents, ${fs.statSync(file).size} bytes`)
