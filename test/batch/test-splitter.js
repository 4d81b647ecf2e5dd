'use strict'

// Documents from chunks that end anywhere, against the documents that the chunks were cut from.

const { encode } = require('../../qbson')
const types = require('../../lib/types')
const { DocumentSplitter } = require('../../lib/batch/splitter')
const { randomDocument, seededRandom, below } = require('../fixtures/random-document')
const { errorOf } = require('../fixtures/error-of')

/** @returns {Generator<Buffer>} parts of random sizes, some of them empty */
function* cut(bytes, random) {
  for (let pos = 0; pos < bytes.length;) {
    const size = below(random, 60)
    yield bytes.subarray(pos, pos += size)
  }
}

module.exports = {
  'the same documents, with the offset and the number of each': t => {
    const random = seededRandom(11)
    for (let i = 0; i < 50; i++) {
      const documents = Array.from({ length: below(random, 12) }, () => encode(randomDocument(random, types)))
      const splitter = new DocumentSplitter()
      let offset = 0
      let count = 0
      for (const chunk of cut(Buffer.concat(documents), random)) {
        for (const document of splitter.push(chunk)) {
          t.deepStrictEqual(Buffer.from(document), Buffer.from(documents[count++]))
          t.deepStrictEqual([splitter.offset, splitter.count, splitter.next], [offset, count, offset + document.length])
          offset = splitter.next
        }
      }
      t.strictEqual(count, documents.length)
      t.deepStrictEqual(splitter.end(), [])
    }
    t.done()
  },

  'what is left at the end, and a wrong length, are errors at the place of that document': t => {
    const [first, second] = [encode({ a: 1 }), encode({ b: 'x' })]
    for (let size = 1; size < second.length; size++) {
      const splitter = new DocumentSplitter()
      t.strictEqual([...splitter.push(Buffer.concat([first, second.subarray(0, size)]))].length, 1)
      const { offset, document } = errorOf(() => splitter.end())
      t.deepStrictEqual([offset, document], [first.length, 2], `${size}`)
    }
    for (const size of [-1, 0, 4, second.length + 1]) {
      const wrong = Buffer.from(second)
      wrong.writeInt32LE(size, 0)
      const splitter = new DocumentSplitter({ maxDocumentSize: second.length })
      const { offset, document } = errorOf(() => [...splitter.push(Buffer.concat([first, wrong]))])
      t.deepStrictEqual([offset, document], [first.length, 2], `${size}`)
    }
    t.done()
  }
}
