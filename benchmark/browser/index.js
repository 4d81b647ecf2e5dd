'use strict'

// Runs each case in a page of a browser process of its own, with test/runtimes. The libraries are the files that their
// packages provide for browsers.

const fs = require('node:fs')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const { packInto } = require('../runner/sizes')
const { BROWSERS, programOf, openPage, serve } = require('../../test/runtimes/browsers')

const root = path.join(__dirname, '..', '..')

/** The contenders, with the names of their functions, and their files for browsers in the folder that is served. */
const CONTENDERS = {
  bson: { library: '/bson.mjs', names: { encode: 'serialize', decode: 'deserialize' } },
  qbson: { library: '/node_modules/qbson/dist/browser/qbson.mjs', names: { encode: 'encode', decode: 'decode' } }
}

const FILES = {
  '/': '<!doctype html><title>benchmark</title><script type="module" src="/page.js"></script>',
  '/page.js': fs.readFileSync(path.join(__dirname, 'page.js'), 'utf8')
}

const ENGINES = { chromium: 'V8', firefox: 'SpiderMonkey' }

/**
 * @param {string} name
 * @returns {{version: string, v8: string, contenders: string[], ask: (request: any) => Promise<any>}} `v8` is the engine
 * @throws {Error} when it is not installed
 */
function browser(name) {
  const file = programOf(name)
  if (!file) throw new Error(`${name} is not installed`)
  const [version] = /\d+(\.\d+)+/.exec(execFileSync(file, ['--version'], { encoding: 'utf8' }))
  return {
    version: `${name} ${version}`,
    v8: ENGINES[name],
    contenders: Object.keys(CONTENDERS),
    ask: request => ask(name, request)
  }
}

/** Returns the same as child.js. Outputs are checked in the page, after timing. */
async function ask(browserName, { suite: name, case: item, mode, verify }) {
  const suite = require(path.join('..', 'suites', name))
  if (!suite.page) throw new Error(`the suite ${name} does not run in a page`)
  if (verify) return []
  const folder = path.join(mode.cache, 'page')
  if (!fs.existsSync(folder)) await prepare(folder)
  const { marks, lists } = suite.page(item, mode)
  const request = { ...CONTENDERS[item.contender], op: item.op, marks, mode, lists: lists.map((list, i) => writeList(folder, list, i)) }
  const rows = await inPage(browserName, folder, request)
  return rows.map(row => ({ ...row, subject: row.subject ?? item.subject, op: row.op ?? item.op }))
}

async function prepare(folder) {
  await packInto(folder)
  fs.copyFileSync(path.join(root, 'node_modules', 'bson', 'lib', 'bson.mjs'), path.join(folder, 'bson.mjs'))
}

/** Writes what bson has read: this turns a small int64 into an int32. */
function writeList(folder, { subject, documents }, i) {
  const { serialize, deserialize } = require('bson')
  const settled = documents.map(doc => serialize(deserialize(serialize(doc))))
  fs.writeFileSync(path.join(folder, `list-${i}.bin`), Buffer.concat(settled))
  return { subject, count: documents.length, file: `/list-${i}.bin` }
}

async function inPage(browserName, folder, request) {
  const server = await serve(folder, FILES)
  try {
    const answer = await openPage(browserName, `http://127.0.0.1:${server.address().port}/`, async page => {
      await page.waitForFunction('globalThis.run')
      return page.evaluate(text => globalThis.run(JSON.parse(text)), JSON.stringify(request))
    })
    if (typeof answer === 'string') throw new Error(answer)
    return answer
  } finally {
    server.close()
  }
}

module.exports = { BROWSERS: Object.keys(BROWSERS), browser }
