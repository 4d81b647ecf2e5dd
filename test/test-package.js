'use strict'

// The published package: test/runtimes runs it in other places.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { execFileSync, spawnSync } = require('node:child_process')
const { pathToFileURL } = require('node:url')
const { runInNewContext } = require('node:vm')
const esbuild = require('esbuild')
const { ENTRIES, NODE_ONLY, PUBLIC } = require('../scripts/entries')
const { writeModule } = require('../lib/compile')
const { encode } = require('../lib/encode/encode')
const { ObjectId, Decimal128 } = require('../lib/types')
const manifest = require('../package.json')
const { folder, home, packed } = require('./fixtures/packed')
const { notCovered } = require('./skip')

const root = path.dirname(__dirname)

/** Bytes, minified and gzipped, of a bundle that imports these names. */
const LARGEST = {
  '{ BSONError }': 400,
  '{ ObjectId }': 2800
}

/** Of the package, unpacked. */
const LARGEST_PACKAGE = { files: 145, bytes: 2_300_000 }

/** What programs import. */
const NAMES = PUBLIC.map(name => name === 'qbson' ? name : `qbson/${name}`)

/** Heap and buffers that `require('qbson')` may take, garbage included: bytes. Node 20 takes 1.37 MB, Node 26 1.50 MB. */
const REQUIRE_MEMORY = 1.7e6

/** Runs of the command that load each of its parts: the same as from the sources. */
const RUNS = [
  '--fields title --sort pages:-1 --limit 2', '--match {pages:{$gt:300}} --to json --array --skip 1', '--sample 2 --canonical --pretty', 'check',
  'count --name a.b', 'distinct kind', 'edit --unset cover --mask title --to relaxed', 'to-csv --fields title,lines --unwind lines',
  'schema --fields pages', 'head --table --largest 2', 'split --size 800', '--keep-going --tail 2', 'to-bson', 'chekc', '--help'
].map(line => line.split(' '))

function runNode(code) {
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: folder, encoding: 'utf8' }))
}

/** What a bundler makes of `export NAMES from 'qbson'`. */
function bundle(names) {
  const { outputFiles } = esbuild.buildSync({
    stdin: { contents: `export ${names} from 'qbson'`, resolveDir: folder },
    bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', logLevel: 'silent'
  })
  return outputFiles[0].text
}

/** The texts of the files below a folder of the package that end so. */
function textsOf(name, extension) {
  const all = fs.readdirSync(path.join(home, name), { recursive: true }).map(String).filter(file => file.endsWith(extension))
  return all.map(file => fs.readFileSync(path.join(home, name, file), 'utf8'))
}

/** The files that Node loads by some code, in turn, from the package's dist/node. */
function loadedOnNode(code) {
  const args = ['-e', `${code}; console.log(JSON.stringify(Object.keys(require.cache)))`]
  const files = JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))
  return files.map(file => path.relative(path.join(home, 'dist', 'node'), file).replaceAll(path.sep, '/'))
}

/** What a file imports or requires. */
function requestsOf(text) {
  return [...text.matchAll(/(?:\bfrom |\bimport |\brequire\()["']([^"'\n]+)["']/g)].map(match => match[1])
}

let listed

/** @returns {{path: string, size: number}[]} what `npm pack` takes */
function packedFiles() {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  return listed ??= JSON.parse(execFileSync('npm', args, { cwd: home, encoding: 'utf8', shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'ignore'] }))[0].files
}

module.exports = {
  before: function (done) {
    packed().then(() => done(), done)
  },

  'every file that is named is there': function (t) {
    const files = ['main', 'module', 'react-native', 'unpkg', 'jsdelivr', 'types'].map(key => manifest[key])
    const collect = value => typeof value === 'string' ? files.push(value) : Object.values(value ?? {}).forEach(collect)
    collect([manifest.exports['.'], manifest.exports['./register'], manifest.bin])
    for (const name of PUBLIC) {
      files.push(`./dist/${name}.d.cts`, `./dist/node/${name}.cjs`)
      files.push(`./dist/module/${name}.mjs`)
      if (!NODE_ONLY.includes(name)) files.push(`./dist/browser/${name}.mjs`)
    }
    t.deepStrictEqual(files.filter(file => !fs.existsSync(path.join(home, file))), [])
    t.ok(files.length > 30)
    t.done()
  },

  'it is small': function (t) {
    const files = packedFiles()
    t.ok(files.length > 40 && files.length <= LARGEST_PACKAGE.files, `${files.length} files`)
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    t.ok(bytes > 500_000 && bytes <= LARGEST_PACKAGE.bytes, `${bytes} bytes`)
    t.done()
  },

  'no link or picture of a packed page leads to a file that is not packed': function (t) {
    const packed = new Set(packedFiles().map(file => file.path))
    const pages = [...packed].filter(file => file.endsWith('.md'))
    t.ok(pages.length > 8)
    const broken = pages.flatMap(page => {
      const links = fs.readFileSync(path.join(home, page), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#]+)/g)
      const targets = [...links].map(([, link]) => path.posix.join(path.posix.dirname(page), link))
      return targets.filter(target => !packed.has(target) && ![...packed].some(file => file.startsWith(`${target.replace(/\/$/, '')}/`)))
        .map(target => `${page}: ${target}`)
    })
    t.deepStrictEqual(broken, [])
    t.done()
  },

  'what the sources export, the package exports': function (t) {
    const kindsIn = file => Object.fromEntries(Object.entries(require(file)).map(([key, value]) => [key, typeof value]))
    for (const [name, file] of Object.entries(ENTRIES)) {
      t.deepStrictEqual(kindsIn(path.join(home, 'dist', 'node', `${name}.cjs`)), kindsIn(path.join(root, file)), name)
    }
    t.done()
  },

  'modules export the same, and all of it as default': async function (t) {
    for (const name of PUBLIC) {
      const names = Object.keys(require(path.join(root, ENTRIES[name]))).sort()
      for (const file of [`node/${name}.cjs`, `module/${name}.mjs`, ...(NODE_ONLY.includes(name) ? [] : [`browser/${name}.mjs`])]) {
        const module = await import(pathToFileURL(path.join(home, 'dist', file)))
        t.deepStrictEqual(Object.keys(module).filter(key => key !== 'default' && key !== 'module.exports').sort(), names)
        t.deepStrictEqual(names.filter(key => module.default[key] !== module[key]), [])
      }
    }
    t.done()
  },

  'qbson/register puts what Node loads in the place of bson': function (t) {
    const bson = path.join(folder, 'node_modules', 'bson')
    fs.mkdirSync(bson, { recursive: true })
    fs.writeFileSync(path.join(bson, 'package.json'), '{"name": "bson", "version": "7.0.0", "main": "bson.js"}')
    fs.writeFileSync(path.join(bson, 'bson.js'), 'exports.ObjectId = null')
    const script = `
      import { createRequire } from 'node:module'
      import { ObjectId } from 'bson'
      import { ObjectId as own } from 'qbson'
      console.log(ObjectId === own, createRequire(import.meta.url)('bson').ObjectId === own)`
    const args = ['--import', 'qbson/register', '--input-type=module', '-e', script]
    t.strictEqual(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }), 'true true\n')
    t.done()
  },

  'a program that imports and requires has one copy of the classes': function (t) {
    const script = `
      import { createRequire } from 'node:module'
      import * as imported from 'qbson'
      import { ObjectId } from 'qbson/object-id'
      import { EJSON } from 'qbson/ejson'
      import { RawDocument } from 'qbson/wire'
      const require = createRequire(import.meta.url)
      const required = require('qbson')
      const differ = Object.keys(required).filter(name => required[name] !== imported[name])
      const parts = [ObjectId, EJSON, RawDocument, require('qbson/wire').RawDocument, require('qbson/object-id').ObjectId]
      const whole = [required.ObjectId, required.EJSON, required.RawDocument, required.RawDocument, required.ObjectId]
      const isInstance = new imported.ObjectId() instanceof required.ObjectId
      const key = Symbol.for('@@mdb.bson.type')
      const tag = imported.decode(required.encode({ a: new imported.Long(5) }), { promoteLongs: false }).a[key]
      console.log(JSON.stringify({ differ, same: parts.map((part, i) => part === whole[i]), isInstance, tag }))`
    t.deepStrictEqual(runNode(script), { differ: [], same: [true, true, true, true, true], isInstance: true, tag: 'Long' })
    t.done()
  },

  'Node imports what it requires, and bundles for Node hold what they need': function (t) {
    t.ok(runNode("console.log(JSON.stringify(import.meta.resolve('qbson')))").endsWith('/dist/node/qbson.cjs'))
    for (const conditions of [undefined, ['production'], ['node-addons'], ['module-sync']]) {
      const { outputFiles } = esbuild.buildSync({
        stdin: { contents: "export { ObjectId } from 'qbson'; export { OPCODE } from 'qbson/wire'", resolveDir: folder },
        bundle: true, write: false, platform: 'node', format: 'esm', conditions, logLevel: 'silent'
      })
      t.ok(outputFiles[0].text.includes('createFromHexString('), conditions)
    }
    t.done()
  },

  'classes keep their names': async function (t) {
    const browser = await import(pathToFileURL(path.join(home, 'dist', 'browser', 'qbson.mjs')))
    for (const qbson of [require(path.join(home, 'dist', 'node', 'qbson.cjs')), browser]) {
      const classes = Object.entries(require('../qbson')).filter(([, value]) => typeof value === 'function' && /^class/.test(value))
      t.ok(classes.length > 15)
      t.deepStrictEqual(classes.filter(([name, { name: own }]) => qbson[name].name !== own).map(([name]) => name), [])
    }
    t.done()
  },

  'what browsers get asks for nothing of Node': function (t) {
    const texts = textsOf('dist/browser', '.mjs')
    t.ok(texts.length > 8)
    for (const text of texts) {
      const foreign = requestsOf(text).filter(request => !/^(\.|qbson$|qbson\/)/.test(request) && !(request in manifest.peerDependencies))
      t.deepStrictEqual(foreign, [])
      t.ok(!esbuild.transformSync(text, { define: { Buffer: 'freeBuffer' } }).code.includes('freeBuffer'))
    }
    t.done()
  },

  'nothing is put on the global object': function (t) {
    const own = 'Reflect.ownKeys(globalThis).map(String)'
    const script = `const before = ${own}; for (const name of ${JSON.stringify(NAMES)}) require(name)
      console.log(JSON.stringify(${own}.filter(key => !before.includes(key))))`
    t.strictEqual(execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' }), '[]\n')
    t.done()
  },

  'an uncaught error shows a line that can be read': function (t) {
    const script = "require('qbson').decode(new Uint8Array(7))"
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' })
    t.strictEqual(status, 1)
    const lines = stderr.split('\n')
    t.ok(/qbson.dist.node.*\.cjs:\d+$/.test(lines[0]), lines[0])
    t.ok(/^ *throw |BSONError/.test(lines[1]), lines[1])
    t.deepStrictEqual(lines.filter(line => line.length > 200), [])
    t.done()
  },

  'requiring it takes little memory': notCovered(function (t) {
    const args = [path.join(__dirname, 'fixtures', 'import-memory.js'), home]
    // the least of three, because the figure includes what Node itself does meanwhile
    const taken = Math.min(...[1, 2, 3].map(() => Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))))
    t.ok(taken > 0 && taken < REQUIRE_MEMORY, `${taken} bytes`)
    t.done()
  }),

  'on Node the first documents need two files, behind one that names what they export': notCovered(function (t) {
    const first = 'const { ObjectId, serialize, deserialize } = require("qbson"); for (let i = 0; i < 400; i++) deserialize(serialize({ _id: new ObjectId(), a: [1.5] }))'
    for (const code of ["require('qbson')", first]) {
      t.deepStrictEqual(loadedOnNode(code), ['qbson.cjs', 'parts/qbson.cjs', 'parts/decode.cjs'])
    }
    t.deepStrictEqual(loadedOnNode("require('qbson/object-id')"), ['object-id.cjs', 'parts/decode.cjs'])
    t.done()
  }),

  'on Node other files are loaded with the first call that needs them': notCovered(function (t) {
    const calls = {
      'parts/ejson-functions.cjs': 'qbson.EJSON.stringify({})',
      'parts/encode-size.cjs': 'qbson.sizeOf({})',
      'parts/on-call.cjs': 'qbson.validate([5, 0, 0, 0, 0])',
      'parts/compat-on-demand.cjs': 'qbson.onDemand.parseToElements(qbson.encode({}))',
      'parts/decode-learn.cjs': 'for (let i = 0; i < 2000; i++) qbson.decode(qbson.encode({}))'
    }
    for (const [file, call] of Object.entries(calls)) {
      t.ok(loadedOnNode(`const qbson = require('qbson'); ${call}`).includes(file), file)
    }
    t.done()
  }),

  'on Node no file of the library loads one of the command': function (t) {
    const parts = path.join(home, 'dist', 'node', 'parts')
    const others = fs.readdirSync(parts).filter(name => name.endsWith('.cjs') && !name.startsWith('cli'))
    t.ok(others.length > 20)
    t.deepStrictEqual(others.filter(name => /\('\.\/cli/.test(fs.readFileSync(path.join(parts, name), 'utf8'))), [])
    t.done()
  },

  'on Node a module that was compiled ahead of time starts without it': notCovered(function (t) {
    const map = { bsonType: 'object', additionalProperties: { bsonType: 'int' } }
    const schema = { properties: { id: { bsonType: 'objectId' }, big: { bsonType: 'decimal' }, map } }
    const module = path.join(folder, 'ahead.cjs')
    fs.writeFileSync(module, writeModule(schema).code)
    const read = doc => `require(${JSON.stringify(module)}).decode(Buffer.from('${encode(doc).toString('hex')}', 'hex'))`
    for (const doc of [{ id: new ObjectId() }, { big: Decimal128.fromString('1') }, { map: { a: 1 } }, { id: 5, more: /x/ }]) {
      const [, ...loaded] = loadedOnNode(read(doc))
      t.deepStrictEqual(loaded, ['compile/runtime.cjs', 'parts/compile/runtime.cjs', 'parts/decode.cjs'])
    }
    t.done()
  }),

  'in whatever order its files are loaded, there is one copy of the classes': function (t) {
    const names = ['qbson', 'qbson/wire', 'qbson/compile', 'qbson/compile/runtime', 'qbson/ejson', 'qbson/object-id']
    t.deepStrictEqual(names.filter(name => !NAMES.includes(name)), [])
    for (const [i, name] of names.entries()) {
      for (const how of ['import', 'require']) {
        const order = [name, ...names.slice(i + 1), ...names.slice(0, i)]
        const script = `
          import { createRequire } from 'node:module'
          const require = createRequire(import.meta.url)
          const load = async (name, how) => how === 'import' ? await import(name) : require(name)
          const modules = {}
          let how = '${how}'
          for (const name of ${JSON.stringify(order)}) {
            modules[name] = await load(name, how)
            how = how === 'import' ? 'require' : 'import'
          }
          const imported = await import('qbson')
          const required = require('qbson')
          const schema = { properties: { a: { bsonType: 'objectId' }, b: { bsonType: 'decimal' } } }
          const doc = { a: new imported.ObjectId(), b: imported.Decimal128.fromString('1.5') }
          const codec = modules['qbson/compile'].compile(schema)
          const read = codec.decode(codec.encode(doc))
          console.log(JSON.stringify([
            Object.keys(required).every(key => required[key] === imported[key] && required[key] === imported.default[key]),
            read.a instanceof required.ObjectId && read.b instanceof required.Decimal128,
            modules['qbson/wire'].RawDocument === imported.RawDocument,
            modules['qbson/ejson'].EJSON === required.EJSON,
            modules['qbson/object-id'].ObjectId === imported.ObjectId
          ]))`
        t.deepStrictEqual(runNode(script), [true, true, true, true, true], `${how} of ${name} first`)
      }
    }
    t.done()
  },

  'neither it nor a bundle of it needs process': function (t) {
    const { outputFiles } = esbuild.buildSync({
      stdin: { contents: "module.exports = require('qbson').encode({ a: 1 }).length", resolveDir: folder },
      bundle: true, write: false, platform: 'node', format: 'cjs', logLevel: 'silent'
    })
    const module = { exports: {} }
    runInNewContext(outputFiles[0].text, { module, exports: module.exports, require, Buffer, TextDecoder })
    t.strictEqual(module.exports, 12)
    t.strictEqual(runNode("const { log } = console; process = undefined; const { sizeOf } = await import('qbson'); log(sizeOf({ a: 1 }))"), 12)
    t.done()
  },

  'a module that is loaded late is required, not waited for': function (t) {
    const late = textsOf('dist/node', '.cjs').flatMap(text => text.match(/.*(?:Promise\.resolve\(\)\.then\(\(\) =>|\bimport\('\.).*/g) ?? [])
    t.deepStrictEqual(late, [])
    t.done()
  },

  'the command does what it does from the sources': function (t) {
    const file = path.join(root, 'examples', 'bookshop.bson')
    for (const args of RUNS) {
      const [ours, sources] = [home, root].map(place => {
        return spawnSync(process.execPath, [path.join(place, manifest.bin.qbson), ...args, file], { encoding: 'utf8' })
      })
      for (const key of ['status', 'stdout', 'stderr']) t.strictEqual(ours[key], sources[key], args.join(' '))
    }
    t.done()
  },

  'the command works on large files, with threads': function (t) {
    const file = path.join(folder, 'large.bson')
    fs.writeFileSync(file, Buffer.concat(Array(600).fill(encode({ text: 'x'.repeat(20_000) }))))
    const args = [path.join(home, manifest.bin.qbson), 'check', '--workers', '2', file]
    t.ok(execFileSync(process.execPath, args, { encoding: 'utf8' }).includes('600'))
    t.done()
  },

  'installed twice it is two, each by itself': function (t) {
    const [first, second] = ['first', 'second'].map(name => path.join(folder, name))
    for (const copy of [first, second]) fs.cpSync(path.join(home, 'dist'), path.join(copy, 'dist'), { recursive: true })
    const script = `
      const first = require('./first/dist/node/qbson.cjs')
      require('node:fs').rmSync('./first', { recursive: true })
      const second = require('./second/dist/node/qbson.cjs')
      console.log(JSON.stringify([first.ObjectId === second.ObjectId, second.EJSON.stringify({ a: new first.ObjectId('0'.repeat(24)) })]))`
    const output = execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' })
    t.deepStrictEqual(JSON.parse(output), [false, '{"a":{"$oid":"000000000000000000000000"}}'])
    t.done()
  },

  'after the first moment encode and decode load only what learns and what describes an error': function (t) {
    const script = `
      import Module, { createRequire } from 'node:module'
      const { encode, decode, EJSON, RawDocument, documents, ...types } = createRequire(import.meta.url)('qbson')
      const late = []
      const load = Module._load
      Module._load = (...args) => late.push(args[0]) && load(...args)
      const doc = { id: new types.ObjectId(), n: types.Long.fromInt(5), d: new Date(0), s: 'x'.repeat(300), a: [1.5, { b: /x/i }] }
      for (let i = 0; i < 2000; i++) decode(encode(doc))
      try { decode(encode(doc).fill(7, 20)) } catch {}
      try { encode({ a: { b: 1n << 70n } }) } catch {}
      const before = late.filter(name => !/^\\.\\/(decode|qbson|decode-learn|encode-learn|codegen-[\\w-]+|on-call)\\.cjs$/.test(name))
      const uses = [() => EJSON.stringify(doc), () => new RawDocument(encode(doc)).get('a.1.b'), () => [...documents(encode(doc))]]
      const more = uses.map(use => {
        const { length } = late
        use()
        return late.length > length
      })
      console.log(JSON.stringify({ before, more }))`
    t.deepStrictEqual(runNode(script), { before: [], more: [true, true, true] })
    t.done()
  },

  'what is not used is not bundled': function (t) {
    t.strictEqual(bundle('{}').trim(), '')
    for (const [names, largest] of Object.entries(LARGEST)) {
      const size = zlib.gzipSync(bundle(names), { level: 9 }).length
      t.ok(size <= largest, `${names}: ${size} bytes`)
    }
    t.ok(!bundle('{ encode, decode, EJSON }').includes('documentStream('), 'streams are left out')
    t.done()
  }
}
