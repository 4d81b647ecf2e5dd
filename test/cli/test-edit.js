'use strict'

// Documents with fields set, dropped, hashed and masked.

const crypto = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const qbson = require('../../qbson')
const { documents } = require('../../lib/batch')
const { Editor } = require('../../lib/cli/tasks/edits')
const { run, lines, write, folder } = require('../fixtures/cli')

const { encode, decode, ObjectId, Long, Double, Decimal128, UUID, Binary, MinKey, MaxKey, Timestamp, BSONSymbol } = qbson

const key = write('key', 'x'.repeat(32))

/** What an edit makes of documents. */
async function edited(values, ...args) {
  const input = Buffer.concat(values.map(value => encode(value)))
  const { bytes, err, code } = await run(['edit', ...args], { input })
  if (code !== 0) throw new Error(err)
  return [...documents(bytes, { promoteValues: true })]
}

module.exports = {
  '--set: there or not, in documents and in arrays of them': async function (t) {
    const values = [{ a: 1, b: { c: 2 } }, { b: 5 }, { b: [{ c: 1 }, {}, 7, [{ d: 1 }]] }]
    t.deepStrictEqual(await edited(values, '--set', 'a="x"'), [{ a: 'x', b: { c: 2 } }, { b: 5, a: 'x' }, { ...values[2], a: 'x' }])
    t.deepStrictEqual(await edited([values[0], values[2]], '--set', 'b.c={"$numberLong":"9"}'), [
      { a: 1, b: { c: 9 } }, { b: [{ c: 9 }, { c: 9 }, 7, [{ d: 1, c: 9 }]] }
    ])
    const input = Buffer.concat(values.map(value => encode(value)))
    const { err, code } = await run(['edit', '--set', 'b.c=9'], { input })
    t.strictEqual(code, 1)
    t.ok(/cannot set c in b, which is not a document \(at offset 31 in field b of document 2\)/.test(err), err)
    t.deepStrictEqual(await edited([{}], '--set', 'x.y.z=[1,{"q":null}]'), [{ x: { y: { z: [1, { q: null }] } } }])
    t.deepStrictEqual(await edited([{}], '--set', 'x.y=1', '--set', 'x.z=2', '--set', 'w=3'), [{ x: { y: 1, z: 2 }, w: 3 }])
    const id = 'a'.repeat(24)
    t.deepStrictEqual(await edited([{}], '--set', `a=ObjectId('${id}')`, '--set', "b={c: ISODate('2024-01-01')}", '--set', "d='x'"), [
      { a: new ObjectId(id), b: { c: new Date('2024-01-01') }, d: 'x' }
    ])
    t.done()
  },

  '--unset': async function (t) {
    const values = [{ a: 1, b: { c: 2, d: 3 } }, { b: [{ c: 1 }, { d: 1 }, 7] }, { e: 1 }]
    t.deepStrictEqual(await edited(values, '--unset', 'b.c', '--unset', 'a'), [{ b: { d: 3 } }, { b: [{}, { d: 1 }, 7] }, { e: 1 }])
    t.done()
  },

  '--hash: bytes with a form of their own become bytes without one': async function (t) {
    const old = new Binary(Buffer.from('abc'), Binary.SUBTYPE_BYTE_ARRAY)
    const vector = Binary.fromFloat32Array(new Float32Array([1]))
    const [{ b, v, u }] = await edited([{ b: old, v: vector, u: new Binary(Buffer.from('abc'), 128) }], '--hash', 'b', '--hash', 'v', '--hash', 'u', '--key-file', key)
    t.deepStrictEqual([b, v, u].map(each => [each.sub_type, each.length()]), [[0, 16], [0, 16], [128, 16]])
    t.ok(encode({ b, v, u }).length > 0)
    t.done()
  },

  'a number in a path is the index of an item': async function (t) {
    const input = encode({ lines: [{ price: 1, n: 1 }, { price: 2 }, 5, [{ price: 3 }]], 0: 1 })
    const rows = [
      [['--set', 'lines.0.price=9'], '[{"price":9,"n":1},{"price":2},5,[{"price":3}]]'],
      [['--unset', 'lines.0.price'], '[{"n":1},{"price":2},5,[{"price":3}]]'],
      [['--unset', 'lines.1'], '[{"price":1,"n":1},null,5,[{"price":3}]]'],
      [['--set', 'lines.5.a=7'], '[{"price":1,"n":1},{"price":2},5,[{"price":3}],null,{"a":7}]'],
      [['--set', 'lines.price=0'], '[{"price":0,"n":1},{"price":0},5,[{"price":0}]]'],
      [['--set', 'lines.0.price=9', '--unset', 'lines.n'], '[{"price":9},{"price":2},5,[{"price":3}]]'],
      [['--set', 'lines.3.0.price=8'], '[{"price":1,"n":1},{"price":2},5,[{"price":8}]]'],
      [['--mask', 'lines.0'], '[{"price":0,"n":0},{"price":2},5,[{"price":3}]]']
    ]
    for (const [args, lines] of rows) {
      t.strictEqual((await run(['edit', ...args, '--to', 'json'], { input })).out, `{"0":1,"lines":${lines}}\n`, args.join(' '))
    }
    t.strictEqual((await run(['edit', '--set', '0=2', '--unset', 'lines', '--to', 'json'], { input })).out, '{"0":2}\n')
    const { err, code } = await run(['edit', '--set', 'lines.9999999=1'], { input })
    t.ok(code === 1 && err.includes('the array has 4 items, too few to set item 9999999'), err)
    t.done()
  },

  'arrays in arrays take no more memory for each level': t => {
    const deep = size => Array.from({ length: 900 }).reduce(inner => [inner], ['x'.repeat(size)])
    const rewriter = new Editor({ mask: ['a'] })
    const bytes = encode({ a: deep(500_000) })
    const before = process.memoryUsage().arrayBuffers
    rewriter.write(bytes)
    const taken = process.memoryUsage().arrayBuffers - before
    t.ok(taken < 10e6, `${taken} bytes`)
    t.strictEqual(rewriter.bytes.length, bytes.length)
    const deeper = encode({ a: Array.from({ length: 200 }).reduce(inner => [inner], deep(1)) }, { maxDepth: 2000 })
    t.throws(() => rewriter.write(deeper), /nested deeper than 1000 levels/)
    t.done()
  },

  '--hash: the same for the same value, whatever the type of the number': async function (t) {
    const id = new ObjectId()
    const uuid = new UUID()
    const value = { s: 'Ada', n: [5, new Double(5), Long.fromNumber(5), Decimal128.fromString('5'), Decimal128.fromString('5.0')], id, uuid, u: null, b: true }
    const paths = ['s', 'n', 'id', 'uuid', 'u', 'b', 'again', 'd'].flatMap(path => ['--hash', path])
    const [hashed] = await edited([{ ...value, again: 'Ada', d: { x: 1 }, plain: 'Ada' }], ...paths, '--key-file', key)
    t.strictEqual(hashed.s, crypto.createHmac('sha256', 'x'.repeat(32)).update('Ada').digest('hex').slice(0, 32))
    t.strictEqual(hashed.again, hashed.s)
    t.strictEqual(hashed.plain, 'Ada')
    t.strictEqual(new Set(hashed.n).size, 1)
    t.ok(/^[0-9a-f]{32}$/.test(hashed.n[0]) && /^[0-9a-f]{32}$/.test(hashed.b) && /^[0-9a-f]{32}$/.test(hashed.d))
    t.strictEqual(hashed.id.toHexString(), crypto.createHmac('sha256', 'x'.repeat(32)).update(id.id).digest('hex').slice(0, 24))
    t.ok(hashed.uuid.sub_type === 4 && hashed.uuid.length() === 16 && !hashed.uuid.toUUID().equals(uuid))
    t.strictEqual(hashed.u, null)
    const [other] = await edited([{ items: [{ ref: id }, { ref: [id] }, {}] }], '--hash', 'items.ref', '--key-file', key)
    t.ok(other.items[0].ref.equals(hashed.id) && other.items[1].ref[0].equals(hashed.id), 'references fit')
    t.done()
  },

  '--hash: equal numbers of any type and scale alike, others not': async function (t) {
    const D = Decimal128.fromString
    const L = Long.fromString
    const alike = [
      [100, D('1E+2'), new Double(100), L('100')], [L('1234567890123456'), D('1234567890123456.0')], [new Double(1e22), D('1E+22')],
      [new Double(0.5), D('0.50000000000'), D('5E-1')], [1, D('1.00000000000')], [new Double(-0.0), 0, D('-0.00'), D('0E+5')],
      [new Double(2 ** -30), D('9.31322574615478515625E-10')], [new Double(1e-7), D('1E-7'), D('0.00000010')], [new Double(NaN), D('NaN')],
      [L('1234567890123456768'), new Double(1234567890123456768), D('1234567890123456768')], [new Double(-Infinity), D('-Infinity')],
      [D('-123456789012345678901234567890.1234'), D('-123456789012345678901234567890.1234')], [D('1E+6000'), D('10E+5999')], [D('1E-6000'), D('10E-6001')],
      [new Double(0.1), D('0.1'), D('0.100')], [D('0.1234567890123456789'), D('0.12345678901234567890')]
    ]
    const hashes = []
    for (const same of alike) {
      const hashed = await edited(same.map(v => ({ v })), '--hash', 'v', '--key-file', key)
      t.strictEqual(new Set(hashed.map(({ v }) => v)).size, 1, same.map(String).join(' '))
      hashes.push(hashed[0].v)
    }
    t.strictEqual(new Set(hashes).size, alike.length)
    const others = ['100', '', '\x01', true, new MinKey(), new MaxKey(), new Date(1), new Timestamp(1n), 'AAAAAAA', new BSONSymbol('100')]
    const hashed = await edited(others.map(v => ({ v })), '--hash', 'v', '--key-file', key)
    t.strictEqual(new Set([...hashes, ...hashed.map(({ v }) => v)]).size, alike.length + others.length, 'no other type')
    t.done()
  },

  '--hash: many values, short and long': async function (t) {
    const values = Array.from({ length: 25_000 }, (_, i) => ({ v: `${i % 12_000}`.padEnd(i % 3 === 0 ? 100 : 5, '.') }))
    const hashed = await edited(values, '--hash', 'v', '--key-file', key)
    for (let i = 0; i < values.length; i += 997) {
      t.strictEqual(hashed[i].v, crypto.createHmac('sha256', 'x'.repeat(32)).update(values[i].v).digest('hex').slice(0, 32))
    }
    t.done()
  },

  '--mask: a number stays one of its type, and all of Unicode has a shape': async function (t) {
    const input = encode({ d: Decimal128.fromString('-12.50'), l: Long.fromNumber(2 ** 40), i: 7, f: 1.5 })
    const { bytes } = await run(['edit', ...'dlif'.split('').flatMap(path => ['--mask', path])], { input })
    const masked = decode(bytes, { promoteValues: false })
    t.strictEqual(masked.d.toString(), '0')
    t.deepStrictEqual(['l', 'i', 'f'].map(name => [masked[name].constructor.name, Number(masked[name])]), [['Long', 0], ['Int32', 0], ['Double', 0]])
    const text = Array.from({ length: 0x2ffff }, (_, code) => (code >= 0xd800 && code < 0xe000 ? ' ' : String.fromCodePoint(code))).join('')
    const shape = text.replace(/\p{Lu}/gu, 'X').replace(/[\p{L}\p{M}]/gu, char => (char === 'X' ? 'X' : 'x')).replace(/\p{N}/gu, '0')
    t.ok((await edited([{ text }], '--mask', 'text'))[0].text === shape)
    const broken = encode({ s: 'a?b' })
    broken[broken.indexOf('?')] = 0xff
    t.deepStrictEqual(decode((await run(['edit', '--mask', 's'], { input: broken })).bytes), { s: 'xxx' })
    t.done()
  },

  '--mask of a long text takes memory in proportion': t => {
    const rewriter = new Editor({ mask: ['s'] })
    const bytes = encode({ s: 'Ab1 \u00e9'.repeat(3e6) })
    const before = process.memoryUsage()
    rewriter.write(bytes)
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    const taken = arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed
    t.ok(taken < 4 * bytes.length, `${taken} bytes for ${bytes.length}`) // 20 times when it was made of strings
    t.done()
  },

  '--hash without a key says that hashes are of this run': async function (t) {
    const input = encode({ a: 'x' })
    const [first, second] = [await run(['edit', '--hash', 'a'], { input }), await run(['edit', '--hash', 'a'], { input })]
    t.ok(first.err.startsWith('qbson: --hash uses a new random key'), first.err)
    t.notStrictEqual(decode(first.bytes).a, decode(second.bytes).a)
    t.done()
  },

  '--mask: the shape of a text stays, and nothing else': async function (t) {
    const value = { s: 'Ada Lovelace, +44 20 7946-0991 \u00c9\u00e9\u4e2d', n: 5, l: Long.fromNumber(7), d: 1.5, t: new Date(), in: { s: 'a1', list: ['B', 2] }, bin: new Binary(Buffer.from('x')) }
    const [masked] = await edited([value], ...Object.keys(value).flatMap(path => ['--mask', path]))
    t.deepStrictEqual(masked, { s: 'Xxx Xxxxxxxx, +00 00 0000-0000 Xxx', n: 0, l: 0, d: 0, t: null, in: { s: 'x0', list: ['X', 0] }, bin: null })
    t.done()
  },

  'with --match, --fields and other forms': async function (t) {
    const input = Buffer.concat([{ _id: 1, a: 'x', b: 2 }, { _id: 2, a: 'y', b: 3 }].map(value => encode(value)))
    const all = (await run(['edit', '--set', 'c=1', '--fields', '_id,a'], { input })).bytes
    for (const fields of ['c', 'c.d', 'c.d.e,a']) { // no note that no document has them
      t.strictEqual((await run(['edit', '--set', 'c.d={"e":1}', '--fields', fields], { input })).err, 'qbson: edited 2 of 2 documents: --set c.d in 2\n')
    }
    t.deepStrictEqual([...documents(all)], [{ _id: 1, a: 'x', c: 1 }, { _id: 2, a: 'y', c: 1 }])
    const args = ['edit', '--set', 'c=1', '--unset', 'b', '--only', '--match', '{"b":3}', '--fields', '_id,b,a']
    t.deepStrictEqual(decode((await run(args, { input })).bytes), { _id: 2, a: 'y', c: 1 })
    t.deepStrictEqual(lines((await run([...args, '--to', 'relaxed'], { input })).out), ['{"_id":2,"a":"y","c":1}'])
    t.strictEqual((await run([...args, '--to', 'json', '--array'], { input })).out, '[\n{"_id":2,"a":"y","c":1}\n]\n')
    t.done()
  },

  '--match chooses what is changed, --only what is written': async function (t) {
    const input = Buffer.concat([{ _id: 1, a: 'x' }, { _id: 2, a: 'y' }, { _id: 3 }].map(value => encode(value)))
    const rows = [
      [['--mask', 'a', '--match', '{"_id":1}'], [{ _id: 1, a: 'x' }, { _id: 2, a: 'y' }, { _id: 3 }], 'edited 1 of 3 documents: --mask a in 1'],
      [['--set', 'b=1', '--match', '{"_id":{"$gt":1}}'], [{ _id: 1, a: 'x' }, { _id: 2, a: 'y', b: 1 }, { _id: 3, b: 1 }], 'edited 2 of 3 documents: --set b in 2'],
      [['--set', 'b=1', '--only', '--match', '{"_id":{"$gt":1}}'], [{ _id: 2, a: 'y', b: 1 }, { _id: 3, b: 1 }], 'edited 2 of 2 documents: --set b in 2'],
      [['--unset', 'a', '--match', '{"_id":2}', '--skip', '1', '--fields', '_id,a'], [{ _id: 2 }, { _id: 3 }], 'edited 1 of 2 documents: --unset a in 1'],
      [['--set', 'b=1', '--match', '{"_id":9}'], [{ _id: 1, a: 'x' }, { _id: 2, a: 'y' }, { _id: 3 }], 'edited 0 of 3 documents: --set b in 0']
    ]
    for (const [args, expected, summary] of rows) {
      for (const form of ['bson', 'json']) {
        const { bytes, err, code } = await run(['edit', ...args, '--to', form], { input })
        const found = form === 'bson' ? [...documents(bytes)] : lines(bytes.toString()).map(line => JSON.parse(line))
        t.deepStrictEqual(found, expected, `${args}`)
        t.strictEqual(`${code} ${err}`, `0 qbson: ${summary}\n`)
      }
    }
    const { code, err } = await run(['edit', '--set', 'a=1', '--only'], { input })
    t.ok(code === 2 && err.includes('--only needs --match'), err)
    t.done()
  },

  'a field that no document has is an error, with nothing written': async function (t) {
    const input = Buffer.concat([{ email: 'a@b', c: [{ name: 'x' }] }, { c: [{ name: 'y' }, { nmae: 'z' }] }].map(value => encode(value)))
    const out = path.join(folder, 'edited.bson')
    for (const option of ['--mask', '--hash', '--unset']) {
      const keyed = option === '--hash' ? ['--key-file', key] : []
      for (const [name, ok] of [['email', true], ['c.name', true], ['emial', false], ['c.nmae', true], ['c.name.first', false], ['', false]]) {
        const { code, err } = await run(['edit', option, name, ...keyed, '--out', out], { input })
        t.strictEqual(code, ok ? 0 : 1, `${option} ${name}`)
        t.strictEqual(err.includes('check the name, or give --allow-missing'), !ok, err)
        t.strictEqual(fs.existsSync(out), ok)
        fs.rmSync(out, { force: true })
        t.strictEqual((await run(['edit', option, name, ...keyed, '--allow-missing'], { input })).code, 0)
      }
    }
    t.strictEqual((await run(['edit', '--set', 'new=1'], { input })).code, 0)
    t.strictEqual((await run(['edit', '--unset', 'a'], { input: '' })).code, 0, 'without documents nothing is wrong')
    const unmatched = await run(['edit', '--hash', 'email', '--key-file', key, '--match', '{"email":"nobody"}'], { input })
    t.ok(unmatched.code === 1 && unmatched.err.includes('edited 0 of 2 documents'), unmatched.err)
    t.done()
  },

  'what edits meet is the same with documents left out': async function (t) {
    const bad = encode({ a: 'text' })
    bad[Buffer.from(bad).indexOf('text')] = 0xff
    const some = await run(['edit', '--unset', '_id', '--keep-going', '--to', 'json'], { input: Buffer.concat([encode({ _id: 1 }), bad, encode({ _id: 2 })]) })
    t.ok(some.err.endsWith('qbson: edited 2 of 2 documents: --unset _id in 2\n'), some.err)
    t.done()
  },

  'a broken document is an error, those before it are written': async function (t) {
    const bad = Buffer.from(encode({ a: 'text', b: 1 }))
    bad.writeInt32LE(999, 7)
    const good = encode({ a: 'x' })
    const { bytes, err, code } = await run(['edit', '--unset', 'a'], { input: Buffer.concat([good, bad]) })
    t.deepStrictEqual(decode(bytes), {})
    t.ok(/^qbson: standard input: bad string length in bson \(at offset \d+ in field a of document 2\)\n$/.test(err), err)
    t.strictEqual(code, 1)
    t.done()
  },

  'an error gives the place in the file, or none, when fields were chosen or text was replaced before': async function (t) {
    const input = encode({ x: 'long before it', s: 'ab', o: { s: 'WWW' } })
    input[input.indexOf('ab')] = 0xff
    const wrong = Buffer.from(input)
    wrong.writeInt32LE(99, wrong.indexOf('WWW') - 4)
    for (const [bytes, args, message] of [
      [input, ['edit', '--set', 'o.s.t=1'], 'cannot set t in s, which is not a document (at offset 43 in field o.s of document 1)'],
      [input, ['edit', '--set', 'o.s.t=1', '--fields', 'o'], 'cannot set t in s, which is not a document (in field o.s of document 1)'],
      [input, ['edit', '--set', 'o.s.t=1', '--replace-invalid'], 'cannot set t in s, which is not a document (in field o.s of document 1)'],
      [wrong, ['edit', '--unset', 'o.s', '--fields', 'o'], 'bad string length in bson (in field o.s of document 1)'],
      [wrong, ['--fields', 'o'], 'Invalid UTF-8 string in BSON document (at offset 33 in field s of document 1)'],
      [input, ['schema', '--fields', 's'], 'Invalid UTF-8 string in BSON document (at offset 33 in field s of document 1)'],
      [wrong, ['schema', '--fields', 'o', '--replace-invalid'], 'bad string length in bson (at offset 46 in field o.s of document 1)']
    ]) {
      const { err, code } = await run(args, { input: bytes })
      t.deepStrictEqual([err.split('\n')[0], code], [`qbson: standard input: ${message}`, 1], args.join(' '))
    }
    t.done()
  },

  'deep documents are an error, not the end of the stack': async function (t) {
    let deep = 'x'
    for (let i = 0; i < 1100; i++) deep = [deep]
    const input = encode({ a: deep }, { maxDepth: 2000 })
    for (const args of [['--set', 'a.b=1'], ['--mask', 'a'], ['--hash', 'a', '--key-file', key]]) {
      const { err, code } = await run(['edit', ...args], { input })
      t.ok(err.includes('nested deeper than 1000 levels') && code === 1, err)
    }
    t.done()
  },

  'many and long names, and a document that grows': async function (t) {
    const value = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`field ${i} ${'n'.repeat(i)}`, 'v'.repeat(i * 7)]))
    const text = 'w'.repeat(200_000)
    const [changed] = await edited([value], '--set', `field 7 ${'n'.repeat(7)}=${JSON.stringify(text)}`)
    t.deepStrictEqual(changed, { ...value, [`field 7 ${'n'.repeat(7)}`]: text })
    t.done()
  },

  'wrong usage': async function (t) {
    const rows = [
      [[], /^qbson: edit needs --set, --unset, --hash or --mask\n/], [['--set', 'a'], /--set needs PATH=JSON, not "a"/], [['--set', 'a=x'], /text needs quotes/],
      [['--unset', 'a', '--set', 'a=1'], /conflicting edits: a, a/], [['--set', 'a=1', '--set', 'a.b=1'], /conflicting edits: a, a\.b/],
      [['--set', 'a.b=1', '--unset', 'a'], /conflicting edits: a\.b, a/], [['--hash', 'a', '--key-file', 'none'], /none: no such file/],
      [['--hash', 'a', '--key-file', write('short', 'abc')], /a key must have at least 16 bytes/], [['--set', 'a=1', '--to', 'x'], /--to must be one of relaxed/],
      [['--set', "a=hello('x')"], /--set a=hello\('x'\): unexpected "hello"/], [['--set', 'a=undefined'], /text needs quotes/],
      [['--set', 'a=1,"b":2'], /--set a=1,"b":2: .*JSON.*text needs quotes/], [['--set', 'a='], /--set a=: .*JSON.*text needs quotes/],
      [['--set', 'a={"x":[{"$oid":"5"}]}'], /^qbson: --set a=.*: input must be .* \(in field a\.x\[0\]\)\n/],
      [['--set', 'a=1', '--pretty'], /edit has no option --pretty/], [['--set', 'a=1', '--array'], /--array is for JSON, not for bson/]
    ]
    for (const [args, message] of rows) {
      const { err, code } = await run(['edit', ...args], { input: encode({ a: 1 }) })
      t.ok(message.test(err) && code === 2, `${message}: ${err}`)
    }
    t.done()
  }
}
