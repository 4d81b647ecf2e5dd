'use strict'

// --out FOLDER/: a file for each collection, whatever the collections are called.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { encode } = require('../../qbson')
const { ArchiveWriter, Namespace } = require('../../lib/dump')
const { METADATA, archive, contents, folder, folderDump } = require('../fixtures/dumps')
const { run, write, lines } = require('../fixtures/cli')
const { skip } = require('../skip')

/** Names that mean something to the file system of some platform. */
const ODD = ['..', '.', '...', '../..', '../../x', '/etc', '//host/share', '\\..\\x', 'C:', 'C:\\x', 'c:x', 'a:b', 'a\0b', 'nul', 'CON', 'con.txt', 'lpt1.', 'x.',
  'x ', ' ', '*', 'a?b', 'a<b>|"', '~', '%2e%2e', 'ü'.repeat(80), '名前', '😀', '-rf', '\n', '\x1b[2J', 'a.metadata', 'x'.repeat(255), 'y'.repeat(239)]

/** No segment of a path may be called so on any platform. */
const FORBIDDEN = /^\.+$|[\0-\x1f<>:"|?*\\/]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** On file systems that do not distinguish names by case, as on Windows and macOS. */
function skipWithoutCase(t) {
  if (fs.existsSync(folder.toUpperCase())) skip(t, 'names are not distinguished by case')
}

let made = 0
const fresh = () => path.join(folder, `folder-${++made}`)

/** An archive with a document for each namespace. */
function archiveOf(namespaces, types = {}) {
  const all = namespaces.map(([db, collection]) => new Namespace(db, collection, { type: types[collection] }))
  const writer = new ArchiveWriter(all)
  const parts = [writer.begin()]
  for (const namespace of all) parts.push(...writer.add(namespace, encode({ _id: namespace.name })))
  return write('odd.archive', Buffer.concat([...parts, writer.end()]))
}

module.exports = {
  'no name leaves the folder, on any platform': async t => {
    const names = [...ODD.map(name => [name, 'c']), ...ODD.map(name => ['d', name]), ...ODD.map(name => [name, name])]
    const file = archiveOf(names)
    for (const [args, extension] of [[[], '.json'], [['--to', 'bson'], '.bson'], [['--to', 'json', '--array'], '.json'], [['--to', 'bson', '--gzip'], '.bson.gz']]) {
      const out = fresh()
      const { code, err } = await run([...args, '--out', `${out}/in/`, file])
      t.strictEqual(`${code}${err}`, '0')
      t.deepStrictEqual(fs.readdirSync(out), ['in'])
      const files = fs.readdirSync(path.join(out, 'in'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
      t.strictEqual(files.filter(({ name }) => name.endsWith(extension)).length, names.length)
      for (const entry of files) {
        const segments = path.relative(path.join(out, 'in'), path.join(entry.parentPath ?? entry.path, entry.name)).split(path.sep)
        t.ok(segments.length === 2 && segments.every(segment => !FORBIDDEN.test(segment) && segment.length < 256), segments.join('/'))
      }
    }
    t.done()
  },

  'collections keep their names, in a folder and back': async t => {
    const out = `${fresh()}/`
    await run(['--to', 'bson', '--out', out, archiveOf(ODD.map(name => ['d', name]))])
    t.deepStrictEqual(Object.keys(await contents(out)).sort(), ODD.map(name => `d.${name}`).sort())
    t.done()
  },

  'collections whose names differ in case, on file systems that distinguish them and others': async t => {
    skipWithoutCase(t)
    const names = ['users', 'Users', 'USERS', 'uſers']
    const file = archiveOf(names.map(name => ['d', name]))
    const { existsSync, readFileSync } = fs
    const sameOf = one => fs.readdirSync(path.dirname(one)).find(name => name.toLowerCase() === path.basename(one).toLowerCase())
    const ignoring = {
      existsSync: one => existsSync(path.dirname(one)) && sameOf(one) !== undefined,
      readFileSync: (one, ...how) => readFileSync(/\.qbson-/.test(one) ? path.join(path.dirname(one), sameOf(one)) : one, ...how)
    }
    for (const args of [['--to', 'bson'], ['--to', 'json', '--gzip']]) {
      const out = fresh()
      const { err } = await run([...args, '--out', `${out}/`, file])
      t.deepStrictEqual([err, fs.readdirSync(path.join(out, 'd')).length], ['', names.length])
      Object.assign(fs, ignoring)
      const refused = await run([...args, '--out', `${fresh()}/`, file]).finally(() => Object.assign(fs, { existsSync, readFileSync }))
      const message = /Users\.\S+: two outputs cannot be the same file, and this file system does not distinguish it from \S+users\.\S+\n/
      t.ok(message.test(refused.err), refused.err)
      t.deepStrictEqual([refused.code, fs.existsSync(path.join(folder, `folder-${made}`))], [2, false])
    }
    t.done()
  },

  'of many such names each is tried once, not with each other': async t => {
    skipWithoutCase(t)
    const names = Array.from({ length: 200 }, (_, i) => Array.from('abcdefgh', (c, at) => (i >> at) & 1 ? c.toUpperCase() : c).join(''))
    const { existsSync } = fs
    let tried = 0
    fs.existsSync = one => {
      tried += Number(/\.qbson-/.test(one))
      return existsSync(one)
    }
    const out = fresh()
    const { err } = await run(['--to', 'bson', '--out', `${out}/`, archiveOf(names.map(name => ['d', name]))]).finally(() => { fs.existsSync = existsSync })
    t.deepStrictEqual([err, fs.readdirSync(path.join(out, 'd')).sort()], ['', names.map(name => `${name}.bson`).sort()])
    t.ok(tried > 0 && tried <= 2 * names.length, `${tried}`)
    t.done()
  },

  'a view with documents, and other kinds': async t => {
    const file = archiveOf([['d', 'v'], ['d', 't'], ['d', 'o']], { v: 'view', t: 'timeseries', o: 'something new' })
    const out = `${fresh()}/`
    t.strictEqual((await run(['--to', 'bson', '--out', out, file])).code, 0)
    t.deepStrictEqual(fs.readdirSync(path.join(out, 'd')).sort(), ['o.bson', 't.bson', 'v.bson'])
    const again = await run(['--to', 'archive', file])
    t.deepStrictEqual(await contents(again.bytes), await contents(file))
    t.done()
  },

  'a view without documents has no file, in any format; an empty collection has one': async t => {
    const writer = new ArchiveWriter([new Namespace('d', 'v', { type: 'view' }), new Namespace('d', 'c')])
    const file = write('empty-view.archive', Buffer.concat([writer.begin(), writer.end()]))
    for (const [args, name] of [[[], 'c.json'], [['--array'], 'c.json'], [['--fields', 'a'], 'c.json'], [['--to', 'bson'], 'c.bson']]) {
      const out = `${fresh()}/`
      t.strictEqual((await run([...args, '--out', out, file])).code, 0)
      t.deepStrictEqual(fs.readdirSync(path.join(out, 'd')), [name], args.join(' '))
    }
    t.done()
  },

  'a time series has its documents in another collection, and only metadata of its own': async t => {
    const type = 'timeseries'
    const names = [new Namespace('d', 'm', { type, metadata: JSON.stringify({ collectionName: 'm', type }) }), new Namespace('d', 'a')]
    const writer = new ArchiveWriter(names)
    const [a, b] = [1, 2].map(_id => encode({ _id }))
    const buckets = new Namespace('d', 'system.buckets.m')
    const file = write('series.archive', Buffer.concat([writer.begin(), ...writer.add(names[1], a), ...writer.add(buckets, b), writer.end()]))
    const out = fresh()
    await run(['--to', 'bson', '--out', `${out}/`, file])
    const series = { 'd.m': Buffer.alloc(0), 'd.system.buckets.m': b }
    const renamed = { 'x.n': Buffer.alloc(0), 'x.system.buckets.n': b, 'd.a': a }
    for (const from of [file, out]) {
      for (const [args, all, files] of [
        [[], { ...series, 'd.a': a }, ['d', 'd/a.bson', 'd/m.metadata.json', 'd/system.buckets.m.bson']],
        [['--ns', 'd.m'], series, ['d', 'd/m.metadata.json', 'd/system.buckets.m.bson']],
        [['--ns', 'd.system.buckets.m'], { 'd.system.buckets.m': b }, ['d', 'd/system.buckets.m.bson']],
        [['--ns-from', 'd.m', '--ns-to', 'x.n'], renamed, ['d', 'd/a.bson', 'x', 'x/n.metadata.json', 'x/system.buckets.n.bson']]
      ]) {
        const archived = await run([...args, '--to', 'archive', from])
        t.strictEqual(`${archived.code}${archived.err}`, '0', args.join(' '))
        t.deepStrictEqual(await contents(archived.bytes), all)
        const [bson, csv] = [fresh(), fresh()]
        await run([...args, '--to', 'bson', '--out', `${bson}/`, from])
        t.deepStrictEqual(fs.readdirSync(bson, { recursive: true }).sort(), files)
        await run(['to-csv', ...args, '--out', `${csv}/`, from])
        const tables = fs.readdirSync(csv, { recursive: true }).filter(name => name.endsWith('.csv')).sort()
        t.deepStrictEqual(tables, files.filter(name => name.endsWith('.bson')).map(name => name.replace('.bson', '.csv')))
      }
    }
    const { code, err } = await run(['count', '--ns', 'd.n', file])
    t.deepStrictEqual([code, err], [1, 'qbson: no collection d.n: there are d.a, d.m, d.system.buckets.m\n'])
    t.done()
  },

  'the oplog of mongodump --oplog, in an archive and a folder': async t => {
    const file = archiveOf([['', 'oplog'], ['shop', 'a']])
    const out = `${fresh()}/`
    t.strictEqual((await run(['--to', 'bson', '--out', out, file])).code, 0)
    t.deepStrictEqual(fs.readdirSync(out).sort(), ['oplog.bson', 'shop'])
    for (const from of [file, out]) {
      const { bytes, code } = await run(['--to', 'archive', from])
      t.strictEqual(code, 0)
      t.deepStrictEqual(Object.keys(await contents(bytes)).sort(), ['oplog', 'shop.a'])
    }
    t.done()
  },

  'a folder that is there already, with and without a slash; other files stay': async t => {
    const out = fresh()
    fs.mkdirSync(path.join(out, 'shop'), { recursive: true })
    fs.writeFileSync(path.join(out, 'shop', 'mine'), 'mine')
    for (const name of [out, `${out}/`]) {
      t.strictEqual((await run(['--ns', 'shop.orders', '--out', name, write('a.archive', archive())])).code, 0)
      t.deepStrictEqual(fs.readdirSync(path.join(out, 'shop')).sort(), ['mine', 'orders.json'])
    }
    const { code, err } = await run(['count', '--out', out, write('a.archive', archive())])
    t.ok(code === 2 && err.startsWith(`qbson: ${out} is a folder, but --out needs a file here`), err)
    t.done()
  },

  'a fault leaves nothing, not even the folder; with --keep-going, what is good': async t => {
    const bytes = archive()
    const file = write('cut.archive', bytes.subarray(0, bytes.lastIndexOf('customer 6') + 4))
    const out = fresh()
    const { code, err } = await run(['--out', `${out}/`, file])
    t.ok(code === 1 && err.endsWith(`${out}/ was not written, because not all input could be read\n`), err)
    t.ok(!fs.existsSync(out))
    t.strictEqual((await run(['--keep-going', '--out', `${out}/`, file])).code, 1)
    t.strictEqual(lines(fs.readFileSync(path.join(out, 'shop', 'orders.json'), 'utf8')).length, 27)
    const odd = `${fresh()}\n`
    fs.mkdirSync(odd)
    fs.writeFileSync(path.join(odd, 'a.bson'), bytes.subarray(0, 3))
    const said = await run(['count', odd])
    t.ok(said.err.startsWith(`qbson: ${odd.replace('\n', '\\u000a')}/a.bson: `), said.err)
    t.done()
  },

  'the file of a collection that is a folder, or an input': async t => {
    const out = fresh()
    fs.mkdirSync(path.join(out, 'shop', 'orders.json'), { recursive: true })
    const taken = await run(['--out', `${out}/`, write('a.archive', archive())])
    t.ok(taken.code === 2 && taken.err.includes('orders.json is a folder'), taken.err)
    t.deepStrictEqual(fs.readdirSync(path.join(out, 'shop')), ['orders.json'])
    await run(['--to', 'bson', '--out', `${out}/bson/`, write('a.archive', archive())])
    const before = fs.readFileSync(path.join(out, 'bson', 'shop', 'orders.bson'))
    const same = await run(['--to', 'bson', '--limit', '1', '--out', `${out}/bson/`, path.join(out, 'bson')])
    t.ok(same.code === 2 && same.err.includes('the output would replace the input'), same.err)
    t.ok(fs.readFileSync(path.join(out, 'bson', 'shop', 'orders.bson')).equals(before))
    t.done()
  },

  'to-bson names collections after their files, or by --as': async t => {
    const out = fresh()
    const text = write('people.json', '{"a":1}\n')
    t.strictEqual((await run(['to-bson', '--out', `${out}/`, text])).code, 0)
    t.deepStrictEqual(Object.keys(await contents(out)), [`${path.basename(path.dirname(text))}.people`])
    await run(['to-bson', '--name', 'a.b', '--out', `${out}/`], { input: '{"a":1}' })
    t.deepStrictEqual(fs.readdirSync(path.join(out, 'a')), ['b.bson'])
    const unnamed = await run(['to-bson', '--out', `${out}/`], { input: '{"a":1}' })
    t.ok(unnamed.code === 2 && unnamed.err.includes('the collection needs a name: --name db.collection'), unnamed.err)
    t.done()
  },

  'JSON without documents is an empty collection, which has a file': async t => {
    const source = path.join(folder, 'empty', 'shop')
    fs.mkdirSync(source, { recursive: true })
    const files = Object.entries({ none: '', blank: ' \n', list: '[]', rejected: '{"a":}' }).map(([name, text]) => {
      fs.writeFileSync(path.join(source, `${name}.json`), text)
      return path.join(source, `${name}.json`)
    })
    const out = fresh()
    t.strictEqual((await run(['to-bson', '--keep-going', '--out', `${out}/`, ...files])).code, 1)
    t.deepStrictEqual(fs.readdirSync(path.join(out, 'shop')).map(name => [name, fs.statSync(path.join(out, 'shop', name)).size]),
      ['blank.bson', 'list.bson', 'none.bson', 'rejected.bson'].map(name => [name, 0]))
    const named = fresh()
    t.strictEqual((await run(['to-bson', '--name', 'a.b', '--out', `${named}/`])).code, 0)
    t.deepStrictEqual(fs.readdirSync(path.join(named, 'a')), ['b.bson'])
    const nameless = await run(['to-bson', '--out', `${fresh()}/`])
    t.ok(nameless.code === 2 && nameless.err.startsWith('qbson: the collection needs a name'), nameless.err)
    t.done()
  },

  'columns: a table for each collection, with columns of its own': async t => {
    const file = write('a.archive', archive())
    for (const [args, extension] of [[['to-csv'], 'csv'], [['to-arrow'], 'arrow'], [['to-parquet'], 'parquet'], [['to-csv', '--gzip'], 'csv.gz']]) {
      for (const source of ['file', 'standard input']) {
        const out = fresh()
        const given = source === 'file' ? [file] : []
        const { code, err } = await run([...args, '--out', `${out}/`, ...given], { input: archive() })
        t.strictEqual(`${code} ${err}`, '0 ')
        t.deepStrictEqual(fs.readdirSync(out), ['blog', 'shop'])
        t.deepStrictEqual(fs.readdirSync(path.join(out, 'blog')), [`empty.${extension}`])
        t.deepStrictEqual(fs.readdirSync(path.join(out, 'shop')).sort(), [`customers.${extension}`, `orders.${extension}`])
        for (const collection of ['customers', 'orders']) {
          const alone = await run([...args, '--ns', `shop.${collection}`, file])
          t.ok(fs.readFileSync(path.join(out, 'shop', `${collection}.${extension}`)).equals(alone.bytes), `${args} ${collection}`)
        }
      }
    }
    t.done()
  },

  'columns: several collections are no table unless they are named; an empty one is an empty table': async t => {
    const file = write('a.archive', archive())
    for (const given of [[file], []]) {
      const { code, err, out } = await run(['to-csv', ...given], { input: archive() })
      t.strictEqual(code, 2)
      t.ok(/has several collections, such as shop\.\w+ and shop\.\w+: choose with --ns, or write a file for each/.test(err), err)
      t.strictEqual(out, '')
    }
    t.strictEqual((await run(['to-csv', '--ns', 'shop.*', file])).code, 0)
    const { parquetReadObjects } = await import('hyparquet')
    const { code, bytes } = await run(['to-parquet', write('none.bson', Buffer.alloc(0))])
    t.deepStrictEqual([code, await parquetReadObjects({ file: new Uint8Array(bytes).buffer })], [0, []])
    t.deepStrictEqual(await run(['to-csv', write('none.bson', Buffer.alloc(0))]).then(({ out }) => out), '_id\n')
    t.done()
  },

  'columns: a table holds all of its collection, wherever its documents come': async t => {
    const each = ['a', 'b'].map((name, k) => {
      const rows = Array.from({ length: 9 }, (_, i) => ({ _id: i % 3, by: name, ...(i > 4 - k && { [`late${k}`]: { i } }) }))
      return write(`${name}.bson`, Buffer.concat(rows.map(row => encode(row))))
    })
    const [a, b] = each
    for (const [args, files] of [[['--sort', '_id'], [a, b]], [['--sort', '_id:-1', '--limit', '12'], [a, b]], [[], [a, b, a]], [['--tail', '20'], [a, b, a]]]) {
      const [out, plain] = [fresh(), fresh()]
      const { code, err } = await run(['to-csv', ...args, '--out', `${out}/`, ...files])
      t.strictEqual(`${code}${err}`, '0', args.join(' '))
      await run([...args, '--to', 'bson', '--out', `${plain}/`, ...files])
      const names = fs.readdirSync(plain, { recursive: true }).filter(name => name.endsWith('.bson'))
      t.strictEqual(names.length, 2)
      for (const name of names) {
        const expected = await run(['to-csv', path.join(plain, name)])
        t.strictEqual(fs.readFileSync(path.join(out, name.replace('.bson', '.csv')), 'utf8'), expected.out, `${args.join(' ')} ${name}`)
      }
    }
    t.done()
  },

  'columns: a fault leaves nothing, wherever it is; mismatches are said by collection': async t => {
    const mixed = archiveOf([['d', 'a'], ['d', 'b']])
    const out = fresh()
    const bad = write('bad.archive', archive().subarray(0, -200))
    t.strictEqual((await run(['to-csv', '--out', `${out}/`, bad])).code, 1)
    t.ok(!fs.existsSync(out))
    const schema = write('id.json', '{"properties":{"_id":{"bsonType":"int"}}}')
    const lossy = await run(['to-csv', '--schema', schema, '--out', `${out}/`, mixed])
    t.strictEqual(lossy.code, 1)
    t.strictEqual(lines(lossy.err).length, 2)
    t.deepStrictEqual(fs.readdirSync(path.join(out, 'd')).sort(), ['a.csv', 'b.csv'])
    t.done()
  },

  'metadata that is broken costs only itself': async t => {
    const dump = folderDump()
    const beside = path.join(dump, 'shop', 'orders.metadata.json')
    const said = what => `the options and indexes of shop\\.orders ${what}`
    for (const [name, bytes, reason, kept] of [
      [beside, METADATA.slice(0, -5), 'are no JSON', 'stay as they are'], [beside, '\0\0', 'are no JSON', 'stay as they are'],
      [beside, METADATA.replace('indexes', 'indezes'), 'have "indezes" instead of "indexes"', 'stay as they are'],
      [`${beside}.gz`, 'x', 'cannot be read \\(unexpected end of file\\)', 'are left out']
    ]) {
      fs.rmSync(beside, { force: true })
      fs.writeFileSync(name, bytes)
      const [out, file] = [`${fresh()}/`, `${fresh()}.archive`]
      for (const args of [['--to', 'bson', '--out', out], ['--to', 'archive', '--out', file], ['edit', '--unset', 'x', '--keep-going', '--out', out]]) {
        const { code, err } = await run([...args, dump])
        t.ok(code === 1 && new RegExp(`^qbson: ${dump}: ${said(reason)}, and ${kept}$`, 'm').test(err), `${args}: ${err}`)
        t.deepStrictEqual(await contents(args.includes(file) ? file : out), await contents(dump), `${args}`)
      }
      t.strictEqual(fs.existsSync(path.join(out, 'shop', 'orders.metadata.json')), kept !== 'are left out')
      if (kept !== 'are left out') t.strictEqual((await run(['--to', 'bson', '--out', `${fresh()}/`, file])).code, 1)
      for (const input of [dump, path.join(dump, 'shop', 'orders.bson')]) {
        const checked = await run(['check', input])
        t.ok(checked.code === 1 && new RegExp(`^  error: ${said(reason)}$`, 'm').test(checked.out), checked.out)
        t.strictEqual((await run(['count', input])).code, 0)
      }
    }
    t.done()
  },

  'a collection of which nothing can be read keeps its file, its options and its indexes': async t => {
    const bytes = fs.readFileSync(path.join(folderDump(), 'shop', 'orders.bson'))
    const cut = { 'a cut': bytes.subarray(0, 20), zeros: Buffer.alloc(40), JSON: '{"a":1}\n', 'broken gzip': zlib.gzipSync(bytes).subarray(0, 12) }
    const expected = { ...(await contents(folderDump())), 'shop.orders': Buffer.alloc(0) }
    for (const [name, content] of Object.entries({ ...cut, 'no file': null, 'a folder': undefined })) {
      const dump = folderDump()
      const file = path.join(dump, 'shop', 'orders.bson')
      fs.rmSync(file)
      if (content === undefined) fs.mkdirSync(file)
      else if (content !== null) fs.writeFileSync(file, content)
      const [out, archived] = [fresh(), `${fresh()}.archive`]
      for (const into of [`${out}/`, archived]) {
        for (const args of [[], ['--tail', '100']]) {
          const { code, err } = await run(['--keep-going', '--to', into === archived ? 'archive' : 'bson', ...args, '--out', into, dump])
          t.ok(code >= 1 && err.includes(`${file}: shop.orders: `), `${name}: ${err}`)
          t.deepStrictEqual(await contents(into), expected, `${name} ${into}`)
        }
      }
      t.strictEqual(fs.readFileSync(path.join(out, 'shop', 'orders.metadata.json'), 'utf8'), METADATA)
      t.ok(lines((await run(['count', '--keep-going', dump])).out).includes('0 0 shop.orders'), name)
      await run(['to-csv', '--keep-going', '--out', `${out}/`, dump])
      t.strictEqual(fs.readFileSync(path.join(out, 'shop', 'orders.csv'), 'utf8'), '_id\n', name)
    }
    t.done()
  },

  'more files than can be open at once': async t => {
    const names = Array.from({ length: 300 }, (_, i) => ['d', `c${i}`])
    const all = names.map(([db, collection]) => new Namespace(db, collection))
    const writer = new ArchiveWriter(all)
    const parts = [writer.begin()]
    for (let round = 0; round < 3; round++) for (const namespace of all) parts.push(...writer.add(namespace, encode({ round })))
    const out = fresh()
    t.strictEqual((await run(['--out', `${out}/`, write('many.archive', Buffer.concat([...parts, writer.end()]))])).code, 0)
    const files = fs.readdirSync(path.join(out, 'd'))
    t.strictEqual(files.length, 300)
    t.ok(files.every(name => fs.readFileSync(path.join(out, 'd', name), 'utf8') === '{"round":0}\n{"round":1}\n{"round":2}\n'))
    t.done()
  }
}
