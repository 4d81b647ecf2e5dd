'use strict'

// What mongodump writes: .bson files, archives and folders, compressed or not; and archives that mongorestore reads.

const { openDump } = require('./open')
const { splits } = require('./splits')
const { ArchiveWriter } = require('./write-archive')
const { Namespace, parseNamespace, escapeName } = require('./namespace')

module.exports = { openDump, splits, ArchiveWriter, Namespace, parseNamespace, escapeName }
