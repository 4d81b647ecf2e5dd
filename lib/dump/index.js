'use strict'

// Reads the output of mongodump: .bson files, archives and folders, compressed or not. Writes archives for
// mongorestore.

const { Batch } = require('../batch')
const { openDump, readChunks } = require('./open')
const { splits } = require('./splits')
const { ArchiveWriter } = require('./write-archive')
const { Window } = require('./window')
const { Namespace, parseNamespace, escapeName } = require('./namespace')

module.exports = { openDump, readChunks, Batch, Window, splits, ArchiveWriter, Namespace, parseNamespace, escapeName }
