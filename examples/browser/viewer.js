'use strict'

// Reads a dump file piece by piece and shows its documents as Extended JSON, with sizes, types and any errors.

const { BSONType, EJSON, RawDocument, documentStream, validate } = qbson

/** Documents listed at a time; scrolling down lists more. All documents are checked and counted. */
const PAGE = 200

/** Characters in the preview of a document, and of each of its values. */
const PREVIEW = 120
const PREVIEW_VALUE = 40

/** After this many milliseconds, the page gets a chance to update. */
const TURN = 30

const TYPE_NAMES = new Map(Object.entries(BSONType).map(([name, type]) => [type & 0xff, name]))

const element = id => document.getElementById(id)
const number = new Intl.NumberFormat('en')

/** Only the file that was dropped last is read further. */
let current = { file: null, seen: null, listed: 0, isListing: false }

/** @param {File} file */
async function show(file) {
  const seen = { documents: 0, bytes: 0, starts: [0] }
  const reading = current = { file, seen, listed: 0, isListing: false }
  element('documents').replaceChildren()
  element('listed').textContent = ''
  element('status').className = ''
  element('progress').hidden = false
  try {
    await readAll(file, seen, () => reading === current)
    if (reading === current) tell(`${file.name}: ${sum(seen)}`)
  } catch (error) {
    if (reading !== current) return
    tell(`${file.name}: after ${sum(seen)}: ${error.message}`)
    element('status').className = 'fault'
  }
  if (reading !== current) return
  element('progress').hidden = true
  await list(reading)
}

async function readAll(file, seen, isCurrent) {
  let turn = performance.now()
  for await (const bytes of documentStream(file.stream(), { bytes: true })) {
    if (!isCurrent()) return
    check(bytes, seen)
    seen.documents++
    seen.bytes += bytes.length
    seen.starts.push(seen.bytes)
    if (seen.documents === PAGE) await list(current)
    if (performance.now() - turn < TURN) continue
    element('progress').value = seen.bytes / file.size
    tell(sum(seen))
    await new Promise(resolve => setTimeout(resolve))
    turn = performance.now()
  }
  element('progress').value = 1
}

/** Lists more documents while the end of the list is visible. */
async function list(reading) {
  const { file, seen } = reading
  if (reading.isListing) return
  reading.isListing = true
  while (reading === current && reading.listed < seen.documents && isEndInSight()) {
    const first = reading.listed
    const last = Math.min(first + PAGE, seen.documents)
    const bytes = new Uint8Array(await file.slice(seen.starts[first], seen.starts[last]).arrayBuffer())
    if (reading !== current) return
    for (let i = first; i < last; i++) {
      add(bytes.slice(seen.starts[i] - seen.starts[first], seen.starts[i + 1] - seen.starts[first]), i, seen.starts[i])
    }
    reading.listed = last
    tellListed(reading)
  }
  reading.isListing = false
  tellListed(reading)
}

function isEndInSight() {
  return element('listed').getBoundingClientRect().top < 2 * innerHeight
}

function tellListed({ listed, seen }) {
  const isAll = listed === seen.documents
  element('listed').textContent = isAll ? '' : `Listed: ${number.format(listed)} of ${number.format(seen.documents)}. Scroll for more.`
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
  return `${number.format(documents)} valid documents, ${number.format(bytes)} bytes`
}

function tell(text) {
  element('status').textContent = text
}

/** Adds a document to the list; its content is only rendered when it is opened. */
function add(bytes, index, offset) {
  const raw = new RawDocument(bytes)
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  const preview = document.createElement('code')
  preview.textContent = previewOf(raw)
  summary.append(`${number.format(index + 1)}: ${number.format(raw.size)} bytes at offset ${number.format(offset)} `, preview)
  details.append(summary)
  details.addEventListener('toggle', () => details.append(tableOf(raw), jsonOf(raw)), { once: true })
  element('documents').append(details)
}

/** @returns {string} the first fields, on one line */
function previewOf(raw) {
  let text = ''
  for (const field of raw) {
    if (text.length > PREVIEW) return `${text.slice(0, PREVIEW)}…`
    text += `${text && ', '}${field.name}: ${previewOfValue(field)}`
  }
  return text
}

function previewOfValue(field) {
  const { type, bytes } = field
  if (type === BSONType.object) return '{…}'
  if (type === BSONType.array) return '[…]'
  if (bytes.length > 10 * PREVIEW) return `${TYPE_NAMES.get(type)} of ${number.format(bytes.length)} bytes`
  const text = EJSON.stringify(field.value)
  return text.length > PREVIEW_VALUE ? `${text.slice(0, PREVIEW_VALUE)}…` : text
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
document.addEventListener('scroll', () => current.file && list(current), { passive: true })
