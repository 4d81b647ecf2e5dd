'use strict'

// Documents that lie one after another, in memory and in streams.

const { Batch } = require('./batch')
const { documents, documentStream, createDecodeStream, createEncodeStream } = require('./documents')
const { wrongSize, cutShort, DocumentSplitter } = require('./splitter')
const { createReadingTransform } = require('./transform')
const { checkSource, chunksOf } = require('./functions')

module.exports = {
  Batch, documents, documentStream, createDecodeStream, createEncodeStream, wrongSize, cutShort, DocumentSplitter,
  createReadingTransform, checkSource, chunksOf
}
