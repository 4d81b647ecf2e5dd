'use strict'

const { FrameQueue } = require('../../lib/bytes/frame-queue')
const { assertCheap } = require('../fixtures/cost')

/** Frames whose first byte is their length. */
function queueOf() {
  return new FrameQueue(1, (buf, offset) => {
    if (buf[offset] === 0) throw new RangeError('no length')
    return buf[offset]
  })
}

/** Frames of four bytes of length. */
function longQueue() {
  return new FrameQueue(4, (buf, offset) => Buffer.from(buf.buffer, buf.byteOffset + offset, 4).readInt32LE())
}

function framed(length) {
  const frame = Buffer.alloc(length, 7)
  frame.writeInt32LE(length)
  return frame
}

function readAll(queue) {
  const frames = []
  for (let frame = queue.read(); frame !== null; frame = queue.read()) frames.push(frame)
  return frames
}

module.exports = {
  'frames, however they are cut': function (t) {
    const lengths = [1, 5, 2, 1, 9, 3, 200, 1, 7]
    const bytes = Buffer.concat(lengths.map(length => Buffer.alloc(length, length)))
    for (let size = 1; size <= bytes.length; size++) {
      const queue = queueOf()
      const frames = []
      for (let at = 0; at < bytes.length; at += size) {
        queue.write(bytes.subarray(at, at + size))
        if (at % 3 !== 0) frames.push(...readAll(queue)) // sometimes several chunks wait
      }
      frames.push(...readAll(queue))
      t.ok(Buffer.concat(frames).equals(bytes), `chunks of ${size}`)
      t.deepStrictEqual(frames.map(frame => frame.length), lengths)
      t.strictEqual(queue.size, 0)
    }
    t.done()
  },

  'memory that goes away while chunks wait': function (t) {
    const goAway = [memory => memory.resize(1), memory => structuredClone(memory, { transfer: [memory] })]
    for (const go of goAway) {
      for (const [size, rest] of [[700, 0], [700, 100], [2, 798], [300, 500]]) {
        const memory = new ArrayBuffer(size, { maxByteLength: 900 })
        const chunk = new Uint8Array(memory)
        chunk.set(framed(800).subarray(0, size))
        const queue = longQueue()
        queue.write(chunk)
        if (rest === 0) chunk.set(framed(700)) // it waits as a whole
        else if (size > 4) t.strictEqual(queue.read(), null)
        go(memory)
        if (rest > 0) queue.write(Buffer.alloc(rest))
        t.throws(() => queue.read(), /BSONError: the ArrayBuffer of a chunk is detached or has shrunk/)
      }
    }
    t.done()
  },

  'a frame in one chunk is a view, also a chunk that is one frame': function (t) {
    const queue = queueOf()
    const chunk = Uint8Array.from([2, 0, 3, 0, 0])
    queue.write(chunk)
    const [first, second] = readAll(queue)
    t.strictEqual(first.buffer, chunk.buffer)
    t.deepStrictEqual([first.length, second.length, second.byteOffset], [2, 3, 2])
    t.ok(Buffer.isBuffer(first))
    const whole = Buffer.from([2, 0])
    queue.write(whole)
    t.strictEqual(queue.read(), whole)
    t.done()
  },

  'what is not bytes is refused, what is empty is nothing': function (t) {
    const queue = queueOf()
    for (const chunk of [null, undefined, 'text', {}]) t.throws(() => queue.write(chunk), /bytes must be/)
    queue.write(Buffer.alloc(0))
    queue.write(new Uint8Array(0).buffer)
    t.deepStrictEqual([queue.read(), queue.size], [null, 0])
    t.done()
  },

  'a length that lies ends it, and lets go of all': function (t) {
    const queue = queueOf()
    queue.write(Buffer.from([1, 0, 5, 5, 5]))
    t.strictEqual(queue.read().length, 1)
    const caught = []
    for (const call of [() => queue.read(), () => queue.read(), () => queue.write(Buffer.from([1]))]) {
      try {
        call()
      } catch (error) {
        caught.push(error)
      }
    }
    t.strictEqual(caught.length, 3)
    t.ok(caught.every(error => error === caught[0] && error instanceof RangeError))
    t.strictEqual(queue.size, 0)
    t.done()
  },

  // 100,000 chunks took 48 s
  'chunks that wait unread take linear time': function (t) {
    const count = 300_000
    const frame = framed(count)
    assertCheap(10_000, () => {
      const queue = longQueue()
      for (let i = 0; i < count; i++) queue.write(frame.subarray(i, i + 1))
      t.ok(queue.read().equals(frame))
    }, 'chunks that wait')
    t.done()
  },

  'bytes that come one by one are held together': function (t) {
    const queue = longQueue()
    const frame = framed(200_000)
    let blocks = 0
    let held = 0
    const append = queue.append
    queue.append = block => { blocks++; held += block.bytes.length; append.call(queue, block) }
    for (let i = 0; i < frame.length - 1; i++) {
      queue.write(frame.subarray(i, i + 1))
      if (i % 2) t.ok(queue.read() === null)
    }
    t.ok(blocks < 20, `${blocks} blocks`)
    t.ok(held < 2 * frame.length, `${held} bytes are taken`)
    queue.write(frame.subarray(-1))
    t.ok(queue.read().equals(frame))
    t.done()
  },

  'memory follows what has arrived, not what a length says': function (t) {
    const before = process.memoryUsage().arrayBuffers
    const queues = Array.from({ length: 20 }, longQueue)
    for (const queue of queues) {
      queue.write(Buffer.from([0, 0x6c, 0xdc, 2])) // 48 million
      queue.write(Buffer.alloc(1000))
      t.strictEqual(queue.read(), null)
      t.deepStrictEqual([queue.size, queue.needed], [1004, 0x02dc6c00])
    }
    t.ok(process.memoryUsage().arrayBuffers - before < 1e6)
    t.done()
  }
}
