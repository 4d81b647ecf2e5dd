'use strict'

// What the commands do with a block of documents. It runs in this thread or in others, so its whole input is a plan
// that can be sent to a thread, and its whole output a result that can be sent back. Large modules are required
// by the tasks that need them: loading all of them takes each thread 30 ms.

const { BSONError } = require('../../errors')
const { BufferView, GrowingBytes, concat, copyOf, getInt32, getUtf8Lossy, utf8Bytes } = require('../../bytes')
const { Batch } = require('../../batch')
const { locate, locateInCopy, quickValidate, validate } = require('../../elements')
const { pickerOf, replacer } = require('../../raw')
const { typesIn } = require('./check-task')
const { Editor, matcherOf } = require('./edits')
const { writerOf } = require('../output/writers')

const NEWLINE = Buffer.from('\n')

/**
 * @typedef {object} Plan
 * @property {string} task one of TASKS
 * @property {Uint8Array} [match] a query
 * @property {import('../options/values').Path[]} [fields]
 * @property {ReturnType<typeof import('./edits').editsOf>} [edits]
 * @property {import('../output/writers').Format} [format]
 * @property {import('../../schema/document-stats').DocumentStats} [stats] get what this thread finds; default: its own
 * @property {boolean} [legacy] whether text may be version 1 of Extended JSON
 * @property {import('../../query').Tally} [tally] gets the values of a field; for one thread only
 * @property {Probe[]} [probes] for one thread only
 * @property {boolean} [keepGoing] whether broken documents are left out
 * @property {number} [maxDocumentSize] bytes of a document as text
 * @property {boolean} [replaceInvalid] whether text that is not UTF-8 gets U+FFFD
 *
 * @typedef {((buf: Uint8Array, start: number, end: number) => void) | undefined} Probe throws a BSONError on a document
 *   that a later step could not take, so that it is not chosen
 *
 * @typedef {Pick<Batch, 'bytes' | 'offset' | 'document' | 'count'> & {from?: string, places?: number[],
 *   spans?: Float64Array, before?: number}} BlockBytes a Batch that can be sent to a thread; `spans`: of text;
 *   `before`: bytes of all blocks before it, in all files
 *
 * @typedef {object} Result
 * @property {Uint8Array | null} output good until the next block is worked on
 * @property {number} count of chosen documents
 * @property {number} size their bytes
 * @property {string | null} error of the document that ended the work
 * @property {number} [errorOffset] where it lies
 * @property {Reject[]} rejects broken documents left out
 * @property {{count: number, first: string}} [replaced] strings that got U+FFFD; the first document or line with one
 * @property {any} [found]
 * @property {number[]} [changed] how many documents matched, and how many each edit changed
 * @property {number[]} [places] as in a Batch, of the chosen documents
 *
 * @typedef {{message: string, bytes: Uint8Array, isDocument?: boolean, offset?: number}} Reject what is left out;
 *   `isDocument`: as far as its length goes, default true; `offset`: in the file
 *
 * @typedef {((block: BlockBytes) => Result) & {collect?: Task['collect']}} Work
 *
 * @typedef {object} Task
 * @property {(documents: Uint8Array, before: number) => {output: Uint8Array | null, found?: Float64Array}} work what is
 *   done with consecutive documents; `before`: bytes of all documents before them. The next call may overwrite the
 *   output. On a broken document, it throws a BSONError and has done nothing
 * @property {boolean} [isSingle] whether it takes only one document at a time
 * @property {boolean} [isPlaced] whether the result has the places of documents
 * @property {() => any} [collect] returns what was found in all blocks
 *
 * @typedef {object} Sink gathers documents
 * @property {(buf: Uint8Array, start?: number, end?: number) => void} write throws a BSONError on a broken one
 * @property {Uint8Array} bytes those written, good until `pos` is set to 0
 * @property {number} pos
 * @property {() => number[]} [takeCounts] what the edits have changed since the last call
 */

/** @param {Plan} plan @param {Range | null} range what remains @param {boolean} [ofText] of blocks @returns {Work} */
function workOf(plan, range, ofText = false) {
  if (!ofText && isPlain(plan, range)) return passOn
  const work = new BlockWork(plan, range)
  return Object.assign(block => work.do(block), { collect: work.task.collect })
}

/** The work of a plan on one block after another. */
class BlockWork {
  constructor(plan, range) {
    this.plan = plan
    this.range = range
    this.task = TASKS[plan.task](plan)
    /** Changes documents, or gathers them as they are. */
    this.sink = sinkOf(plan)
    this.isChanging = plan.fields !== undefined || plan.edits !== undefined
    this.match = plan.match === undefined ? null : matcherOf(plan.match)
    this.probes = plan.probes?.filter(probe => probe !== undefined) ?? []
    /** Whether blocks are worked on as a whole. */
    this.isWhole = this.match === null && this.probes.length === 0 && range === null && !this.isChanging
    /** Whether a document is taken from the range, and not finished yet. */
    this.isTaken = false
    /** What came of the documents of a block that are worked on one by one. */
    this.outputs = new Gathering(0)
    /** Reads a document of text. @type {((text: Uint8Array) => Uint8Array) | undefined} */
    this.parse = undefined
  }

  /** @param {BlockBytes} block @returns {Result} */
  do(block) {
    if (block.bytes.length === 0) return passOn(block) // a view has no file, if it has no documents
    const { sink } = this
    const done = this.attempt(block)
    this.isTaken = false
    const changed = sink.takeCounts?.() // drops those of a block that is done again
    if (done !== null) return { ...passOn(block), ...done, changed }
    /** @type {Result} */
    const result = { output: null, count: 0, size: 0, error: null, rejects: [], places: [] }
    this.outputs = new Gathering(block.bytes.length)
    if (block.spans === undefined) this.addEach(result, block)
    else this.addLines(result, block)
    const output = this.outputs.pos === 0 ? null : this.outputs.bytes
    return Object.assign(result, { output, changed: sink.takeCounts?.() })
  }

  /** All documents at once. @param {BlockBytes} block @returns {Partial<Result> | null} null if one is broken */
  attempt(block) {
    const { task, plan } = this
    if (block.spans !== undefined || task.isSingle || (plan.replaceInvalid && isDoubtful(block.bytes))) return null
    return this.isWhole ? attempt(() => task.work(block.bytes, block.before ?? 0)) : this.attemptChosen(block)
  }

  /** Gathers chosen documents and works on them at once: one by one, small ones take many times as long. */
  attemptChosen(block) {
    const { range, sink, task: { work, isPlaced } } = this
    const { bytes, before = 0 } = block
    const batch = new Batch(bytes, block)
    const { skip = 0, limit = 0 } = range ?? {}
    const own = { count: 0, size: 0, places: isPlaced ? [] : undefined }
    sink.pos = 0
    const done = attempt(() => {
      for (let pos = 0, index = 0, end; pos < bytes.length && !range?.isOver; pos = end, index++) {
        end = pos + getInt32(bytes, pos)
        if (!this.isWanted(bytes, pos, end)) continue
        sink.write(bytes, pos, end)
        own.places?.push(batch.numberOf(index), batch.offsetOf(pos, index))
        own.count++
        own.size += end - pos
      }
      return own.count === 0 ? { output: null } : work(sink.bytes, before)
    })
    if (done === null && range !== null) Object.assign(range, { skip, limit })
    return done && { ...done, ...own }
  }

  isWanted(buf, start, end) {
    if (this.match !== null && !this.match(buf, start, end)) return false
    for (const probe of this.probes) probe(buf, start, end)
    return this.range === null || (this.isTaken = this.range.takes())
  }

  /** One document after another. @param {Result} result @param {BlockBytes} block */
  addEach(result, block) {
    const { bytes, before = 0 } = block
    const batch = new Batch(bytes, block)
    for (let pos = 0, index = 0; pos < bytes.length && !this.range?.isOver; index++) {
      const size = getInt32(bytes, pos)
      const offset = batch.offsetOf(pos, index)
      const document = new BufferView(bytes.buffer, bytes.byteOffset + pos, size)
      let valid = document
      try {
        if (this.plan.replaceInvalid) valid = withValidText(document)
        const replaced = valid === document ? 0 : strings.count
        this.add(result, valid, before + pos, batch.numberOf(index), offset, replaced)
      } catch (error) {
        if (!(error instanceof BSONError)) throw error
        const own = valid === document ? error : locateInCopy(error, valid)
        const { message } = batch.place(locate(own, document, 0), pos, index)
        if (!this.refuse(result, message, document, offset)) return
      }
      pos += size
    }
  }

  /** The same for text. @param {Result} result @param {BlockBytes} block */
  addLines(result, { bytes, spans }) {
    const { countInvalid, parserOf, tooLong } = require('./text')
    const { legacy, replaceInvalid, maxDocumentSize } = this.plan
    this.parse ??= parserOf({ legacy })
    for (let i = 0; i < spans.length && !this.range?.isOver; i += 3) {
      const [start, end, place] = spans.subarray(i, i + 3)
      const line = Math.abs(place)
      const text = bytes.subarray(start, end)
      const invalid = replaceInvalid ? countInvalid(text) : 0
      try {
        if (place < 0 || text.length > maxDocumentSize) throw tooLong(maxDocumentSize)
        const valid = invalid === 0 ? text : utf8Bytes(getUtf8Lossy(text, 0, text.length))
        this.add(result, this.parse(valid), 0, line, undefined, invalid)
      } catch (error) {
        if (!(error instanceof BSONError)) throw error
        if (!this.refuse(result, `line ${line}: ${error.message}`, concat([text, NEWLINE]))) return
      }
    }
  }

  /** `number` of the document, or its line in text; `replaced`: strings of it that were not UTF-8. */
  add(result, document, before, number, offset, replaced) {
    if (!this.isWanted(document, 0, document.length)) return
    if (replaced > 0) {
      result.replaced ??= { count: 0, first: `${offset === undefined ? 'line' : 'document'} ${number}` }
      result.replaced.count += replaced
    }
    const { output, found } = this.workOn(document, before)
    this.isTaken = false
    if (output !== null) this.outputs.write(output)
    if (found !== undefined) result.found = result.found?.map((count, i) => count + found[i]) ?? found
    if (this.task.isPlaced) result.places.push(number, offset)
    result.count++
    result.size += document.length
  }

  /** Changes a document and works on it. Errors give the place in the document, not in the changed copy. */
  workOn(document, before) {
    const { sink, task } = this
    if (!this.isChanging) return task.work(document, before)
    sink.pos = 0
    sink.write(document)
    const changed = sink.bytes
    try {
      return task.work(changed, before)
    } catch (error) {
      validate(document, ANY_DEPTH)
      throw locateInCopy(error, changed)
    }
  }

  /** @param {number} [offset] in the file @returns {boolean} whether to go on */
  refuse(result, message, bytes, offset = undefined) {
    if (this.isTaken) this.range.giveBack()
    this.isTaken = false
    if (this.plan.keepGoing) result.rejects.push({ message, bytes: copyOf(bytes), offset })
    else Object.assign(result, { error: message, errorOffset: offset })
    return Boolean(this.plan.keepGoing)
  }
}

/** @param {Plan} plan @returns {Probe} whether it can be carried out: edits also fail on some valid documents */
function trialOf(plan) {
  const work = new BlockWork({ ...plan, stats: undefined, tally: undefined, match: undefined, probes: undefined }, null)
  return (buf, start, end) => {
    if (plan.edits === undefined && quickValidate(buf, start, end)) return
    work.workOn(buf.subarray(start, end), 0)
  }
}

function isValid(document) {
  return attempt(() => validate(document, ANY_DEPTH)) !== null
}

/** Replaces invalid text, for all plans. @type {ReturnType<typeof replacer> | undefined} */
let strings

/** @param {Uint8Array} document @returns {Uint8Array} the same, or a copy with U+FFFD for what is not UTF-8 */
function withValidText(document) {
  if (isValid(document)) return document
  strings ??= replacer()
  const valid = strings.replace(document)
  return strings.count === 0 ? document : copyOf(valid)
}

/** @param {Uint8Array} bytes of documents @returns {boolean} whether text in them may have to be replaced */
function isDoubtful(bytes) {
  for (let pos = 0, end; pos < bytes.length; pos = end) {
    end = pos + getInt32(bytes, pos)
    if (!quickValidate(bytes, pos, end) && !isValid(bytes.subarray(pos, end))) return true
  }
  return false
}

/** @template T @param {() => T} work @returns {T | null} null if a document is broken */
function attempt(work) {
  try {
    return work()
  } catch (error) {
    if (error instanceof BSONError) return null
    throw error
  }
}

/** Whether documents are passed on unchanged, or only counted. @param {Plan} plan @param {any} range */
function isPlain({ task, match, probes, fields, edits, format, replaceInvalid }, range) {
  const isChosen = match !== undefined || probes?.some(Boolean) || fields !== undefined || range !== null
  if (isChosen || edits !== undefined || replaceInvalid) return false
  return task === 'count' || task === 'choose' || format?.name === 'bson'
}

/** @param {BlockBytes} block @returns {Result} */
function passOn({ bytes, count, places }) {
  return { output: bytes.length > 0 ? bytes : null, count, size: bytes.length, error: null, rejects: [], places }
}

/** Documents as they are. @implements {Sink} */
class Gathering extends GrowingBytes {
  write(buf, start = 0, end = buf.length) {
    this.copy(buf, start, end)
  }
}

/** @param {Plan} plan @returns {Sink} */
function sinkOf({ fields, edits }) {
  const picker = fields === undefined ? null : pickerOf(fields)
  if (edits === undefined) return picker ?? new Gathering(1 << 16)
  return new Editor(edits, picker)
}

/** The documents that --skip and --limit select, counted over all files. */
class Range {
  constructor({ skip = 0, limit = Infinity }) {
    this.skip = skip
    this.limit = limit
  }

  /** Whether no more are wanted. */
  get isOver() {
    return this.limit === 0
  }

  /** Whether all are wanted. */
  get isAll() {
    return this.skip === 0 && this.limit === Infinity
  }

  /** Counts a document. @returns {boolean} whether it is wanted */
  takes() {
    if (this.skip > 0) this.skip--
    else if (this.limit > 0) return this.limit-- > 0
    return false
  }

  /** Uncounts a wanted one that turned out to be broken. */
  giveBack() {
    this.limit++
  }
}

const ANY_DEPTH = { maxDepth: Infinity }

const NO_OUTPUT = { output: null }

/** @type {Record<string, (plan: Plan) => Task>} */
const TASKS = {
  /** Documents as text, or as BSON. */
  write: ({ format }) => ({ work: writerOf(format) }),

  count: () => ({ work: () => NO_OUTPUT }),

  check: () => ({ work: documents => ({ output: null, found: typesIn(documents) }) }),

  /** What occurs in the documents, for their schema. */
  statistics: ({ stats = new (require('../../schema').DocumentStats)() }) => ({
    work: (documents, before) => {
      stats.addAll(documents, before)
      return NO_OUTPUT
    },
    collect: () => stats.found()
  }),

  /** How often each value of a field occurs; the rest of a document is not looked at. */
  tally: ({ tally = new (require('../../query').Tally)('_id') }) => ({
    work: document => {
      tally.add(document, 0, document.length - 1)
      return NO_OUTPUT
    },
    isSingle: true
  }),

  /** Chosen documents, unchanged, in memory of their own. */
  choose: () => ({ work: documents => ({ output: copyOf(documents) }), isPlaced: true })
}

module.exports = { Range, workOf, trialOf, isPlain }
