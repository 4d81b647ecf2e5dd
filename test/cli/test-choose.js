'use strict'

// Which documents and collections are read: from archives and folders, samples, the last ones, ranges, skipping broken
// ones.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { spawnSync } = require('node:child_process')
const { encode } = require('../../qbson')
const { randomOf } = require('../../lib/cli/input/keeper')
const { archive, folderDump, folder, orders } = require('../fixtures/dumps')
const { run, lines, broken, dump, values } = require('../fixtures/cli')

const many = Buffer.concat(Array.from({ length: 1000 }, (_, i) => encode({ _id: i })))

function write(name, bytes) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, bytes)
  return file
}

const idsOf = ({ out }) => lines(out).map(line => JSON.parse(line)._id)

module.exports = {
  'count: of files, archives and folders': async function (t) {
    const size = parts => Buffer.concat(parts).length
    const { out, code } = await run(['count', write('a.archive', archive())])
    t.ok(out.startsWith(`30 ${size(orders)} shop.orders\n7 `), out)
    t.ok(out.includes('\n0 0 blog.empty\n'), out)
    t.strictEqual(code, 0)
    const one = await run(['count', '--ns', 'blog.*', folderDump()])
    t.strictEqual(one.out, '0 0 blog.empty\n')
    t.strictEqual((await run(['count', '--skip', '10', '--limit', '5', '--ns', 'shop.orders', folderDump()])).out.split(' ')[0], '5')
    t.strictEqual((await run(['count', '-'], { input: zlib.gzipSync(many) })).out, `1000 ${many.length} standard input\n`)
    t.done()
  },

  'check and schema of an archive': async function (t) {
    const file = write('b.archive', archive())
    const { out, code } = await run(['check', file])
    t.ok(out.includes(`${file} shop.orders: 30 good documents`) && out.includes('shop.customers: 7 good documents'), out)
    t.ok(out.endsWith('  no errors\n') && code === 0)
    const changed = archive()
    changed[changed.indexOf('customer 0') + 2] ^= 1
    const wrong = await run(['check', write('c.archive', changed)])
    t.ok(/error: broken archive: the checksum of shop\.orders is/.test(wrong.out) && wrong.code === 1, wrong.out)
    const schema = JSON.parse((await run(['schema', '--ns', 'shop.customers', '--fields', 'name', file])).out)
    t.deepStrictEqual(schema.required, ['name'])
    t.strictEqual(schema.description, '7 values')
    t.done()
  },

  'a sample: as many as asked for, in order, the same for a seed': async function (t) {
    const sample = async (...args) => idsOf(await run(['--sample', '20', ...args], { input: many }))
    const ids = await sample()
    t.strictEqual(new Set(ids).size, 20)
    t.deepStrictEqual(ids, ids.toSorted((a, b) => a - b))
    t.deepStrictEqual(await sample('--seed', '1'), ids)
    t.notDeepStrictEqual(await sample('--seed', '2'), ids)
    t.deepStrictEqual(await sample('--match', '{"_id":{"$lt":5}}'), [0, 1, 2, 3, 4])
    t.strictEqual((await sample('--limit', '3')).length, 3)
    t.deepStrictEqual(idsOf(await run(['--sample', '0'], { input: many })), [])
    t.done()
  },

  'every document is as likely': t => {
    const random = randomOf(7)
    const counts = new Array(10).fill(0)
    for (let i = 0; i < 100_000; i++) counts[Math.floor(random() * 10)]++
    t.ok(counts.every(count => Math.abs(count - 10_000) < 400), String(counts))
    t.done()
  },

  'the last documents': async function (t) {
    t.deepStrictEqual(idsOf(await run(['--tail', '3'], { input: many })), [997, 998, 999])
    t.deepStrictEqual(idsOf(await run(['--tail', '5000', '--limit', '2'], { input: many })), [0, 1])
    t.deepStrictEqual(idsOf(await run(['--tail', '0'], { input: many })), [])
    t.deepStrictEqual(idsOf(await run(['--tail', '2', '--match', '{"_id":{"$lt":9}}', '--fields', '_id'], { input: many })), [7, 8])
    const both = await run(['--tail', '1', '--sample', '1'], { input: many })
    t.ok(both.code === 2 && both.err.includes('--sample and --tail cannot be combined'))
    t.done()
  },

  'the largest documents, the very largest first': async function (t) {
    const sizes = Array.from({ length: 500 }, (_, i) => (i * 7919) % 503)
    const many = write('sizes.bson', Buffer.concat(sizes.map((size, _id) => encode({ _id, text: 'x'.repeat(size) }))))
    const sorted = sizes.map((size, _id) => ({ size, _id })).sort((a, b) => b.size - a.size || a._id - b._id).map(({ _id }) => _id)
    for (const count of [0, 1, 3, 20, 600]) {
      const { out } = await run(['head', '--largest', String(count), many])
      t.deepStrictEqual(idsOf({ out }), sorted.slice(0, count), `${count}`)
    }
    const odd = await run(['head', '--largest', '2', '--match', '{"_id":{"$lt":100}}', many, write('more.bson', encode({ _id: -1, text: 'x'.repeat(9999) }))])
    t.deepStrictEqual(idsOf(odd), [-1, sorted.find(id => id < 100)])
    t.ok((await run(['head', '--table', '--largest', '1', many])).out.includes(String(sorted[0])))
    t.done()
  },

  'parts of a file': async function (t) {
    const file = write('parts.bson', Buffer.concat(Array.from({ length: 1000 }, (_, i) => encode({ _id: i, text: 'x'.repeat(i % 30) }))))
    for (const parts of [1, 2, 4, 7]) {
      const ranges = lines((await run(['split', '--parts', String(parts), file])).out)
      t.strictEqual(ranges.length, parts)
      const all = []
      for (const range of ranges) all.push(...idsOf(await run(['--range', range, file])))
      t.deepStrictEqual(all, Array.from({ length: 1000 }, (_, i) => i))
    }
    t.strictEqual((await run(['split', '--parts', '4', write('empty.bson', Buffer.alloc(0))])).out, '')
    t.done()
  },

  'a field of --fields that no document has is said': async function (t) {
    const input = Buffer.concat([{ a: 1, b: [{ c: 1 }] }, { a: 2, d: 1 }].map(value => encode(value)))
    const unquoted = await run(['--match', '{"x": {"": 300}}'], { input })
    t.strictEqual(unquoted.err, 'qbson: no document has x. (--match): in double quotes, shells replace $gt by nothing\n')
    const note = (...names) => (names.length === 0 ? '' : `qbson: no document has ${names.join(', ')} (--fields)\n`)
    const rows = [['a'], ['d,a'], ['b.c'], ['b.0.c'], ['aa', 'aa'], ['a,aa,b.x,d', 'aa', 'b.x'], ['$x,a']]
    for (const [fields, ...missing] of rows) {
      for (const args of [[], ['--to', 'json'], ['--to', 'bson'], ['--tail', '2'], ['to-csv'], ['head', '--table'], ['schema'], ['to-csv', write('fields.bson', input)]]) {
        const { err, code } = await run([...args, '--fields', fields], { input })
        t.strictEqual(`${code} ${err.replace(/^qbson: .*left out.*\n/gm, '')}`, `0 ${note(...missing)}`, `${args} ${fields}`)
      }
    }
    t.strictEqual((await run(['--fields', 'aa'], { input: '' })).err, '', 'there is no document')
    t.ok((await run(['to-csv', '--unwind', 'x'], { input })).err.startsWith('qbson: no document has x (--unwind)\n'))
    for (const args of [['to-csv', '--json', 'a,x'], ['to-arrow', '--geo', 'x']]) t.strictEqual((await run(args, { input })).err, `qbson: no document has x (${args[1]})\n`)
    for (const [command, option, field] of [[[], 'fields', 'aa'], [['head'], 'fields', 'x.y'], [['to-csv'], 'json', 'aa'], [['distinct', 'aa']]]) { // it may follow
      const args = [...command, ...(option === undefined ? [] : [`--${option}`, field]), '--limit', '1', write('f.bson', input), write('g.bson', input)]
      const said = option === undefined ? 'has a value in aa' : `has ${field} (--${option})`
      t.strictEqual((await run(args)).err, `qbson: no document that was read ${said}\n`, args.join(' '))
    }
    t.done()
  },

  'a range, and splits': async function (t) {
    const file = write('many.bson', many)
    const { out, code } = await run(['split', file, '--size', '5kB'])
    t.strictEqual(code, 0)
    const ranges = lines(out)
    t.ok(ranges.length > 2)
    const parts = []
    for (const range of ranges) parts.push(await run(['--range', range, file]))
    t.deepStrictEqual(parts.flatMap(idsOf), Array.from({ length: 1000 }, (_, i) => i))
    t.strictEqual(lines((await run(['split', file])).out).length, 1)
    for (const [args, message] of [[['--range', 'x'], /--range needs OFFSET:LENGTH/], [['--range', '3:50'], /./], [['--range', '0:1e9'], /--range needs/]]) {
      const wrong = await run([...args, file])
      t.ok(wrong.code > 0 && message.test(wrong.err), wrong.err)
    }
    const refused = [[], [file, '-'], ['-'], [file, '--size', '0'], [file, '--size', 'x']]
    for (const args of refused) t.strictEqual((await run(['split', ...args])).code, 2)
    t.strictEqual((await run(['split', path.join(folder, 'none')])).code, 2)
    const dump = path.join(folder, 'split-dump')
    fs.mkdirSync(path.join(dump, 'shop'), { recursive: true })
    fs.writeFileSync(path.join(dump, 'shop', 'cut.bson'), many.subarray(0, -1))
    const cut = await run(['split', dump])
    t.ok(cut.code === 1 && /cut\.bson: shop\.cut: BSON document is cut short: 1 of .* of document \d+\)\n$/.test(cut.err), cut.err)
    const packed = await run(['split', write('many.gz', zlib.gzipSync(many))])
    t.ok(packed.code === 0 && /^qbson: a compressed file is one part/.test(packed.err), packed.err)
    t.strictEqual(lines((await run(['--range', packed.out.trim(), path.join(folder, 'many.gz')])).out).length, 1000)
    for (const source of [file, path.join(folder, 'many.gz')]) {
      const other = await run(['split', '--ns', 'x.y', source])
      t.ok(other.code === 1 && other.out === '' && other.err.endsWith('no documents of x.y\n'), other.err)
      const name = `${path.basename(folder)}.${path.basename(source).split('.')[0]}`
      t.strictEqual(lines((await run(['split', '--ns', name, source])).out).length, 1)
    }
    t.done()
  },

  'members of gzip that qbson wrote are parts': async function (t) {
    const documents = Array.from({ length: 900 }, (_, i) => encode({ _id: i, text: String(Math.sin(i)).repeat(100) }))
    const bytes = Buffer.concat(documents)
    const file = path.join(folder, 'members.bson.gz')
    t.strictEqual((await run(['--to', 'bson', '--out', file, write('members.bson', bytes)])).code, 0)
    const readers = [['gunzip', '-c', file], ['zcat', file], ['pigz', '-dc', file], ['python3', '-c', 'import gzip,sys;sys.stdout.buffer.write(gzip.open(sys.argv[1]).read())', file]]
    for (const [command, ...args] of readers) {
      const { error, stdout } = spawnSync(command, args, { maxBuffer: 1e8 })
      t.ok(error !== undefined || bytes.equals(stdout), command)
    }
    t.ok(zlib.gunzipSync(fs.readFileSync(file)).equals(bytes))
    for (const [size, least] of [['1', 4], ['7kB', 2], ['1GB', 1]]) {
      const { out, err, code } = await run(['split', '--size', size, file])
      t.strictEqual(`${code} ${err}`, '0 ')
      const parts = lines(out)
      t.ok(parts.length >= least, out)
      const found = []
      for (const part of parts) found.push((await run(['--to', 'bson', '--range', part, file])).bytes)
      t.ok(Buffer.concat(found).equals(bytes))
    }
    const parts = lines((await run(['split', '--size', '1', file])).out)
    const broken = Buffer.from(bytes)
    const start = documents.slice(0, -1).reduce((sum, { length }) => sum + length, 0)
    broken.writeInt32LE(99_999, start + broken.subarray(start).indexOf('text') + 5)
    const bad = path.join(folder, 'bad-members.bson.gz')
    await run(['--to', 'bson', '--out', bad, write('bad-members.bson', broken)])
    const { err } = await run(['--range', lines((await run(['split', '--size', '1', bad])).out).at(-1), bad])
    const place = /at offset (\d+)/.exec((await run([bad])).err)[1]
    t.ok(Number(place) > start && err.includes(`at offset ${place} `), err)
    for (const range of ['1:50', `0:${parts[0].split(':')[1] - 9}`]) t.ok((await run(['--range', range, file])).code > 0, range)
    const archived = path.join(folder, 'members.archive.gz')
    await run(['--to', 'archive', '--out', archived, write('members.bson', bytes)])
    const whole = await run(['split', '--size', '1', archived])
    t.ok(lines(whole.out).length === 1 && whole.err.includes('is one part'), whole.err)
    t.done()
  },

  'a part of a file through standard input': async function (t) {
    const documents = Array.from({ length: 50 }, (_, i) => encode({ _id: i, text: 'x'.repeat(i) }))
    const start = documents.slice(0, 30).reduce((sum, { length }) => sum + length, 0)
    documents[40][documents[40].length - 2] = 0xff
    const bytes = Buffer.concat(documents)
    const place = /at offset \d+/.exec((await run([write('offset.bson', bytes)])).err)[0]
    for (const args of [[], ['check'], ['to-csv'], ['--keep-going'], ['count', '--match', '{"text":"x"}']]) {
      const { err, out } = await run([...args, '--offset', String(start)], { input: bytes.subarray(start) })
      t.ok(args[0] === 'count' || `${err}${out}`.includes(place), `${args}: ${err}`)
    }
    const rows = [[['--offset', '5', write('offset.bson', bytes)], /--offset is for standard input/], [['--offset', 'x'], /--offset needs a whole number/]]
    for (const [args, message] of [...rows, [['--range', '0:5'], /--range needs the name of a file; .* --offset/]]) {
      const { err, code } = await run(args, { input: bytes })
      t.ok(code === 2 && message.test(err), err)
    }
    const checked = await run(['check', '--range', `${start}:${bytes.length - start}`, write('offset.bson', bytes)])
    t.ok(checked.out.includes(`intact, for --range: ${start}:`), checked.out)
    t.done()
  },

  'parts of several files, of a folder and of an archive have all documents, and name their file': async function (t) {
    const files = [write('one.bson', many), write('two.bson', many)]
    const kinds = [files, [folderDump()], [folderDump({ gzip: true })], [write('parts.archive', archive())]]
    for (const inputs of kinds) {
      const whole = lines((await run(inputs)).out).sort()
      for (const size of ['700', '1GB']) {
        const parts = lines((await run(['split', '--size', size, ...inputs])).out)
        const found = []
        const isNamed = parts.every(part => part.includes(path.sep))
        for (const part of parts) found.push(...lines((await run(['--range', part, ...(isNamed ? [] : inputs)])).out))
        t.deepStrictEqual(found.sort(), whole)
        t.strictEqual((await run(['count', '--range', parts[0], ...inputs])).code, 0)
      }
    }
    const some = lines((await run(['split', '--ns', 'shop.orders', ...kinds[1]])).out)
    t.ok(some.length === 1 && some[0].includes('orders.bson:0:'), String(some))
    t.done()
  },

  '--keep-going leaves out what is broken, and keeps it': async function (t) {
    const { bytes } = broken()
    const input = Buffer.concat([bytes, dump])
    const rejects = path.join(folder, 'rejects.bson')
    const { out, err, code } = await run(['--keep-going', '--rejects', rejects], { input })
    t.deepStrictEqual(idsOf({ out }), [1, 3, 1, 2, 3])
    t.ok(/^qbson: left out: .* \(at offset \d+ in field list of document 2\)\nqbson: 1 document was left out .*\n$/.test(err), err)
    t.strictEqual(code, 1)
    t.strictEqual(fs.readFileSync(rejects).length, encode(values[1]).length)
    const picked = await run(['--keep-going', '--fields', 'list'], { input: bytes })
    t.strictEqual(lines(picked.err)[0], lines(err)[0], 'the offset is that in the file')
    const file = path.join(folder, 'kept.json')
    t.strictEqual((await run(['--keep-going', '--out', file], { input })).code, 1)
    t.strictEqual(lines(fs.readFileSync(file, 'utf8')).length, 5)
    const twelve = await run(['check', '--keep-going'], { input: Buffer.concat(Array(12).fill(bytes)) })
    t.strictEqual(lines(twelve.err).length, 11)
    t.ok(twelve.out.includes('24 good documents') && twelve.err.endsWith('qbson: 12 documents were left out\n'), twelve.err)
    t.deepStrictEqual(idsOf(await run(['--keep-going', '--limit', '2'], { input })), [1, 3], 'what is left out does not count')
    t.deepStrictEqual(idsOf(await run(['--keep-going', '--skip', '1', '--limit', '1'], { input })), [3])
    const alone = await run(['--rejects', rejects], { input })
    t.ok(alone.code === 2 && alone.err.includes('--rejects needs --keep-going'))
    const tail = await run(['--keep-going', '--tail', '2'], { input: Buffer.concat([dump, bytes]) })
    t.deepStrictEqual(idsOf(tail), [1, 3], 'the last two good ones')
    const text = await run(['to-bson', '--keep-going', '--rejects', rejects], { input: '{"a":1}\n{"b":}\n{"c":3}\n' })
    t.deepStrictEqual(text.bytes, Buffer.concat([encode({ a: 1 }), encode({ c: 3 })]))
    t.strictEqual(fs.readFileSync(rejects, 'utf8'), '{"b":}\n')
    for (const [input, left] of [['{"a":1}\n', ''], ['[{"a":1}', ''], ['{"b":}\n', '{"b":}\n']]) {
      await run(['to-bson', '--keep-going', '--rejects', `${rejects}.gz`], { input })
      t.strictEqual(zlib.gunzipSync(fs.readFileSync(`${rejects}.gz`)).toString(), left, input)
    }
    t.done()
  },

  'the file of rejects gets its name in the end, and no other output has it': async function (t) {
    const rejects = path.join(folder, 'rejects-whole.bson')
    const { bytes } = broken()
    fs.writeFileSync(rejects, 'as it was')
    const cut = await run(['--keep-going', '--rejects', path.join(folder, 'none', 'x')], { input: bytes })
    t.ok(cut.code === 2 && /^qbson: .*none\/x: there is no folder .*none\n$/.test(cut.err), cut.err)
    t.strictEqual(fs.readFileSync(rejects, 'utf8'), 'as it was')
    t.strictEqual((await run(['--keep-going', '--rejects', rejects], { input: dump })).code, 0)
    t.strictEqual(fs.readFileSync(rejects, 'utf8'), '', 'nothing is left of another run')
    for (const [out, as] of [[rejects, 'a.b'], [`${folder}/`, `${path.basename(folder)}.x`]]) {
      fs.mkdirSync(path.join(folder, path.basename(folder)), { recursive: true })
      const same = out.endsWith('/') ? path.join(folder, path.basename(folder), 'x.json') : rejects
      const refused = await run(['--keep-going', '--rejects', same, '--out', out, '--name', as], { input: dump })
      t.ok(refused.code === 2 && refused.err.includes('two outputs cannot be the same file'), refused.err)
    }
    t.deepStrictEqual(fs.readdirSync(folder).filter(name => name.endsWith('.tmp')), [])
    t.done()
  },

  'a document that is broken among the last': async function (t) {
    const { err, code } = await run(['--tail', '2'], { input: broken().bytes })
    t.ok(code === 1 && err.includes('of document'), err)
    t.done()
  }
}
