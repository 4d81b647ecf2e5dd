'use strict'

// Matches replies to requests.

const { INT32_MAX } = require('../spec')
const { BSONError } = require('../errors')
const { int32, refusal } = require('../options')
const { wireError } = require('./header')
const { MSG_FLAG, OPCODE } = require('./opcodes')

/**
 * The requests of one connection that wait for a reply.
 *
 * @template T anything the caller keeps with a request: a callback, or a promise's two functions
 */
class PendingRequests {
  constructor() {
    this.lastId = 0
    /** @type {Map<number, T>} */
    this.waiting = new Map()
  }

  /** @returns {number} requests that wait */
  get size() {
    return this.waiting.size
  }

  /** @returns {number} a requestId that no waiting request has: 1, 2, ..., and 1 again after the largest int32 */
  nextId() {
    do this.lastId = this.lastId === INT32_MAX ? 1 : this.lastId + 1
    while (this.waiting.has(this.lastId))
    return this.lastId
  }

  /** @param {number} requestId @param {T} waiter @throws {BSONError} when another request waits under that id */
  add(requestId, waiter) {
    int32()(requestId, 'requestId')
    if (this.waiting.has(requestId)) throw new BSONError(`a request with the requestId ${requestId} is already waiting`)
    this.waiting.set(requestId, waiter)
  }

  /**
   * Finds the waiter for a reply. If the reply says that more will come, the next one is expected in reply to it.
   *
   * @param {{requestId: number, responseTo: number, opCode: number, length: number, flags?: number}} reply
   * @returns {T}
   * @throws {import('./header').WireError} if no request waits for it, or if more will come under the requestId of
   *   another waiting request; nothing has changed then
   */
  take(reply) {
    if (typeof reply !== 'object' || reply === null) throw refusal('reply', reply, 'a message')
    if (!this.waiting.has(reply.responseTo)) throw wireError(reply, 'no request waits for this reply', 8)
    const waiter = /** @type {T} */ (this.waiting.get(reply.responseTo))
    const isMore = reply.opCode === OPCODE.MSG && (reply.flags & MSG_FLAG.MORE_TO_COME) !== 0
    if (isMore && reply.requestId !== reply.responseTo && this.waiting.has(reply.requestId)) {
      throw wireError(reply, 'more replies would take the requestId of another waiting request', 4)
    }
    this.waiting.delete(reply.responseTo)
    if (isMore) this.waiting.set(reply.requestId, waiter)
    return waiter
  }

  /** Empties the list, for a connection that is lost. @returns {T[]} all waiters */
  takeAll() {
    const waiters = [...this.waiting.values()]
    this.waiting.clear()
    return waiters
  }
}

module.exports = { PendingRequests }
