'use strict'

// The page of examples/browser, opened from the package: with a dump, a broken one, and a large one.

const fs = require('node:fs')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { openPage, answerOf } = require('./browsers')

const root = path.join(__dirname, '..', '..')

/** Bytes of the large file. */
const LARGE = 200e6

/** While it reads, the page has to respond within this many milliseconds. */
const ALIVE = 5000

const DONE = 'document.getElementById("progress").value === 1 || document.getElementById("status").className === "fault"'
const STATUS = 'document.getElementById("status").textContent'

async function viewsFiles(name, project) {
  const bookshop = fs.readFileSync(path.join(root, 'examples', 'bookshop.bson'))
  const broken = Buffer.concat([bookshop, bookshop])
  broken[bookshop.length + 4] = 0x55 // the type of the first element of the seventh document
  const large = writeLarge(path.join(project, 'large.bson'), bookshop)
  fs.writeFileSync(path.join(project, 'broken.bson'), broken)
  const page = pathToFileURL(path.join(project, 'node_modules/qbson/examples/browser/index.html')).href
  const files = [
    [path.join(root, 'examples', 'bookshop.bson'), /^bookshop\.bson: 6 valid documents, 1,689 bytes$/],
    [path.join(project, 'broken.bson'), /^broken\.bson: after 6 valid documents, 1,689 bytes: document 7, at offset 169\d of the file: .*/],
    [large.file, new RegExp(`^large\\.bson: ${large.documents.toLocaleString('en')} valid documents`)]
  ]
  return openPage(name, page, async tab => {
    const result = { passed: 0, failed: 0, failures: [], digest: null }
    for (const [file, expected] of files) {
      const said = await view(tab, file)
      count(result, expected.test(said), `${path.basename(file)}: ${said}`)
      count(result, await tab.evaluate('document.getElementById("progress").hidden'), `${path.basename(file)}: the bar is gone`)
    }
    count(result, await lists(tab, large.documents), 'the list says how much of it is there, and grows with scrolling')
    await view(tab, files[0][0])
    count(result, await opens(tab), 'a document is shown as Extended JSON')
    await saysWhatIsMissing(name, project, result)
    return result
  })
}

/** In a clone before `npm run build` there is no script to load. */
async function saysWhatIsMissing(name, project, result) {
  const clone = path.join(project, 'clone', 'examples', 'browser')
  fs.cpSync(path.join(root, 'examples', 'browser'), clone, { recursive: true })
  await openPage(name, pathToFileURL(path.join(clone, 'index.html')).href, async tab => {
    count(result, /missing.*npm run build/.test(await tab.evaluate(STATUS)), 'a page without the script says so')
  })
}

function count(result, isRight, what) {
  if (isRight) result.passed++
  else result.failures.push(what)
  result.failed = result.failures.length
}

/** A large file: the page lists as many documents as it says, each with a preview, and more after scrolling to its end. */
async function lists(tab, documents) {
  const listed = () => tab.evaluate('document.querySelectorAll("details").length')
  const first = await listed()
  const said = await tab.evaluate('document.getElementById("listed").textContent')
  const preview = await tab.evaluate('document.querySelector("summary code").textContent')
  await tab.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
  await answerOf(tab, `document.querySelectorAll("details").length > ${first}`)
  return first > 0 && said.startsWith(`Listed: ${first.toLocaleString('en')} of ${documents.toLocaleString('en')}.`) && preview.startsWith('_id: {"$oid":')
}

function writeLarge(file, bytes) {
  const block = Buffer.concat(Array(1000).fill(bytes))
  const blocks = Math.ceil(LARGE / block.length)
  const target = fs.openSync(file, 'w')
  for (let i = 0; i < blocks; i++) fs.writeSync(target, block)
  fs.closeSync(target)
  return { file, documents: blocks * 1000 * 6 }
}

/** @returns {Promise<string>} what the page says of a file in the end; and whether it responded until then */
async function view(tab, file) {
  const waits = []
  await tab.evaluate('document.getElementById("progress").value = 0; document.getElementById("status").className = ""')
  await (await tab.$('#file')).uploadFile(file)
  const slow = setInterval(() => alive(tab, waits), 500)
  try {
    await answerOf(tab, DONE)
  } finally {
    clearInterval(slow)
  }
  await new Promise(resolve => setTimeout(resolve, 200))
  const longest = Math.max(0, ...waits)
  return longest > ALIVE ? `the page took ${longest} ms to answer` : tab.evaluate(STATUS)
}

/** Records how long the page takes to respond, to notice when it freezes. */
async function alive(tab, waits) {
  const asked = Date.now()
  await tab.evaluate('1').catch(() => {})
  waits.push(Date.now() - asked)
}

async function opens(tab) {
  await tab.click('details summary')
  return answerOf(tab, 'document.querySelector("details pre")?.textContent.includes("$oid")')
}

module.exports = { viewsFiles }
