'use strict'

// A dump file, read piece by piece: its documents as Extended JSON, with sizes and types, and what is wrong with it.

const { BSONType, EJSON, RawDocument, documentStream, validate } = qbson

/** Documents that are shown; the others are only checked and counted. */
const SHOWN = 200

/** The page gets its turn after so many milliseconds. */
const TURN = 30

const TYPE_NAMES = new Map(Object.entries(BSONType).map(([name, type]) => [type & 0xff, name]))

const element = id => document.getElementById(id)
const number = new Intl.NumberFormat('en')

/** Only the file that was dropped last is read on. */
let current = 0

/** @param {File} file */
async function show(file) {
  const reading = ++current
  element('documents').replaceChildren()
  element('status').className = ''
  element('progress').hidden = false
  const seen = { documents: 0, bytes: 0 }
  try {
    await readAll(file, seen, () => reading === current)
    if (reading === current) tell(`${file.name}: ${sum(seen)}`)
  } catch (error) {
    if (reading !== current) return
    tell(`${file.name}: after ${sum(seen)}: ${error.message}`)
    element('status').className = 'fault'
  }
}

async function readAll(file, seen, isCurrent) {
  let turn = performance.now()
  for await (const bytes of documentStream(file.stream(), { bytes: true })) {
    if (!isCurrent()) return
    check(bytes, seen)
    if (seen.documents < SHOWN) add(bytes, seen)
    seen.documents++
    seen.bytes += bytes.length
    if (performance.now() - turn < TURN) continue
    element('progress').value = seen.bytes / file.size
    tell(sum(seen))
    await new Promise(resolve => setTimeout(resolve))
    turn = performance.now()
  }
  element('progress').value = 1
}

function check(bytes, seen) {
  try {
    validate(bytes)
  } catch (error) {
    const place = `document ${seen.documents + 1}, at offset ${seen.bytes + error.offset} of the file`
    throw new Error(`${place}: ${error.message}`, { cause: error })
  }
}

function sum({ documents, bytes }) {
  return `${number.format(documents)} good documents, ${number.format(bytes)} bytes`
}

function tell(text) {
  element('status').textContent = text
}

/** A document, to be opened: what is in it is made only then. */
function add(content, { documents, bytes }) {
  const kept = new RawDocument(content.slice()) // the chunk that it is in can go
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = `Document ${documents + 1}: ${number.format(kept.size)} bytes at offset ${number.format(bytes)}`
  details.append(summary)
  details.addEventListener('toggle', () => details.append(tableOf(kept), jsonOf(kept)), { once: true })
  element('documents').append(details)
}

function tableOf(raw) {
  const table = document.createElement('table')
  for (const { name, type, bytes } of raw) {
    const row = table.insertRow()
    for (const text of [name, TYPE_NAMES.get(type), `${number.format(bytes.length)} bytes`]) row.insertCell().textContent = text
  }
  return table
}

function jsonOf(raw) {
  const pre = document.createElement('pre')
  pre.textContent = EJSON.fromBSON(raw.bytes, { relaxed: false, space: 2 })
  return pre
}

const drop = element('drop')
element('file').addEventListener('change', ({ target }) => target.files[0] && show(target.files[0]))
drop.addEventListener('dragover', event => {
  event.preventDefault()
  drop.classList.add('over')
})
drop.addEventListener('dragleave', () => drop.classList.remove('over'))
drop.addEventListener('drop', event => {
  event.preventDefault()
  drop.classList.remove('over')
  if (event.dataTransfer.files[0]) show(event.dataTransfer.files[0])
})
