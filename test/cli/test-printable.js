'use strict'

// The content and names of files never reach the terminal unescaped.

const path = require('node:path')
const { encode } = require('../../qbson')
const { printable, printableBytes } = require('../../lib/cli/terminal/printable')
const { dump, folder, run, write } = require('../fixtures/cli')

module.exports = {
  'control characters of names do not reach the terminal': async function (t) {
    const evil = '\x1b[2J\x1b]0;pwned\x07\u009b31m\x7f\n'
    const shown = '\\u001b[2J\\u001b]0;pwned\\u0007\\u009b31m\\u007f\\u000a'
    const isClean = text => !/[\0-\x09\x0b-\x1f\x7f-\x9f]/.test(text)
    const bad = Buffer.from(encode({ [evil]: 1 }))
    bad[4] = 0x20 // no type
    for (const args of [[], ['check']]) {
      const { out, err } = await run(args, { input: bad })
      t.ok(isClean(out + err) && (out + err).includes('u001b]0;pwned'), out + err)
    }
    const named = await run(['check', write(evil, dump)])
    t.ok(named.out.startsWith(`${folder}/${shown}: 3 good documents`), named.out)
    const { err } = await run(['check', path.join(folder, `none${evil}`)])
    t.ok(isClean(err) && err.endsWith(`none${shown}\n`), err)
    const usage = await run([`--${evil}`])
    t.ok(isClean(usage.err), usage.err)
    for (const args of [[], ['--pretty']]) {
      const { out } = await run(args, { input: encode({ [evil]: evil, é: 'Â' }) })
      t.ok(isClean(out), out)
      t.deepStrictEqual(JSON.parse(out), { [evil]: evil, é: 'Â' })
    }
    t.done()
  },

  'as JSON writes them; one may be kept': t => {
    t.strictEqual(printable('a\x00\x1b\x7f\x9f\né'), 'a\\u0000\\u001b\\u007f\\u009f\\u000aé')
    const texts = ['é', '\x7f', '\x80Â', 'Â\xa0\x9f\x7f\xbf\x7f\x85', 'no']
    for (const json of texts.map(text => `{"a":"${text}"}\n`)) {
      const bytes = printableBytes(Buffer.from(json))
      t.strictEqual(String(bytes), json.split('\n').map(line => printable(line)).join('\n'))
      t.deepStrictEqual(JSON.parse(String(bytes)), JSON.parse(json))
    }
    t.done()
  }
}
