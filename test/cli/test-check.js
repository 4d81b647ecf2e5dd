'use strict'

// The reports of check on files of all kinds.

const { encode } = require('../../qbson')
const { bookshop, values, dump, run, lines, write, broken } = require('../fixtures/cli')

module.exports = {
  'documents, bytes and types': async function (t) {
    const file = write('a.bson', dump)
    const { code, out, err } = await run(['check', file])
    t.strictEqual(out, `${file}: 3 good documents, ${dump.length} bytes\n` +
      '  types: int 3, double 2, string 1, array 1, long 1\n  no errors\n')
    t.strictEqual(err, '')
    t.strictEqual(code, 0)
    const one = await run(['check', '--limit', '1', file])
    t.strictEqual(one.out, `${file}: 1 good document, ${encode(values[0]).length} bytes\n  types: int 1, long 1\n  no errors\n`)
    t.strictEqual((await run(['check'])).out, 'standard input: 0 good documents, 0 bytes\n  no errors\n')
    t.done()
  },

  'every type by its name': async function (t) {
    const { out } = await run(['check', bookshop])
    const types = ['string', 'object', 'array', 'binData', 'objectId', 'bool', 'date', 'null', 'regex']
    for (const type of [...types, 'javascriptWithScope', 'int', 'timestamp', 'long', 'decimal', 'minKey', 'maxKey']) {
      t.ok(new RegExp(`\\b${type} \\d`).test(out), type)
    }
    t.ok(out.endsWith('no errors\n'))
    t.done()
  },

  'the first fault, and the next file all the same': async function (t) {
    const { bytes, at } = broken()
    const bad = write('bad.bson', bytes)
    const { code, out, err } = await run(['check', bad, write('a.bson', dump)])
    const [head, types, fault, intact, next] = lines(out)
    t.strictEqual(head, `${bad}: 1 good document, ${encode(values[0]).length} bytes`)
    t.strictEqual(types, '  types: int 1, long 1')
    t.ok(fault.startsWith('  error: ') && fault.endsWith(`(at offset ${at} in field list of document 2)`), fault)
    t.strictEqual(intact, `  intact, for --range: 0:${encode(values[0]).length}`)
    t.ok(next.includes('3 good documents'))
    t.strictEqual(err, '')
    t.strictEqual(code, 1)
    t.done()
  },

  'what is chosen of several files is chosen of all of them': async function (t) {
    const [a, b] = [write('a.bson', dump), write('b.bson', dump)]
    const rows = [
      [['--tail', '2'], 0, 2], [['--tail', '4'], 1, 3], [['--tail', '4', '--limit', '2'], 1, 1], [['--sort', '_id', '--limit', '3'], 2, 1],
      [['--skip', '2', '--limit', '2'], 1, 1], [['--limit', '2'], 2]
    ]
    for (const [args, ...expected] of rows) {
      const { out, err, code } = await run(['check', ...args, a, b])
      const counts = lines(out).filter(line => line.includes('good')).map(line => Number(/: (\d+) good/.exec(line)[1]))
      t.deepStrictEqual([counts, err, code], [expected, '', 0], `${args.join(' ')}: ${out}`)
    }
    t.strictEqual((await run(['check', '--match', '{"list":{"$size":2}}', a, write('c.bson', encode({ _id: 1 }))])).err, '')
    t.done()
  }
}
