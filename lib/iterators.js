'use strict'

// Iterators whose `return` and `throw` release the source at once. A generator alone does so neither before its first
// `next` nor while it waits for the source.

const { BSONError, shownValue } = require('./errors')
const { setOwn } = require('./properties')

/**
 * With what all async generators inherit. An intersection, because for a single type tsc would declare a class that
 * extends an interface, which is an error.
 *
 * @type {new () => AsyncGenerator<any, any, any> & AsyncIterable<any>}
 */
const Inherited = inherited()

/** @returns {any} */
function inherited() {
  const { prototype = {} } = Object.getPrototypeOf(async function* () {}) // an ordinary function where Babel makes it
  return Object.assign(function () {}, { prototype })
}

/**
 * Gives a generator these ends: defined, because a frozen prototype forbids assigning them.
 *
 * @template G
 * @param {G} generator
 * @returns {G}
 */
function ending(generator, leave, fail) {
  setOwn(generator, 'return', leave)
  setOwn(generator, 'throw', fail)
  return generator
}

/**
 * @template {AsyncGenerator<any, any, any>} G
 * @param {G} generator
 * @param {() => any} close releases its source, and ends it if it waits for that
 * @returns {G} the same, which is closed first by `return` and `throw`
 */
function closing(generator, close) {
  const { return: leave, throw: fail } = generator
  const closed = end => async value => {
    try {
      await close()
    } finally {
      value = await end.call(generator, value)
    }
    return value
  }
  return ending(generator, closed(leave), closed(fail))
}

/**
 * The same for a generator that does not wait.
 *
 * @template {Generator<any, any, any>} G
 * @param {G} generator
 * @param {() => void} close
 * @returns {G}
 */
function closingNow(generator, close) {
  const { return: leave, throw: fail } = generator
  const closed = end => value => {
    close()
    return end.call(generator, value)
  }
  return ending(generator, closed(leave), closed(fail))
}

/**
 * What a getter throws, or a source of others fails with, may be undefined, as after `controller.error()` of a web
 * stream. That and null, 0 and '' would pass for success.
 *
 * @param {any} error
 * @returns {any} the same, or an error about it
 */
function failureOf(error) {
  return error || new BSONError(`what was thrown is not an Error: ${shownValue(error)}`, { cause: error })
}

/** The items of an iterator. Once it is closed, pending calls of `next` get the end. */
class ClosableIterator extends Inherited {
  /**
   * @param {() => AsyncIterator<any> | Iterator<any>} begin called by the first `next`
   * @param {(hasBegun: boolean) => any} release releases what the iterator reads, if it has not begun or waits for that
   */
  constructor(begin, release) {
    super()
    this.begin = begin
    this.release = release
    /** @type {any} */
    this.iterator = null
    /** Resolve the pending calls of `next`. @type {Set<(result: IteratorResult<any>) => void>} */
    this.waiting = new Set()
    this.isOver = false
    /** Whether it was closed before its end. */
    this.isClosed = false
    /** @type {Promise<void> | null} */
    this.closed = null
  }

  next() {
    if (this.isOver) return Promise.resolve(end())
    return new Promise((resolve, reject) => {
      this.waiting.add(resolve)
      this.ask().then(result => {
        if (!this.waiting.delete(resolve)) return
        if (result?.done) this.isOver = true
        resolve(result)
      }, error => {
        if (!this.waiting.delete(resolve)) return
        this.isOver = true
        reject(failureOf(error))
      })
    })
  }

  [Symbol.asyncIterator]() {
    return this
  }

  /** @returns {Promise<IteratorResult<any>>} */
  ask() {
    try {
      const result = /** @type {any} */ ((this.iterator ??= this.begin()).next())
      if (typeof result?.then === 'function') return result
      return Promise.resolve(result?.value).then(value => ({ done: result.done, value })) // an array may hold promises
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async return(value) {
    await this.close()
    return { done: true, value: await value }
  }

  /** @returns {Promise<any>} rejects with the error */
  async throw(error) {
    await this.close()
    throw error
  }

  /** @returns {Promise<void>} does not wait for an iterator that waits for its source */
  close() {
    if (this.isOver) return this.closed ?? Promise.resolve()
    this.isOver = this.isClosed = true
    const isWaiting = this.waiting.size > 0
    for (const resolve of this.waiting) resolve(end())
    this.waiting.clear()
    return (this.closed = this.stop(isWaiting))
  }

  /** @param {boolean} isWaiting */
  async stop(isWaiting) {
    const { iterator } = this
    if (iterator === null || isWaiting) await this.release(iterator !== null)
    if (iterator === null) return
    const ended = iterator.return?.()
    if (!isWaiting) await ended
    else ended?.then?.(undefined, () => {})
  }
}

/** @returns {IteratorResult<any>} */
function end() {
  return { done: true, value: undefined }
}

/**
 * The items of an iterable, of a stream, or of a cursor of the driver.
 *
 * @param {any} source
 * @returns {ClosableIterator}
 */
function itemsOf(source) {
  if (typeof source.getReader === 'function') return itemsOfWeb(source)
  const begin = () => source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]()
  return new ClosableIterator(begin, hasBegun => {
    const { next, pipe, rewind } = source
    if (typeof pipe === 'function') source.destroy?.()
    else if (typeof rewind === 'function') return source.close?.()
    else if (typeof next === 'function' && !hasBegun) return source.return?.()
  })
}

/** Web streams are not async iterable on all platforms. @param {ReadableStream} stream locked by the first read */
function itemsOfWeb(stream) {
  /** @type {any} */
  let reader = null
  const close = async () => {
    try {
      await reader.cancel()
    } finally {
      reader.releaseLock()
    }
    return end()
  }
  const begin = () => {
    reader = stream.getReader()
    const next = async () => {
      let isOver = true
      try {
        const result = await reader.read()
        isOver = result.done
        return result
      } finally {
        if (isOver) reader.releaseLock()
      }
    }
    return { next, return: close }
  }
  return new ClosableIterator(begin, hasBegun => hasBegun || stream.cancel())
}

module.exports = { closing, closingNow, ClosableIterator, failureOf, itemsOf }
