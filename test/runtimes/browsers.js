'use strict'

// A page, or its worker, in an installed headless browser, served from this machine.

const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const { LONGEST, packageOf } = require('./tools')

/** Where distributions put them; `browser` is the driver's name for the kind. */
const BROWSERS = {
  chromium: {
    browser: 'chrome',
    files: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync']
  },
  firefox: { browser: 'firefox', files: ['/usr/bin/firefox-esr', '/usr/bin/firefox'], args: [] }
}

const TYPES = { '.mjs': 'text/javascript', '.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' }

const PAGE = '<!doctype html><title>qbson</title><script type="module" src="/page.js"></script>'

const RUN = `
  import '/portable.js'
  import * as qbson from '/node_modules/qbson/dist/browser/qbson.mjs'
  import * as json from '/node_modules/qbson/dist/browser/json.mjs'
  const answer = runPortable(qbson, json)`

const FILES = {
  '/': PAGE,
  '/page.js': `
    const kind = location.hash.slice(1)
    const tell = text => { window.answer = text }
    if (kind === 'worker') {
      const worker = new Worker('/worker.js', { type: 'module' })
      worker.onmessage = event => tell(event.data)
      worker.onerror = event => tell(JSON.stringify({ error: event.message }))
    } else {
      import('/main.js').then(({ text }) => text).then(tell, error => tell(JSON.stringify({ error: String(error) })))
    }`,
  '/main.js': `${RUN}\nexport const text = JSON.stringify(answer)`,
  '/worker.js': `${RUN}\npostMessage(JSON.stringify(answer))`
}

/**
 * @param {string} folder
 * @param {Record<string, string | Buffer>} files content that replaces the file at a path
 * @param {boolean} [csp] with a policy that forbids code generation
 * @returns {Promise<http.Server>} on a port of its own
 */
function serve(folder, files, csp = false) {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const file = path.join(folder, path.normalize(pathname))
    const body = files[pathname] ?? (fs.existsSync(file) && fs.statSync(file).isFile() ? fs.readFileSync(file) : null)
    const type = pathname === '/' ? 'text/html' : TYPES[path.extname(pathname)] ?? 'application/octet-stream'
    response.writeHead(body === null ? 404 : 200, {
      'content-type': type,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp', // for SharedArrayBuffer
      ...(csp ? { 'content-security-policy': "default-src 'self'" } : {})
    })
    response.end(body ?? '')
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** @param {keyof typeof BROWSERS} name @returns {string | undefined} its program, if it is installed */
function programOf(name) {
  return BROWSERS[name].files.find(file => fs.existsSync(file))
}

/**
 * Opens a page in a browser.
 *
 * @template T
 * @param {keyof typeof BROWSERS} name
 * @param {string} url
 * @param {(page: any) => Promise<T>} work
 * @returns {Promise<T | string>} the result of `work`, or the reason why there is no browser
 */
async function openPage(name, url, work) {
  const executablePath = programOf(name)
  if (!executablePath) return 'not installed'
  if (!packageOf(__dirname, 'puppeteer-core')) return 'its driver is not installed'
  const puppeteer = require(path.join(__dirname, 'node_modules', 'puppeteer-core'))
  const { browser: kind, args } = BROWSERS[name]
  const options = { browser: kind, executablePath, args, protocolTimeout: LONGEST }
  const browser = await puppeteer.launch(options).catch(error => error)
  if (browser instanceof Error) return `it does not start: ${browser.message.split('\n')[0]}`
  try {
    const page = await browser.newPage()
    await page.goto(url)
    return await work(page)
  } finally {
    await browser.close()
  }
}

/** Polled from outside: waiting inside the page generates code, which its policy may forbid. */
async function answerOf(page, expression = 'window.answer') {
  for (let i = 0; i < 600; i++) {
    const answer = await page.evaluate(expression)
    if (answer) return answer
    await new Promise(resolve => setTimeout(resolve, 300))
  }
  throw new Error('no answer in three minutes')
}

async function inBrowser(name, project, { csp = false, worker = false } = {}) {
  return inPage(name, project, {}, csp, worker ? 'worker' : 'page')
}

/** @param {Record<string, string | Buffer>} files that replace the page's own, such as `/main.js` */
async function inPage(name, project, files, csp = false, kind = 'page') {
  const server = await serve(project, { ...FILES, ...files }, csp)
  const { port } = /** @type {any} */ (server.address())
  try {
    return await openPage(name, `http://127.0.0.1:${port}/#${kind}`, async page => {
      const answer = JSON.parse(await answerOf(page))
      if (answer.error) throw new Error(answer.error)
      return answer
    })
  } finally {
    server.close()
  }
}

/** What a page does with results: they own their memory, so that nothing else is stored, sent or transferred. */
const STORES = `
  import { encode, decode, ObjectId } from '/node_modules/qbson/dist/browser/qbson.mjs'
  const result = { passed: 0, failed: 0, failures: [], digest: null }
  const count = (isRight, what) => isRight ? result.passed++ : result.failures.push(what)
  const settled = request => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const doc = i => ({ _id: new ObjectId(), i, text: 'žluťoučký'.repeat(i % 7) })
  const same = (bytes, i) => decode(bytes).i === i && bytes.buffer.byteLength === bytes.length

  async function stores() {
    const opening = indexedDB.open('qbson', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('documents')
    const database = await settled(opening)
    const written = database.transaction('documents', 'readwrite')
    for (let i = 0; i < 3000; i++) written.objectStore('documents').put(encode(doc(i)), i)
    await new Promise((resolve, reject) => Object.assign(written, { oncomplete: resolve, onabort: () => reject(written.error) }))
    const read = await settled(database.transaction('documents').objectStore('documents').getAll())
    count(read.length === 3000 && read.every(same), 'IndexedDB gives back what was put, and no more memory')
  }

  async function sends(transfers) {
    const { port1, port2 } = new MessageChannel()
    const got = new Promise(resolve => { port2.onmessage = event => resolve(event.data) })
    const all = Array.from({ length: 100 }, (_, i) => encode(doc(i)))
    port1.postMessage(all, transfers ? all.map(bytes => bytes.buffer) : [])
    count((await got).every(same), 'a message carries the documents and no more')
    count(all.every(bytes => bytes.length === 0) === transfers, 'memory is handed over when it is transferred')
    count(same(encode(doc(5)), 5), 'encode goes on')
  }

  async function blobs() {
    const bytes = encode(doc(1))
    count((await new Blob([bytes.buffer]).arrayBuffer()).byteLength === bytes.length, 'a Blob of the memory is the document')
  }

  export const text = Promise.all([stores(), sends(false), sends(true), blobs()]).then(() => {
    return JSON.stringify({ ...result, failed: result.failures.length })
  })`

async function inStores(name, project) {
  return inPage(name, project, { '/main.js': STORES })
}

module.exports = { BROWSERS, programOf, openPage, answerOf, serve, inPage, inBrowser, inStores }
