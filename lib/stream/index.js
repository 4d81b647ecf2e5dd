'use strict'

// Consecutive documents, in files and streams.

const { documents, documentStream, createDecodeStream, createEncodeStream } = require('./documents')
const { wrongSize, cutShort, DocumentSplitter } = require('./splitter')
const { createReadingTransform } = require('./transform')
const { chunksOf } = require('./functions')

module.exports = {
  documents, documentStream, createDecodeStream, createEncodeStream, wrongSize, cutShort, DocumentSplitter,
  createReadingTransform, chunksOf
}
