'use strict'

// Divides what is read between consumers, one for each collection, that each take chunks at their own pace.

/** The chunks for one consumer. A chunk's memory may be reused when `put` resolves. @template T */
class Feed {
  /** @param {(chunks: AsyncIterable<T>) => Promise<any>} consume */
  constructor(consume) {
    /** Gets the next chunk, if the consumer has asked. @type {((step: IteratorResult<T, void>) => void) | null} */
    this.take = null
    this.wake = () => {}
    this.result = consume(this)
    this.result.catch(() => {}) // the next `put` or `end` reports it
  }

  /** @returns {AsyncIterator<T, void>} */
  [Symbol.asyncIterator]() {
    const next = () => new Promise(resolve => {
      this.take = resolve
      this.wake()
    })
    return { next, return: async () => ({ done: true, value: undefined }) }
  }

  /** Waits until the consumer asks for a chunk, or has ended. @throws the consumer's error */
  async asked() {
    if (this.take !== null) return
    await Promise.race([this.result, new Promise(resolve => { this.wake = () => resolve(null) })])
  }

  /** @param {IteratorResult<T, void>} step */
  give(step) {
    const { take } = this
    this.take = null
    take?.(step)
  }

  /** @param {T} value */
  async put(value) {
    await this.asked()
    this.give({ done: false, value })
    await this.asked()
  }

  /** @returns {Promise<any>} what the consumer returns */
  async end() {
    await this.asked()
    this.give({ done: true, value: undefined })
    return this.result
  }
}

/**
 * @template T
 * @param {AsyncIterable<T>} chunks
 * @param {(chunk: T) => string} keyOf which consumer gets it
 * @param {(chunks: AsyncIterable<T>, first: T) => Promise<any>} consume called once for each key
 * @param {(chunk: T) => boolean} isTogether whether all chunks with its key come one after another: the consumer ends
 *   with the last one
 * @returns {Promise<Map<string, any>>} what the consumers return, by key
 */
async function divide(chunks, keyOf, consume, isTogether) {
  /** @type {Map<string, Feed<T>>} */
  const feeds = new Map()
  const results = new Map()
  const end = async key => {
    results.set(key, await feeds.get(key).end())
    feeds.delete(key)
  }
  /** @type {string | null} a key of which only the chunks that follow this one can be */
  let last = null
  for await (const chunk of chunks) {
    const key = keyOf(chunk)
    if (last !== null && last !== key) await end(last)
    last = isTogether(chunk) ? key : null
    if (!feeds.has(key)) feeds.set(key, new Feed(own => consume(own, chunk)))
    await feeds.get(key).put(chunk)
  }
  for (const key of [...feeds.keys()]) await end(key)
  return results
}

module.exports = { Feed, divide }
