'use strict'

const { nameOf } = require('../terminal/messages')
const { CHOOSING_OPTIONS, OUT_OPTIONS, FINDING_OPTIONS, except } = require('../options')
const { Input } = require('../input/input')
const { printable } = require('../terminal/printable')

/** @type {import('./index').Command} */
const count = {
  about: 'count the documents, and their bytes, of each collection',
  examples: [
    'qbson count dump.archive',
    `qbson count --match '{"age": {"$gte": 30}}' people.bson`
  ],
  options: {},
  groups: [FINDING_OPTIONS, except(CHOOSING_OPTIONS, ['fields']), OUT_OPTIONS],

  async *run(context) {
    const input = new Input(context, { isQuiet: true })
    const counts = new Map()
    for await (const { file, block: { namespace }, result } of input.results({ task: 'count' })) {
      const key = `${file}\0${namespace.name}`
      const known = counts.get(key) ?? { name: namespace.name || nameOf(file), documents: 0, size: 0 }
      known.documents += result.count
      known.size += result.size
      counts.set(key, known)
    }
    const rows = [...counts.values()].map(({ name, documents, size }) => `${documents} ${size} ${printable(name)}\n`)
    yield rows.join('')
    return input.code
  }
}

module.exports = { count }
