'use strict'

// Output: formats, files, folders and archives; no file is left half written.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { spawn } = require('node:child_process')
const { encode, decode, EJSON } = require('../../qbson')
const { ALL, METADATA, archive, contents, folderDump, folder, orders } = require('../fixtures/dumps')
const { bin, run, lines } = require('../fixtures/cli')
const { sharedFolder } = require('../fixtures/shared')
const { skip } = require('../skip')

function write(name, bytes) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, bytes)
  return file
}

/** The path of a file that does not exist. */
let made = 0
const temporaryFiles = () => fs.readdirSync(folder).filter(name => name.endsWith('.tmp'))
const fresh = (name = 'out') => path.join(folder, `${name}-${++made}`)

module.exports = {
  'one collection of an archive as lines, and as an array': async function (t) {
    const file = write('a.archive', archive())
    const { out } = await run(['--ns', 'shop.customers', '--fields', 'tags.a,name', file])
    t.deepStrictEqual(lines(out).map(line => JSON.parse(line)), Array.from({ length: 7 }, (_, i) => ({ name: `customer ${i}`, tags: [{ a: i }] })))
    const list = await run(['--array', '--ns', 'shop.*', file])
    t.strictEqual(JSON.parse(list.out).length, 37)
    t.strictEqual((await run(['--array', '--ns', 'blog.empty', file])).out, '[]\n')
    t.strictEqual((await run(['--array', '--pretty', '--limit', '2', file])).out.replace(/\s/g, '').slice(0, 12), '[{"_id":0,"p')
    t.done()
  },

  'plain JSON': async function (t) {
    const input = encode({ a: 1.5, d: new Date(0) })
    t.strictEqual((await run(['--to', 'json'], { input })).out, '{"a":1.5,"d":"1970-01-01T00:00:00.000Z"}\n')
    t.done()
  },

  'an archive whose list of collections is damaged, to an archive': async function (t) {
    const whole = archive()
    const rows = {
      'the header': bytes => bytes.fill(0xff, 8, 12),
      'the first collection': bytes => bytes.fill(0xff, whole.indexOf('orders') - 4, whole.indexOf('orders')),
      'the second collection': bytes => bytes.fill(0xff, whole.indexOf('customers') - 4, whole.indexOf('customers'))
    }
    for (const [name, damage] of Object.entries(rows)) {
      const bytes = Buffer.from(whole)
      damage(bytes)
      const file = write('damaged-list.archive', bytes)
      for (const args of [[file], [write('damaged-list.archive.gz', zlib.gzipSync(bytes))], [file, write('other.bson', orders[0])]]) {
        const out = fresh()
        const { code, err } = await run(['--keep-going', '--to', 'archive', '--name', 'a.b', '--ns', 'shop.orders', '--out', out, file])
        t.ok(code === 1 && (await contents(out))['a.b'].equals(ALL['shop.orders']), `${name}: ${err}`)
        t.strictEqual((await run(['--keep-going', '--to', 'archive', '--out', out, ...args])).code, 1, name)
        const found = await contents(out)
        for (const each of ['shop.orders', 'shop.customers', 'blog.empty']) t.ok(found[each].equals(ALL[each]), `${name}: ${each}`)
      }
      const out = fresh()
      const { code, err } = await run(['--keep-going', '--to', 'archive', '--out', out], { input: bytes })
      t.ok(code === 1 && err.includes('the list of collections at the beginning of the archive has no shop.'), `${name}: ${err}`)
      t.ok(!fs.existsSync(out))
    }
    t.done()
  },

  'dumps of every form to an archive, a folder, and back': async function (t) {
    const sources = [write('b.archive', archive()), write('b.archive.gz', zlib.gzipSync(archive())), folderDump(), folderDump({ gzip: true })]
    for (const source of sources) {
      for (const args of [['--to', 'archive', '--out', fresh('archive')], ['--to', 'archive', '--out', fresh('archive.gz')], ['--to', 'bson', '--out', `${fresh()}/`], ['--to', 'bson', '--gzip', '--out', `${fresh()}/`]]) {
        const { code, err } = await run([...args, source])
        t.strictEqual(err, '')
        t.strictEqual(code, 0)
        t.deepStrictEqual(await contents(args.at(-1)), ALL)
      }
    }
    t.done()
  },

  'an archive to standard output, of standard input too': async function (t) {
    t.deepStrictEqual(await contents((await run(['--to', 'archive'], { input: archive() })).bytes), ALL)
    t.deepStrictEqual(await contents((await run(['--to', 'archive', '--gzip', folderDump()])).bytes), ALL)
    const named = await run(['--to', 'archive', '--name', 'shop.orders'], { input: Buffer.concat(orders) })
    t.deepStrictEqual(await contents(named.bytes), { 'shop.orders': Buffer.concat(orders) })
    t.ok(/^\d+\.\d+\.\d+$/.test(decode(named.bytes.subarray(4), { allowObjectSmallerThanBufferSize: true }).server_version), 'mongorestore wants one')
    const unnamed = await run(['--to', 'archive'], { input: Buffer.concat(orders) })
    t.ok(unnamed.code === 2 && unnamed.err.includes('an archive needs the database and the collection'), unnamed.err)
    const none = await run(['--to', 'archive', '--ns', 'x.y'], { input: archive() })
    t.deepStrictEqual(await contents(none.bytes), {})
    t.done()
  },

  'several files to one archive: collections of one name become one; in a folder, they are refused': async function (t) {
    const dump = folderDump()
    const files = [path.join(dump, 'shop', 'orders.bson'), path.join(dump, 'shop', 'customers.bson')]
    const { bytes } = await run(['--to', 'archive', ...files])
    t.deepStrictEqual(Object.keys(await contents(bytes)), ['shop.orders', 'shop.customers'])
    const twice = await run(['--to', 'archive', files[0], write('c.archive', archive())])
    t.strictEqual(twice.code, 0)
    t.deepStrictEqual(await contents(twice.bytes), { ...ALL, 'shop.orders': Buffer.concat([...orders, ...orders]) })
    const other = write('other.archive', Buffer.from(archive().toString('latin1').replace('"indexes":[]', '"indexes":{}'), 'latin1'))
    const both = await run(['--to', 'archive', write('c.archive', archive()), other])
    t.strictEqual(both.err, `qbson: shop.orders: options and indexes are those of an earlier file, not of ${other}\n`)
    t.deepStrictEqual((await contents(both.bytes))['shop.customers'], Buffer.concat([ALL['shop.customers'], ALL['shop.customers']]))
    const out = `${fresh()}/`
    const folders = await run(['--to', 'bson', '--out', out, files[0], write('c.archive', archive())])
    t.ok(/both .* and .* contain shop\.orders, and each needs an output of its own/.test(folders.err), folders.err)
    t.strictEqual(folders.code, 2)
    t.ok(!fs.existsSync(out))
    const mixed = await run(['--to', 'archive', '-', files[0]])
    t.ok(mixed.err.includes('from files, not from both'), mixed.err)
    t.done()
  },

  'a folder has the metadata; JSON is one file a collection': async function (t) {
    const out = `${fresh()}/`
    await run(['--to', 'bson', '--out', out, write('d.archive', archive())])
    t.strictEqual(fs.readFileSync(path.join(out, 'shop', 'orders.metadata.json'), 'utf8'), METADATA)
    t.deepStrictEqual(fs.readdirSync(path.join(out, 'shop')).sort(), ['cheap.metadata.json', 'customers.bson', 'orders.bson', 'orders.metadata.json'])
    const json = `${fresh()}/`
    await run(['--array', '--out', json, write('d.archive', archive())])
    t.strictEqual(JSON.parse(fs.readFileSync(path.join(json, 'shop', 'orders.json'), 'utf8')).length, 30)
    t.deepStrictEqual(JSON.parse(fs.readFileSync(path.join(json, 'blog', 'empty.json'), 'utf8')), [])
    const unnamed = await run(['--out', json], { input: orders[0] })
    t.ok(unnamed.err.includes('--name db.collection') && unnamed.code === 2, unnamed.err)
    t.ok((await run(['--to', 'archive', '--out', json, folderDump()])).err.includes('an archive is a single file'))
    t.done()
  },

  'a file appears when it is whole, or not at all': async function (t) {
    const broken = write('broken.bson', Buffer.concat([...orders, Buffer.from('x')]))
    const out = fresh()
    const { code, err } = await run(['--out', out, broken])
    t.strictEqual(code, 1)
    t.ok(err.includes('document is cut short') && err.includes(`${out} was not written, because not all input could be read`), err)
    t.ok(!fs.existsSync(out))
    fs.writeFileSync(out, 'as it was')
    await run(['--out', out, broken])
    t.strictEqual(fs.readFileSync(out, 'utf8'), 'as it was')
    t.strictEqual((await run(['--out', out, write('good.bson', orders[0])])).code, 0)
    t.deepStrictEqual(EJSON.parse(fs.readFileSync(out, 'utf8')), { _id: 0, price: 0, by: 'customer 0' })
    t.strictEqual((await run(['--out', out], { input: '' })).code, 0)
    t.strictEqual(fs.readFileSync(out, 'utf8'), '')
    t.deepStrictEqual(temporaryFiles(), [])
    t.done()
  },

  'a new file that another program holds open on Windows for a moment': async function (t) {
    const { renameSync } = fs
    const { platform } = process
    for (const [system, code, times, outcome] of [['win32', 'EPERM', 3, 0], ['win32', 'EBUSY', 99, 2], ['win32', 'ENOSPC', 1, 2], ['linux', 'EPERM', 1, 2]]) {
      const out = fresh()
      let left = times
      fs.renameSync = (...names) => {
        if (left-- > 0) throw Object.assign(new Error(`${code}: as it is on ${system}, rename`), { code, syscall: 'rename' })
        renameSync(...names)
      }
      Object.defineProperty(process, 'platform', { value: system })
      const done = await run(['--out', out], { input: orders[0] })
      Object.assign(fs, { renameSync })
      Object.defineProperty(process, 'platform', { value: platform })
      t.deepStrictEqual([done.code, fs.existsSync(out)], [outcome, outcome === 0], done.err)
      t.strictEqual(done.err, outcome === 0 ? '' : `qbson: ${out}: as it is on ${system}\n`)
    }
    t.deepStrictEqual(temporaryFiles(), [])
    t.done()
  },

  'nothing, compressed, is a gzip file of nothing, as mongorestore wants it': async function (t) {
    const out = fresh('nothing.gz')
    const { bytes } = await run(['--to', 'bson', '--gzip'], { input: '' })
    t.ok(bytes.length > 0 && zlib.gunzipSync(bytes).length === 0)
    t.strictEqual((await run(['--to', 'bson', '--out', `${out}.gz`], { input: '' })).code, 0)
    await run(['--to', 'bson', '--gzip', '--out', `${out}/`, write('e.archive', archive())])
    for (const file of [`${out}.gz`, path.join(out, 'blog', 'empty.bson.gz')]) t.strictEqual(zlib.gunzipSync(fs.readFileSync(file)).length, 0)
    t.done()
  },

  'an output that cannot be written': async function (t) {
    const { code, err } = await run(['--out', path.join(folder, 'none', 'x')], { input: orders[0] })
    t.ok(/^qbson: .*none\/x: there is no folder .*none\n$/.test(err), err)
    t.strictEqual(code, 2)
    t.done()
  },

  'an interrupted run leaves no file behind': function (t) {
    if (process.platform === 'win32') skip(t, 'no signals')
    const out = fresh()
    const child = spawn(process.execPath, [bin, '--out', out, '-'], { stdio: ['pipe', 'ignore', 'ignore'] })
    const wait = setInterval(() => {
      child.stdin.write(Buffer.concat(orders))
      if (temporaryFiles().length === 0) return
      clearInterval(wait)
      child.kill('SIGINT')
    }, 20)
    child.stdin.on('error', () => {})
    child.on('close', (code, signal) => {
      t.strictEqual(signal, 'SIGINT')
      t.ok(temporaryFiles().length === 0 && !fs.existsSync(out))
      t.done()
    })
  },

  'what mongodump made, as an archive of our own': async function (t) {
    const dumps = sharedFolder('dumps')
    if (dumps === undefined) return t.done()
    const expected = await contents(path.join(dumps, 'two-databases.archive'))
    for (const name of ['two-databases.archive', 'two-databases.archive.gz', 'folder-gzip']) {
      const { bytes, code } = await run(['--to', 'archive', path.join(dumps, name)])
      t.strictEqual(code, 0)
      t.deepStrictEqual(await contents(bytes), expected)
    }
    t.done()
  }
}
