'use strict'

// What mongodump writes: .bson files, archives and folders, compressed or not; and archives that mongorestore reads.

const { Block } = require('./block')
const { openDump, readChunks } = require('./open')
const { splits } = require('./splits')
const { ArchiveWriter } = require('./write-archive')
const { Window } = require('./window')
const { Namespace, parseNamespace, escapeName } = require('./namespace')

module.exports = { openDump, readChunks, Block, Window, splits, ArchiveWriter, Namespace, parseNamespace, escapeName }
