'use strict'

// The codec that `qbson compile` wrote for the documents of bookshop.bson:
//
//   qbson schema --no-bounds --no-descriptions --out examples/bookshop.schema.json examples/bookshop.bson
//   qbson compile examples/bookshop.schema.json --out examples/bookshop.js

const fs = require('node:fs')
const path = require('node:path')
const { documents } = require('qbson')
const bookshop = require('./bookshop')

for (const document of documents(fs.readFileSync(path.join(__dirname, 'bookshop.bson')))) {
  const bytes = bookshop.encode(document)
  const { kind, title = '(no title)' } = bookshop.decode(bytes, { check: true })
  console.log(`${kind}: ${title}, ${bytes.length} bytes`)
}
