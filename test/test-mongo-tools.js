'use strict'

// MongoDB's own tools: bsondump prints the same as qbson, mongorestore reads what qbson writes, and qbson reads what
// mongodump and mongoexport write. The latter two need a server, so only `npm run test:long` runs them.

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const { spawn, spawnSync } = require('node:child_process')
const { gunzipSync } = require('node:zlib')
const { openDump } = require('../lib/dump')
const { folder, run } = require('./fixtures/cli')
const { onlyLong } = require('./fixtures/long')
const { mongoTool } = require('./fixtures/mongo-tools')
const { sharedFolder, testsWith } = require('./fixtures/shared')
const { skip } = require('./skip')
const { startServer, Unavailable } = require('./driver/servers')

const dumps = sharedFolder('dumps')
const ARCHIVE = dumps && path.join(dumps, 'two-databases.archive')

/** @param {any} t @param {string} name @returns {string} */
function needTool(t, name) {
  return mongoTool(name) ?? skip(t, `there is no ${name}: MONGO_TOOLS names the folder of MongoDB's tools`)
}

/** Plain .bson files. */
function plainFiles() {
  const packed = ['shop/orders', 'shop/customers', 'blog/posts'].map(name => {
    const file = path.join(folder, `${path.basename(name)}.bson`)
    fs.writeFileSync(file, gunzipSync(fs.readFileSync(path.join(dumps, 'folder-gzip', `${name}.bson.gz`))))
    return file
  })
  // deep_nested.bson has more levels than the 200 that bsondump prints
  const names = ['all_types', 'broken_array', 'importCollection', 'oplog', 'timeseries-buckets']
  return [...names.map(name => path.join(dumps, `${name}.bson`)), ...packed]
}

/** The documents of a dump as hexadecimal digits, in some order, by the name of their collection. */
async function contentOf(source) {
  const found = {}
  for await (const part of openDump(source)) {
    const documents = (found[part.name] ??= [])
    for await (const bytes of part) documents.push(Buffer.from(bytes).toString('hex'))
  }
  for (const documents of Object.values(found)) documents.sort()
  return found
}

/** Runs a tool without blocking the server, which may be in this process. */
function runTool(file, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', text => { said += text })
    child.on('error', reject)
    child.on('close', code => (code === 0 ? resolve(said) : reject(new Error(`${path.basename(file)} ${args.join(' ')}: ${said}`))))
  })
}

/** A test that reports what it skips. @param {(t: any) => Promise<void>} work */
function asyncTest(work) {
  return t => { work(t).then(() => t.done(), t.done) }
}

/** @param {(server: {tool: (name: string, ...args: string[]) => Promise<any>}) => Promise<void>} work */
function withServer(work) {
  return asyncTest(async t => {
    if (dumps === undefined) skip(t, 'there are no dumps')
    const tools = Object.fromEntries(['mongorestore', 'mongodump', 'mongoexport', 'mongoimport'].map(name => [name, needTool(t, name)]))
    const server = await startServer('java').catch(error => {
      if (error instanceof Unavailable) skip(t, error.message)
      throw error
    })
    try {
      const address = ['--quiet', '--host', server.host, '--port', String(server.port)]
      await work({ tool: (name, ...args) => runTool(tools[name], [...address, ...args]) })
    } finally {
      await server.stop()
    }
  })
}

/** What the command writes, and the arguments with which mongorestore reads it. */
const FORMS = {
  'an archive': { write: ['--to', 'archive', '--out'], name: 'own.archive', read: file => [`--archive=${file}`] },
  'a compressed archive': { write: ['--to', 'archive', '--out'], name: 'own.archive.gz', read: file => ['--gzip', `--archive=${file}`] },
  'a folder': { write: ['--to', 'bson', '--out'], name: 'own-folder/', read: file => [`--dir=${file}`] },
  'a compressed folder': { write: ['--to', 'bson', '--gzip', '--out'], name: 'own-folder-gz/', read: file => ['--gzip', `--dir=${file}`] }
}

module.exports = {
  ...testsWith(dumps, 'dumps', {
    'bsondump prints the same bytes': asyncTest(async t => {
      const bsondump = needTool(t, 'bsondump')
      for (const file of plainFiles()) {
        const { stdout, status } = spawnSync(bsondump, ['--quiet', file], { maxBuffer: 1 << 28 })
        const { bytes } = await run(['--canonical', file])
        assert.strictEqual(status, 0)
        assert.ok(bytes.length > 0 && bytes.equals(stdout), file)
      }
    })
  }),

  ...onlyLong({
    'mongorestore reads every form that is written': withServer(async ({ tool }) => {
      const expected = await contentOf(ARCHIVE)
      for (const [form, { write, name, read }] of Object.entries(FORMS)) {
        const file = path.join(folder, name)
        const back = path.join(folder, 'back.archive')
        assert.strictEqual((await run([...write, file, ARCHIVE])).code, 0, form)
        await tool('mongorestore', '--drop', ...read(file))
        await tool('mongodump', `--archive=${back}`)
        assert.deepStrictEqual(await contentOf(back), expected, form)
      }
    }),

    'an archive of a plain file can be restored': withServer(async ({ tool }) => {
      const [file, back] = ['plain.archive', 'plain-back.archive'].map(name => path.join(folder, name))
      const { bytes } = await run(['--to', 'bson', '--ns', 'shop.customers', ARCHIVE])
      assert.strictEqual((await run(['--to', 'archive', '--name', 'some.where', '--out', file], { input: bytes })).code, 0)
      await tool('mongorestore', `--archive=${file}`)
      await tool('mongodump', `--archive=${back}`)
      assert.deepStrictEqual(await contentOf(back), await contentOf(file))
    }),

    'what edit writes can be restored': withServer(async ({ tool }) => {
      const [file, back, key] = ['edited.archive.gz', 'edited-back', 'edit.key'].map(name => path.join(folder, name))
      fs.writeFileSync(key, 'k'.repeat(32))
      const args = ['edit', '--ns', 'shop.*', '--hash', 'name', '--unset', 'lines', '--key-file', key, '--to', 'archive', '--out', file, ARCHIVE]
      assert.strictEqual((await run(args)).code, 0)
      await tool('mongorestore', '--gzip', `--archive=${file}`)
      await tool('mongodump', '--gzip', `--out=${back}`)
      assert.deepStrictEqual(await contentOf(back), await contentOf(file))
    }),

    'every form that mongodump writes is read': withServer(async ({ tool }) => {
      const expected = await contentOf(ARCHIVE)
      await tool('mongorestore', `--archive=${ARCHIVE}`)
      const made = {
        'made.archive': file => [`--archive=${file}`],
        'made.archive.gz': file => ['--gzip', `--archive=${file}`],
        'made-folder': file => [`--out=${file}`],
        'made-folder-gz': file => ['--gzip', `--out=${file}`]
      }
      for (const [name, args] of Object.entries(made)) {
        const file = path.join(folder, name)
        await tool('mongodump', ...args(file))
        assert.deepStrictEqual(await contentOf(file), expected, name)
        assert.strictEqual((await run(['check', file])).code, 0, name)
      }
    }),

    'what mongoexport writes becomes BSON again, and mongoimport reads our lines': withServer(async ({ tool }) => {
      await tool('mongorestore', `--archive=${ARCHIVE}`)
      const { 'shop.orders': orders } = await contentOf(ARCHIVE)
      const ways = [['--jsonFormat=canonical'], ['--jsonFormat=canonical', '--jsonArray'], ['--jsonFormat=canonical', '--pretty', '--jsonArray']]
      for (const way of ways) {
        const file = path.join(folder, 'exported.json')
        await tool('mongoexport', '--db=shop', '--collection=orders', ...way, `--out=${file}`)
        const { bytes, code } = await run(['to-bson', file])
        assert.strictEqual(code, 0)
        assert.deepStrictEqual((await contentOf(bytes))[''].sort(), orders, way.join(' '))
      }
      const lines = path.join(folder, 'own-lines.json')
      await run(['--canonical', '--ns', 'shop.orders', '--out', lines, ARCHIVE])
      await tool('mongoimport', '--db=shop', '--collection=imported', `--file=${lines}`)
      const back = path.join(folder, 'imported.archive')
      await tool('mongodump', '--db=shop', '--collection=imported', `--archive=${back}`)
      assert.deepStrictEqual((await contentOf(back))['shop.imported'], orders)
    })
  })
}
