'use strict'

// Documents that lie one after another, in memory and in streams.

const { Batch } = require('./batch')
const { checkSource, chunksOf, documents, documentStream, createDecodeStream, createEncodeStream } = require('./documents')
const { wrongSize, cutShort, DocumentSplitter } = require('./splitter')
const { createReadingTransform } = require('./transform')

module.exports = {
  Batch, documents, documentStream, createDecodeStream, createEncodeStream, wrongSize, cutShort, DocumentSplitter,
  createReadingTransform, checkSource, chunksOf
}
