'use strict'

// What the commands do with a block of documents. It runs in this thread or in others, so its whole input is a plan
// that can be sent to a thread, and its whole output a result that can be sent back. Large modules are required
// by the tasks that need them: loading all of them takes each thread 30 ms.

const { BSONError, placeInStream } = require('../errors')
const { BufferView, concat, copyOf, getInt32 } = require('../bytes')
const { locate, validate } = require('../decode')
const { pathTree, RawDocument } = require('../raw')
const { UsageError } = require('./options')
const { rewriterOf } = require('./edits')
const { writerOf } = require('./writers')

const NEWLINE = Buffer.from('\n')

/**
 * @typedef {object} Plan
 * @property {string} task one of TASKS
 * @property {string} [match] a query
 * @property {string} [fields]
 * @property {ReturnType<typeof import('./edits').editsOf>} [edits]
 * @property {import('./writers').Format} [format]
 * @property {import('../schema/survey').Survey} [survey] gets what this thread finds; default: one of its own
 * @property {boolean} [keepGoing] whether broken documents are left out
 *
 * @typedef {object} BlockBytes
 * @property {Uint8Array} bytes
 * @property {number} offset
 * @property {number} document
 * @property {number} count
 * @property {Float64Array} [spans] of text
 * @property {number} [before] bytes of all blocks before it, in all files
 *
 * @typedef {object} Result
 * @property {Uint8Array | null} output good until the next block is worked on
 * @property {number} count of chosen documents
 * @property {number} size their bytes
 * @property {string | null} fault of the document that ended the work
 * @property {{message: string, bytes: Uint8Array}[]} rejects broken documents left out
 * @property {any} [found]
 * @property {number[] | undefined} [places] the number and the offset of each chosen document, if only some were chosen
 *
 * @typedef {((block: BlockBytes) => Result) & {rest?: Task['rest']}} Work
 *
 * @typedef {object} Task
 * @property {(document: Uint8Array, before: number) => void} add throws a BSONError on a broken document; `before`:
 *   bytes of all documents before it
 * @property {(block: BlockBytes) => {output: Uint8Array | null, found?: any}} finish returns the result of a block
 * @property {((documents: Uint8Array, before: number) => ReturnType<Task['finish']>) | null} [all] does a block at
 *   once; on a broken document, it throws a BSONError and has done nothing
 * @property {() => any} [rest] returns what was found in all blocks
 */

/**
 * @param {Plan} plan
 * @param {import('./options').Range | null} range what remains of --skip and --limit
 * @param {boolean} [ofText] whether blocks are of text
 * @returns {Work}
 * @throws {UsageError} when the plan makes no sense
 */
function workOf(plan, range, ofText = false) {
  if (!ofText && isPlain(plan, range)) return passOn
  const task = TASKS[plan.task](plan)
  const match = plan.match === undefined ? null : require('./query').queryOf(plan.match)
  let isTaken = false // taken, and not finished yet
  const isWanted = document => {
    if (match !== null && !match(document, 0, document.length - 1)) return false
    return range === null || (isTaken = range.takes())
  }
  const all = match === null && range === null ? task.all : undefined
  const work = block => {
    const { before = 0 } = block
    const done = all && block.spans === undefined ? attempt(all, block.bytes, before) : null
    if (done !== null) return { ...passOn(block), ...done }
    const result = { output: null, count: 0, size: 0, fault: null, rejects: [], places: [] }
    const walk = block.spans === undefined ? walkDocuments : walkText
    walk(block, range, (document, number, offset) => {
      if (!isWanted(document)) return
      task.add(document, before + offset - block.offset)
      isTaken = false
      if (plan.task === 'choose') result.places.push(number, offset)
      result.count++
      result.size += document.length
    }, (message, document) => {
      if (isTaken) range.giveBack()
      isTaken = false
      if (plan.keepGoing) result.rejects.push({ message, bytes: copyOf(document) })
      else result.fault = message
      return Boolean(plan.keepGoing)
    })
    return Object.assign(result, task.finish(block))
  }
  return Object.assign(work, { rest: task.rest })
}

/** @returns {ReturnType<Task['finish']> | null} null if a document is broken */
function attempt(all, documents, before) {
  try {
    return all(documents, before)
  } catch (error) {
    if (error instanceof BSONError) return null
    throw error
  }
}

/**
 * @param {Plan} plan
 * @param {any} range
 * @returns {boolean} whether documents are passed on unchanged, or only counted
 */
function isPlain({ task, match, fields, edits, format }, range) {
  const isChosen = match !== undefined || fields !== undefined || range !== null
  return !isChosen && edits === undefined && (task === 'count' || task === 'choose' || format?.form === 'bson')
}

/** @param {BlockBytes} block @returns {Result} */
function passOn({ bytes, count }) {
  return { output: bytes.length > 0 ? bytes : null, count, size: bytes.length, fault: null, rejects: [] }
}

/**
 * @param {BlockBytes} block
 * @param {import('./options').Range | null} range
 * @param {(document: Uint8Array, number?: number, offset?: number) => void} visit also gets the place of the document
 * @param {(message: string, document: Uint8Array) => boolean} fail whether to go on
 */
function walkDocuments({ bytes, offset, document: before }, range, visit, fail) {
  for (let pos = 0, index = 1; pos < bytes.length && !range?.isOver; index++) {
    const size = getInt32(bytes, pos)
    const document = new BufferView(bytes.buffer, bytes.byteOffset + pos, size)
    try {
      visit(document, before + index, offset + pos)
    } catch (error) {
      if (!(error instanceof BSONError)) throw error
      const placed = placeInStream(locate(error, document, 0), offset + pos, before + index)
      if (!fail(placed.message, document)) return
    }
    pos += size
  }
}

/** The same for text, whose documents have to be parsed. @type {typeof walkDocuments} */
function walkText({ bytes, spans }, range, visit, fail) {
  const { parseDocument } = require('./text')
  for (let i = 0; i < spans.length && !range?.isOver; i += 3) {
    const [start, end, line] = spans.subarray(i, i + 3)
    try {
      visit(parseDocument(bytes.subarray(start, end)))
    } catch (error) {
      if (!(error instanceof BSONError)) throw error
      if (!fail(`line ${line}: ${error.message}`, concat([bytes.subarray(start, end), NEWLINE]))) return
    }
  }
}

/** @param {Plan} plan @returns {((document: Uint8Array) => Uint8Array) | null} null when documents stay unchanged */
function changeOf({ fields, edits }) {
  const pick = fields === undefined ? null : pickOf(fields)
  if (edits === undefined) return pick
  const rewriter = rewriterOf(edits)
  return document => {
    rewriter.pos = 0
    rewriter.write(pick === null ? document : pick(document))
    return copyOf(rewriter.bytes)
  }
}

/** @param {string} fields */
function pickOf(fields) {
  const names = fields.split(',').map(name => name.trim()).filter(name => name !== '')
  if (names.length === 0) throw new UsageError('--fields needs names such as a,b.c')
  const tree = pathTree(names)
  return document => new RawDocument(document).project(tree, true).bytes
}

/** Makes errors give the place in the file, not in the changed document. */
function addChanged(writer, changed, document) {
  try {
    writer.add(changed)
  } catch (error) {
    validate(document, ANY_DEPTH)
    delete error.offset
    throw error
  }
}

const ANY_DEPTH = { maxDepth: Infinity }

/** @type {Record<string, (plan: Plan) => Task>} */
const TASKS = {
  /** Documents as text, or as BSON. */
  write: plan => {
    const change = changeOf(plan)
    const writer = writerOf(plan.format)
    return {
      all: change === null ? writer.all : null,
      add: document => (change === null ? writer.add(document) : addChanged(writer, change(document), document)),
      finish: () => ({ output: writer.finish() })
    }
  },

  /** Documents with changed fields, one after another, in memory that the next block overwrites. */
  edit: plan => {
    if (plan.fields !== undefined || plan.edits === undefined) return TASKS.write(plan)
    const rewriter = rewriterOf(plan.edits)
    const finish = () => {
      const output = rewriter.pos === 0 ? null : rewriter.bytes
      rewriter.pos = 0
      return { output }
    }
    return {
      all: documents => {
        try {
          for (let pos = 0, end; pos < documents.length; pos = end) {
            end = pos + getInt32(documents, pos)
            rewriter.write(documents, pos, end)
          }
          return finish()
        } finally {
          rewriter.pos = 0
        }
      },
      add: document => rewriter.write(document),
      finish
    }
  },

  count: () => ({ add: () => {}, finish: () => ({ output: null }) }),

  check: () => require('./check-task').checkTask(),

  /** What occurs in the documents, for their schema. */
  survey: ({ survey = new (require('../schema').Survey)(), ...plan }) => {
    const change = changeOf(plan)
    const all = (documents, before) => {
      survey.addAll(documents, before)
      return { output: null }
    }
    return {
      all: change === null ? all : null,
      add: (document, before) => survey.add(change === null ? document : change(document), before),
      finish: () => ({ output: null }),
      rest: () => survey.found()
    }
  },

  /** Chosen documents, unchanged. */
  choose: plan => TASKS.write({ ...plan, format: { form: 'bson' } })
}

module.exports = { workOf, isPlain }
