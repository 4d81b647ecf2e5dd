'use strict'

// qbson compile, which writes the codec in examples/.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { folder, run, write } = require('../fixtures/cli')

const examples = path.join(__dirname, '..', '..', 'examples')
const example = name => fs.readFileSync(path.join(examples, name), 'utf8')
const schemaFile = path.join(examples, 'bookshop.schema.json')
const read = file => fs.readFileSync(path.join(folder, file), 'utf8')

module.exports = {
  'compile writes a module and its declarations': async function (t) {
    const out = path.join(folder, 'order.js')
    const { code, err } = await run(['compile', schemaFile, '--out', out])
    t.strictEqual(`${code} ${err}`, '0 ')
    t.strictEqual(read('order.js'), example('bookshop.js'))
    t.strictEqual(read('order.d.ts'), example('bookshop.d.ts'))
    await run(['compile', schemaFile, '--out', path.join(folder, 'order.mjs')])
    t.ok(read('order.mjs').includes('export { encode,') && read('order.d.mts') === example('bookshop.d.ts'))
    await run(['compile', schemaFile, '--out', path.join(folder, 'order.cjs'), '--esm'])
    t.ok(read('order.cjs').includes('export { encode,') && read('order.d.cts') === example('bookshop.d.ts'))
    await run(['compile', schemaFile, '--out', path.join(folder, 'packed.mjs.gz')])
    const packed = zlib.gunzipSync(fs.readFileSync(path.join(folder, 'packed.mjs.gz'))).toString()
    t.ok(packed.includes('export { encode,') && read('packed.d.mts') === example('bookshop.d.ts'))
    t.done()
  },

  'compile takes options, and a schema from standard input': async function (t) {
    const schema = write('a.json', Buffer.from('{"bsonType": "object", "properties": {"a": {"bsonType": "long"}}}'))
    const { out } = await run(['compile', schema, '--layout', 'array', '--upgrade', schema, '--bigint'])
    t.ok(out.includes("layout: 'array',") && out.includes('upgrade: [') && out.includes('useBigInt64: true'))
    const { code, out: text } = await run(['compile'], { input: [Buffer.from('{}')] })
    t.strictEqual(code, 0)
    t.ok(text.includes('const schema = {}'))
    t.done()
  },

  'compile says what is wrong': async function (t) {
    const bad = write('bad.json', Buffer.from('{"bsonType": "text"}'))
    t.deepStrictEqual((({ code, err }) => [code, err])(await run(['compile', bad])), [1, 'qbson: schema at #/bsonType: unknown type "text"\n'])
    const noJson = await run(['compile', write('no.json', Buffer.from('{'))])
    t.strictEqual(noJson.code, 1)
    t.ok(noJson.err.includes('no.json: '))
    t.strictEqual((await run(['compile', path.join(folder, 'none.json')])).code, 2)
    const nowhere = await run(['compile', schemaFile, '--out', path.join(folder, 'none', 'x.js')])
    t.strictEqual(`${nowhere.code} ${nowhere.err.slice(0, 7)}`, '2 qbson: ', nowhere.err)
    t.ok((await run(['compile', schemaFile, schemaFile])).err.startsWith('qbson: compile takes one schema\n'))
    t.done()
  }
}
