'use strict'

// --ns, --name, --ns-from and --ns-to: which collections are read, and what they are called.

const fs = require('node:fs')
const path = require('node:path')
const { encode, EJSON } = require('../../qbson')
const { archive, contents, customers, folder, folderDump, orders } = require('../fixtures/dumps')
const { run, write } = require('../fixtures/cli')
const { assertCheap } = require('../fixtures/cost')
const { missingOf, wantedOf } = require('../../lib/cli/input/names')

const file = () => write('names.archive', archive())
let made = 0

module.exports = {
  'two collections cannot get one name, and no name is empty': async t => {
    const { err, code } = await run(['count', '--ns-from', 'shop.orders', '--ns-to', 'a.b', '--ns-from', 'shop.customers', '--ns-to', 'a.b', file()])
    t.ok(code === 2 && /both shop\.\w+ and shop\.\w+ would become a\.b/.test(err), err)
    for (const args of [['--name', '.b'], ['--name', 'a.'], ['--name', ''], ['--ns-from', '*', '--ns-to', '*.']]) {
      const wrong = await run(['count', ...args, '--ns', 'shop.orders', file()])
      t.ok(wrong.code === 2 && wrong.err.includes('needs DB.COLL, not'), `${args}: ${wrong.err}`)
    }
    t.strictEqual((await run(['to-bson', '--name', '.b'], { input: '{}' })).code, 2)
    t.done()
  },

  'a folder of a database has its name, of any alphabet': async t => {
    for (const [name, db] of [['süd.größe', 'süd'], ['con.a', '%63%6F%6E'], ['a:b.c', 'a%3Ab']]) {
      const out = path.join(folder, `names-${++made}`)
      const written = await run(['--to', 'bson', '--name', name, '--out', `${out}/`], { input: orders[0] })
      t.deepStrictEqual([written.err, fs.readdirSync(out)], ['', [db]])
      if (db === 'süd') t.strictEqual((await run(['count', '--ns', name, out])).out, `1 ${orders[0].length} ${name}\n`)
    }
    t.done()
  },

  'collections of which nothing is chosen are written, too': async t => {
    for (const args of [['--sort', '_id'], ['--tail', '100'], ['--sample', '100'], []]) {
      const out = path.join(folder, `names-${++made}`)
      t.strictEqual((await run(['--to', 'bson', ...args, '--out', `${out}/`, file()])).code, 0)
      t.deepStrictEqual(fs.readdirSync(out, { recursive: true }).map(String).filter(one => one.endsWith('.bson')).sort(), ['blog/empty.bson', 'shop/customers.bson', 'shop/orders.bson'], `${args}`)
      t.ok((await run(['count', ...args, file()])).out.includes('0 0 blog.empty'), `${args}`)
    }
    t.done()
  },

  'a collection that is not there': async t => {
    for (const [source, known] of [[file(), 'blog.empty, shop.cheap, shop.customers, shop.orders'], [folderDump(), 'blog.empty, shop.cheap, shop.customers, shop.orders']]) {
      for (const args of [[], ['count'], ['check'], ['schema'], ['to-csv'], ['edit', '--set', 'a=1'], ['--tail', '1'], ['--to', 'archive']]) {
        const out = path.join(folder, 'names-out')
        const { code, err } = await run([...args, '--ns', 'shop.nosuch', '--out', out, source])
        t.ok(code === 1 && err.includes(`qbson: no collection shop.nosuch: there are ${known}\n`), `${args}: ${code} ${err}`)
        t.ok(err.endsWith('was not written, because a collection is missing\n') && !fs.existsSync(out), err)
        t.ok((await run([...args, '--keep-going', '--ns', 'shop.nosuch', '--out', out, source])).code === 1 && !fs.existsSync(out))
      }
    }
    const some = await run(['--ns', 'shop.customers', '--ns', 'shop.nosuch', '--ns', 'none.*', file()])
    t.ok(some.code === 1 && some.err.startsWith('qbson: no collection shop.nosuch, none.*: there are'), some.err)
    const unnamed = await run(['--ns', 'a.b'], { input: orders[0] })
    t.strictEqual(unnamed.err, 'qbson: no collection a.b: there is one without a name (see --name)\n')
    for (const ok of [['--ns', 'shop.*'], ['--ns', 'blog.empty'], ['--ns', 'shop.cheap'], ['--ns', '*.orders']]) {
      t.strictEqual((await run([...ok, file()])).code, 0, `${ok}`)
    }
    t.strictEqual((await run(['--ns', 'shop.orders', '--limit', '1', file(), write('late.bson', encode({}))])).code, 0, 'what is not read is not missed')
    t.done()
  },

  'as many names as collections': t => {
    const names = Array.from({ length: 6000 }, (_, i) => `shop.c${i}`)
    assertCheap(1000, () => {
      t.strictEqual(names.filter(wantedOf({ ns: names.slice(0, 1500) })).length, 1500)
      t.ok(missingOf([...names, 'shop.x'], names).startsWith('no collection shop.x: '))
    }, 'names')
    t.done()
  },

  '--name renames the collection that --ns chooses': async t => {
    for (const source of [file(), folderDump()]) {
      const { bytes, code } = await run(['--ns', 'shop.orders', '--name', 'new.copy', '--to', 'archive', source])
      t.strictEqual(code, 0)
      t.deepStrictEqual(await contents(bytes), { 'new.copy': Buffer.concat(orders) })
      const out = path.join(fs.mkdtempSync(path.join(folder, 'renamed-')), 'out')
      await run(['--ns', 'shop.orders', '--name', 'new.copy', '--to', 'bson', '--out', `${out}/`, source])
      t.deepStrictEqual(fs.readdirSync(path.join(out, 'new')).sort(), ['copy.bson', 'copy.metadata.json'])
      t.strictEqual(EJSON.parse(fs.readFileSync(path.join(out, 'new', 'copy.metadata.json'), 'utf8')).collectionName, 'copy')
      t.strictEqual((await run(['count', '--ns', 'shop.orders', '--name', 'new.copy', source])).out, `30 ${Buffer.concat(orders).length} new.copy\n`)
      const two = await run(['--name', 'new.copy', '--to', 'archive', source])
      t.ok(two.code === 2 && /--name names one collection, but there are .* choose one with --ns/.test(two.err), two.err)
    }
    t.done()
  },

  '--ns-from that chooses no collection is said': async t => {
    const note = 'qbson: --ns-from: no collection shpo.*: there are blog.empty, shop.cheap, shop.customers, shop.orders\n'
    const args = ['--ns-from', 'shpo.*', '--ns-to', 'copy.*', '--ns-from', 'shop.*', '--ns-to', 'mine.*']
    const out = ['--out', `${file()}-out/`]
    for (const command of [['count'], ['--tail', '1', ...out], ['--to', 'archive'], ['--to', 'bson', ...out], ['to-csv', '--ns', 'shop.orders', ...out]]) {
      const { err, code } = await run([...command, ...args, file()])
      t.deepStrictEqual([err, code], [note, 0], command.join(' '))
    }
    t.strictEqual((await run(['--to', 'archive', '--limit', '1', '--ns-from', 'shop.*', '--ns-to', 'mine.*', file()])).err, '')
    t.done()
  },

  '--ns-from and --ns-to, as mongorestore': async t => {
    const rows = [
      [['--ns-from', 'shop.*', '--ns-to', 'copy.*'], ['copy.orders', 'copy.customers', 'blog.empty', 'copy.cheap']],
      [['--ns-from', '*.orders', '--ns-to', 'x.*_orders'], ['x.shop_orders', 'shop.customers', 'blog.empty', 'shop.cheap']],
      [['--ns-from', '*.*', '--ns-to', 'all.*-*'], ['all.shop-orders', 'all.shop-customers', 'all.blog-empty', 'all.shop-cheap']],
      [['--ns-from', 'shop.orders', '--ns-to', 'a.b', '--ns-from', 'blog.*', '--ns-to', 'c.*'], ['a.b', 'shop.customers', 'c.empty', 'shop.cheap']]
    ]
    for (const [args, names] of rows) {
      const { bytes, code, err } = await run([...args, '--to', 'archive', file()])
      t.strictEqual(`${code}${err}`, '0')
      const found = await contents(bytes)
      t.deepStrictEqual(Object.keys(found).sort(), names.toSorted())
      t.ok(found[names[0]].equals(Buffer.concat(orders)) && found[names[1]].equals(Buffer.concat(customers)))
    }
    for (const [args, message] of [
      [['--ns-from', 'a.*'], /each --ns-from needs a --ns-to/], [['--ns-from', 'a.*', '--ns-to', 'b.c'], /the same number of asterisks/],
      [['--ns-from', 'a', '--ns-to', 'b', '--name', 'c.d'], /cannot be combined/], [['--ns-from', 'shop.*', '--ns-to', 'x.y*', '--ns-from', 'blog.empty', '--ns-to', 'x.yorders', '--to', 'archive'], /both shop.orders and blog.empty would become x\.yorders/]
    ]) {
      const { code, err } = await run([...args, file()])
      t.ok(code === 2 && message.test(err), `${code} ${err}`)
    }
    t.done()
  }
}
