'use strict'

// With V8's code in a cache on disk: the first process fills it, the second reads it and runs the portable suite.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const module_ = require('node:module')
const path = require('node:path')

const folder = path.join(__dirname, 'compile-cache')

if (process.argv[2] === 'fill') {
  module_.enableCompileCache(folder)
  const { encode, decode, EJSON } = require('qbson')
  EJSON.stringify(decode(encode({ a: 1 })))
  module_.flushCompileCache()
} else {
  execFileSync(process.execPath, [__filename, 'fill'])
  const filesIn = () => fs.readdirSync(folder, { recursive: true }).length
  const filled = filesIn()
  if (filled < 3) throw new Error(`${filled} files in the cache`)
  const { status } = module_.enableCompileCache(folder)
  if (status !== module_.constants.compileCacheStatus.ENABLED) throw new Error(`the cache is not enabled: ${status}`)
  const qbson = require('qbson')
  qbson.EJSON.stringify({})
  module_.flushCompileCache()
  if (filesIn() !== filled) throw new Error('the cache was not used')
  require('./portable.js')
  console.log(JSON.stringify(runPortable(qbson, require('qbson/json'))))
}
