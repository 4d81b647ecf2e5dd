'use strict'

// The output of print, the default command.

const { dump, run, lines, write } = require('../fixtures/cli')

module.exports = {
  'prints a line of relaxed Extended JSON a document': async function (t) {
    const { code, out, err } = await run([write('a.bson', dump)])
    t.deepStrictEqual(lines(out), ['{"_id":1,"n":5}', '{"_id":2,"list":[1.5,"é"]}', '{"_id":3,"d":1.0}'])
    t.strictEqual(err, '')
    t.strictEqual(code, 0)
    t.done()
  },

  '--relaxed is the default, --canonical keeps types': async function (t) {
    const file = write('a.bson', dump)
    t.strictEqual((await run(['--relaxed', file])).out, (await run([file])).out)
    const { out } = await run(['--canonical', file])
    t.strictEqual(lines(out)[0], '{"_id":{"$numberInt":"1"},"n":{"$numberLong":"5"}}')
    t.strictEqual(lines(out)[2], '{"_id":{"$numberInt":"3"},"d":{"$numberDouble":"1.0"}}')
    t.done()
  },

  '--pretty indents': async function (t) {
    const { out } = await run(['--pretty', '--limit', '1', write('a.bson', dump)])
    t.strictEqual(out, '{\n  "_id": 1,\n  "n": 5\n}\n')
    t.done()
  }
}
