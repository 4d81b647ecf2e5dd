'use strict'

// Runs in a page, without Node: globalThis.run(request) times one case and returns its rows. Documents arrive as bytes
// that bson has written, and the values to encode are those that the contender decodes from them.

/** The last results are kept, so that nothing is optimised away. */
const KEPT = 64

/** Documents of a kind between two readings of the clock, which has steps of 5 µs, in Firefox of 20. */
const BLOCK = 50

const kept = new Array(KEPT).fill(null)

// The only call site of the codec.
function runBlock(operate, inputs, from, to) {
  for (let i = from; i < to; i++) kept[i % KEPT] = operate(inputs[i])
}

/** Splits concatenated documents, each of which begins with its int32 length. */
function split(memory, count) {
  const view = new DataView(memory)
  const documents = []
  let offset = 0
  while (documents.length < count) {
    const size = view.getInt32(offset, true)
    documents.push(new Uint8Array(memory.slice(offset, offset + size)))
    offset += size
  }
  return documents
}

const sorted = values => [...values].sort((a, b) => a - b)

/** The lower quartile, because other load on the machine can only add time. */
const quartile = values => sorted(values)[values.length >> 2]

/** Half the range of the lower half. */
const spread = values => (sorted(values)[values.length >> 1] - Math.min(...values)) / 2 / quartile(values)

/** Milliseconds for each kind in `rounds` passes over all of its documents. */
function pass(operate, lists, rounds) {
  const times = lists.map(() => 0)
  const count = Math.max(...lists.map(({ inputs }) => inputs.length))
  for (let from = 0; from < count; from += BLOCK) {
    lists.forEach(({ inputs }, k) => {
      const start = performance.now()
      for (let i = 0; i < rounds; i++) runBlock(operate, inputs, from, Math.min(from + BLOCK, inputs.length))
      times[k] += performance.now() - start
    })
  }
  return times
}

/** Runs passes for this long, at least eight. */
function passesFor(ms, operate, lists, rounds) {
  const passes = []
  const end = performance.now() + ms
  do passes.push(pass(operate, lists, rounds))
  while (performance.now() < end || passes.length < 8)
  return passes
}

/** A pass over one kind takes microseconds, so a sample has several; over mixed kinds, a sample is one pass. */
function timePasses(operate, lists, { warmMs, sampleMs, samples }) {
  const isMixed = lists.length > 1
  const warmed = passesFor(isMixed ? 20 * warmMs : 2 * warmMs, operate, lists, 1)
  const rounds = isMixed ? 1 : Math.ceil(sampleMs / 2 / Math.max(0.001, quartile(warmed.map(([time]) => time))))
  const passes = passesFor(isMixed ? 8 * sampleMs * samples : 2 * sampleMs * samples, operate, lists, rounds)
  return lists.map(({ subject, inputs, bytes }, k) => {
    const times = passes.map(each => each[k] * 1e6 / inputs.length / rounds)
    return { subject, ns: quartile(times), sampleSpread: spread(times), bytes }
  })
}

/** Nanoseconds per document over the first documents, up to each mark. */
function timeFirst(operate, inputs, op, marks) {
  let done = 0
  const start = performance.now()
  return marks.map(mark => {
    for (; done < mark; done++) kept[done % KEPT] = operate(inputs[done % inputs.length])
    return { op: `${op}, first ${mark}`, ns: (performance.now() - start) * 1e6 / mark, extra: { op, mark } }
  })
}

function check({ encode, decode }, bytes) {
  const again = encode(decode(bytes))
  if (again.length !== bytes.length || again.some((byte, i) => byte !== bytes[i])) throw new Error('other bytes')
}

globalThis.run = async ({ library, names, op, lists, marks, mode }) => {
  const loaded = await import(library)
  const codec = { encode: loaded[names.encode], decode: loaded[names.decode] }
  const made = await Promise.all(lists.map(async ({ subject, file, count }) => {
    const memory = await (await fetch(file)).arrayBuffer()
    const documents = split(memory, count)
    return { subject, documents, bytes: memory.byteLength / count, inputs: op === 'decode' ? documents : documents.map(doc => codec.decode(doc)) }
  }))
  const rows = marks ? timeFirst(codec[op], made[0].inputs, op, marks) : timePasses(codec[op], made, mode)
  for (const { documents } of made) for (const bytes of documents) check(codec, bytes)
  return rows
}
