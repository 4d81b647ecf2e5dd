'use strict'

// A socket's chunks -> messages -> the requests that wait for them.

const wire = require('../../lib/wire')
const { int32, frame, kind, msg, A, STREAM, body } = require('../fixtures/wire')

const { errorOf } = require('../fixtures/error-of')

const { MSG_FLAG, WireError, MessageSplitter, PendingRequests, decodeMessage, encodeMsg, encodeReply } = wire

/** All messages of a stream that comes in chunks of these sizes, over and over. */
function split(bytes, sizes) {
  const splitter = new MessageSplitter()
  const messages = []
  for (let pos = 0, i = 0; pos < bytes.length; i++) {
    const size = sizes[i % sizes.length]
    splitter.write(bytes.subarray(pos, pos + size))
    messages.push(...splitter)
    pos += size
  }
  splitter.end()
  return messages
}

module.exports = {
  'splitter': {
    'finds the messages however they are cut': function (t) {
      const bytes = Buffer.concat([...STREAM, frame(1, 2, 3), frame(4, 5, 6)])
      const expected = [...STREAM, frame(1, 2, 3), frame(4, 5, 6)].map(message => message.toString('hex'))
      for (let size = 1; size <= bytes.length; size++) {
        t.ok(split(bytes, [size]).map(message => message.toString('hex')).join() === expected.join(), `chunks of ${size}`)
      }
      for (let a = 1; a < 40; a++) {
        for (let b = 0; b < 40; b++) t.ok(split(bytes, [a, b]).length === expected.length)
      }
      t.done()
    },

    'does not copy a message that lies in one chunk': function (t) {
      const bytes = Buffer.concat(STREAM)
      for (const message of split(bytes, [bytes.length])) t.strictEqual(message.buffer, bytes.buffer)
      const splitter = new MessageSplitter()
      splitter.write(STREAM[0])
      t.strictEqual(splitter.read(), STREAM[0])
      t.strictEqual(splitter.read(), null)
      t.done()
    },

    'takes plain Uint8Arrays': function (t) {
      const splitter = new MessageSplitter()
      splitter.write(new Uint8Array(STREAM[0].subarray(0, 5)))
      t.strictEqual(splitter.read(), null)
      splitter.write(new Uint8Array(STREAM[0].subarray(5)))
      t.deepStrictEqual([...splitter.read()], [...STREAM[0]])
      t.done()
    },

    'counts what it holds': function (t) {
      const splitter = new MessageSplitter()
      const large = encodeMsg({ requestId: 1, body: { x: 'x'.repeat(100) } })
      splitter.write(large.subarray(0, 10))
      t.strictEqual(splitter.pendingBytes, 10)
      t.strictEqual(splitter.read(), null)
      t.strictEqual(splitter.pendingBytes, 10)
      splitter.write(large.subarray(10, 50))
      t.strictEqual(splitter.read(), null)
      t.strictEqual(splitter.pendingBytes, 50)
      splitter.write(Buffer.concat([large.subarray(50), large]))
      t.strictEqual(splitter.pendingBytes, 2 * large.length)
      t.strictEqual(splitter.read().length, large.length)
      t.strictEqual(splitter.pendingBytes, large.length)
      t.strictEqual(splitter.read().length, large.length)
      t.strictEqual(splitter.pendingBytes, 0)
      splitter.end()
      t.done()
    },

    'a loop that is left loses nothing': function (t) {
      const splitter = new MessageSplitter()
      splitter.write(Buffer.concat(STREAM))
      for (const message of splitter) {
        t.deepStrictEqual([...message], [...STREAM[0]])
        break
      }
      t.strictEqual([...splitter].length, STREAM.length - 1)
      t.done()
    },

    'gives out the messages before a length that lies, then lets go of everything': function (t) {
      for (const length of [-1, 0, 15, 48000001, 0x7fffffff]) {
        for (const size of [1, 7, 1000]) {
          const bytes = Buffer.concat([STREAM[0], STREAM[1], int32(length, 5, 4, 2013), Buffer.alloc(100)])
          const splitter = new MessageSplitter()
          const messages = []
          const attempt = () => {
            for (let pos = 0; pos < bytes.length; pos += size) {
              splitter.write(bytes.subarray(pos, pos + size))
              for (const message of splitter) messages.push(message)
            }
          }
          const expected = `OP_MSG 5 in reply to 4: length ${length} is not between 16 and 48000000 (at offset 0)`
          t.throws(attempt, error => error instanceof WireError && error.message === expected)
          t.strictEqual(messages.length, 2)
          t.strictEqual(splitter.pendingBytes, 0)
          t.throws(() => splitter.write(STREAM[0]), WireError, 'nothing can be found after it')
          t.throws(() => splitter.read(), WireError)
        }
      }
      t.done()
    },

    'has a limit that can be set': function (t) {
      const splitter = new MessageSplitter({ maxMessageSizeBytes: 100 })
      splitter.write(int32(101, 0, 0, 0))
      t.throws(() => splitter.read(), /length 101 is not between 16 and 100/)
      t.done()
    },

    'a message that is broken inside leaves the others unharmed': function (t) {
      const broken = msg(body, kind(9))
      const splitter = new MessageSplitter()
      splitter.write(Buffer.concat([STREAM[0], broken, STREAM[1]]))
      const results = []
      for (const message of splitter) {
        try {
          results.push(decodeMessage(message).opCode)
        } catch (error) {
          results.push(error.name)
        }
      }
      t.deepStrictEqual(results, [2013, 'WireError', 2013])
      t.done()
    },

    'says when the connection ends in the middle': function (t) {
      const splitter = new MessageSplitter()
      splitter.write(STREAM[0].subarray(0, 20))
      t.deepStrictEqual([...splitter], [])
      t.throws(() => splitter.end(), /the connection ended after 20 bytes of a message/)
      t.strictEqual(splitter.pendingBytes, 0)
      t.done()
    }
  },

  'pending requests': {
    'find who waits': function (t) {
      const pending = new PendingRequests()
      const first = pending.nextId()
      const second = pending.nextId()
      pending.add(first, 'a')
      pending.add(second, 'b')
      const reply = (requestId, responseTo, flags) => decodeMessage(encodeMsg({ requestId, responseTo, flags, body: { ok: 1 } }))
      t.strictEqual(pending.take(reply(100, second)), 'b')
      t.strictEqual(pending.size, 1)
      const nobody = reply(101, second)
      t.throws(() => pending.take(nobody), error => error instanceof WireError && error.message === `OP_MSG 101 in reply to ${second}: no request waits for this reply (at offset 8)`)
      t.throws(() => pending.take(reply(101, 0)), /no request waits/)
      t.strictEqual(pending.size, 1, 'the others still wait')
      t.strictEqual(pending.take(reply(102, first, MSG_FLAG.MORE_TO_COME)), 'a')
      t.strictEqual(pending.take(reply(103, 102, MSG_FLAG.MORE_TO_COME)), 'a')
      t.throws(() => pending.take(reply(104, 102)), /no request waits/)
      t.strictEqual(pending.take(reply(104, 103)), 'a')
      t.strictEqual(pending.size, 0)
      t.done()
    },

    'a waiter may be anything': function (t) {
      for (const waiter of [undefined, null, 0]) {
        const pending = new PendingRequests()
        pending.add(1, waiter)
        t.strictEqual(pending.take({ requestId: 9, responseTo: 1, opCode: 1, length: 0 }), waiter)
        t.strictEqual(pending.size, 0)
      }
      t.done()
    },

    'a reply that says more will come takes no other request\'s place': function (t) {
      const pending = new PendingRequests()
      pending.add(1, 'a')
      pending.add(2, 'b')
      const reply = (requestId, responseTo, flags) => decodeMessage(encodeMsg({ requestId, responseTo, flags, body: { ok: 1 } }))
      const error = errorOf(() => pending.take(reply(2, 1, MSG_FLAG.MORE_TO_COME)))
      t.ok(error instanceof WireError)
      t.strictEqual(error.message, 'OP_MSG 2 in reply to 1: more replies would take the requestId of another waiting request (at offset 4)')
      t.strictEqual(pending.size, 2, 'nothing has changed')
      t.strictEqual(pending.take(reply(1, 1, MSG_FLAG.MORE_TO_COME)), 'a', 'its own is free')
      t.strictEqual(pending.take(reply(2, 1)), 'a', 'a last reply may have any')
      t.strictEqual(pending.take(reply(9, 2)), 'b')
      t.strictEqual(pending.size, 0)
      t.done()
    },

    'two do not wait under one requestId': function (t) {
      const pending = new PendingRequests()
      pending.add(1, 'a')
      const error = errorOf(() => pending.add(1, 'b'))
      t.strictEqual(error.message, 'a request with the requestId 1 is already waiting')
      for (const requestId of [1.5, '2', 2 ** 31]) t.throws(() => pending.add(requestId, 'b'), /requestId must be/)
      t.strictEqual(pending.take({ requestId: 9, responseTo: 1, opCode: 1, length: 0 }), 'a')
      pending.add(1, 'b')
      t.strictEqual(pending.size, 1)
      t.done()
    },

    'take an OP_REPLY': function (t) {
      const pending = new PendingRequests()
      pending.add(1, 'a')
      t.strictEqual(pending.take(decodeMessage(encodeReply({ requestId: 5, responseTo: 1, flags: 2, documents: [A] }))), 'a')
      t.strictEqual(pending.size, 0)
      t.done()
    },

    'are let go all at once': function (t) {
      const pending = new PendingRequests()
      pending.add(1, 'a')
      pending.add(2, 'b')
      t.deepStrictEqual(pending.takeAll(), ['a', 'b'])
      t.strictEqual(pending.size, 0)
      t.done()
    },

    'ids start again, and leave out those that wait': function (t) {
      const pending = new PendingRequests()
      pending.lastId = 0x7ffffffe
      pending.add(1, 'old')
      t.deepStrictEqual([pending.nextId(), pending.nextId(), pending.nextId()], [0x7fffffff, 2, 3])
      t.done()
    }
  }
}
