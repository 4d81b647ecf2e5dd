'use strict'

// The bundles that the published package holds, built into a temporary folder: test/runtimes runs the whole package.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const zlib = require('node:zlib')
const { execFileSync } = require('node:child_process')
const { pathToFileURL } = require('node:url')
const { runInNewContext } = require('node:vm')
const acorn = require('acorn')
const esbuild = require('esbuild')
const { buildBundles } = require('../scripts/build/bundles')
const { ENTRIES, fileOf } = require('../scripts/build/entries')
const { visit } = require('../scripts/build/syntax')
const { toModule } = require('../scripts/build/to-module')
const { publishedManifest } = require('../scripts/manifest')
const { writeModule } = require('../lib/compile')
const { encode } = require('../lib/encode/encode')
const { ObjectId, Decimal128 } = require('../lib/types')
const manifest = require('../package.json')

const root = path.dirname(__dirname)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-package-'))
const published = publishedManifest(manifest)

/** Bytes, minified and gzipped, of a bundle that imports these names. */
const LARGEST = {
  '{ BSONError }': 400,
  '{ ObjectId }': 2500
}

/** Heap and buffers that `require('qbson')` may take, garbage included: bytes. */
const REQUIRE_MEMORY = 1.5e6

process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }))

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

function filesOf(name, extension) {
  const all = fs.readdirSync(path.join(folder, 'node_modules', 'qbson', 'dist', name)).filter(file => file.endsWith(extension))
  return all.map(file => fs.readFileSync(path.join(folder, 'node_modules', 'qbson', 'dist', name, file), 'utf8'))
}

function parse(text) {
  return acorn.parse(text, { ecmaVersion: 2023, sourceType: 'module' })
}

/** The files that Node loads by some code, in turn. */
function loadedOnNode(code) {
  const args = ['-e', `${code}; console.log(JSON.stringify(Object.keys(require.cache)))`]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))
}

/** @param {string} file @returns {string} `shared` of `shared-ABC.cjs` */
function pieceOf(file) {
  return path.basename(file, '.cjs').replace(/^shared-.*/, 'shared')
}

/** What a file imports or requires. */
function requestsOf(text) {
  const found = []
  visit(parse(text), ({ type, source, callee, arguments: args }) => {
    if (type === 'ImportDeclaration') found.push(source.value)
    if (type === 'CallExpression' && callee.name === 'require') found.push(args[0].value)
  })
  return found
}

module.exports = {
  before: function (done) {
    const home = path.join(folder, 'node_modules', 'qbson')
    fs.mkdirSync(home, { recursive: true })
    fs.writeFileSync(path.join(home, 'package.json'), JSON.stringify(published))
    for (const file of ['register.js', 'lib']) fs.cpSync(path.join(root, file), path.join(home, file), { recursive: true })
    buildBundles(path.join(home, 'dist')).then(() => done(), done)
  },

  'every file that is named is there': function (t) {
    const files = []
    const collect = value => typeof value === 'string' ? files.push(value) : Object.values(value).forEach(collect)
    collect(published.exports)
    for (const key of ['main', 'module', 'react-native', 'unpkg', 'jsdelivr']) files.push(published[key])
    const made = files.filter(file => !/\.d\.[cm]ts$/.test(file))
    t.deepStrictEqual(made.filter(file => !fs.existsSync(path.join(folder, 'node_modules', 'qbson', file))), [])
    t.ok(made.length > 20)
    t.done()
  },

  'what a clone exports, the package exports': function (t) {
    for (const [name, file] of Object.entries(ENTRIES)) {
      t.strictEqual(path.normalize(manifest.exports[name]), path.normalize(file))
      const names = Object.keys(require(path.join(root, file))).sort()
      for (const kind of ['node', 'browser']) {
        t.deepStrictEqual(Object.keys(require(path.join(folder, 'node_modules/qbson/dist', kind, `${fileOf(name)}.cjs`))).sort(), names)
      }
    }
    t.done()
  },

  'modules export the same, and all of it as default': async function (t) {
    for (const [name, file] of Object.entries(ENTRIES)) {
      const names = Object.keys(require(path.join(root, file))).sort()
      for (const kind of ['node', 'browser']) {
        const module = await import(pathToFileURL(path.join(folder, 'node_modules/qbson/dist', kind, `${fileOf(name)}.mjs`)))
        t.deepStrictEqual(Object.keys(module).filter(key => key !== 'default').sort(), names)
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

  'Node imports a file of its own, and bundles for Node hold what they need': function (t) {
    t.ok(runNode("console.log(JSON.stringify(import.meta.resolve('qbson')))").endsWith('/qbson.node.mjs'))
    for (const conditions of [undefined, ['production'], ['node-addons'], ['module-sync']]) {
      const { outputFiles } = esbuild.buildSync({
        stdin: { contents: "export { ObjectId } from 'qbson'; export { OPCODE } from 'qbson/wire'", resolveDir: folder },
        bundle: true, write: false, platform: 'node', format: 'esm', conditions, logLevel: 'silent'
      })
      t.ok(outputFiles[0].text.includes('createFromHexString('), conditions)
    }
    t.done()
  },

  'classes keep their names': function (t) {
    for (const file of ['node/qbson.cjs', 'browser/qbson.cjs']) {
      const qbson = require(path.join(folder, 'node_modules/qbson/dist', file))
      const classes = Object.entries(require('..')).filter(([, value]) => typeof value === 'function' && /^class/.test(value))
      t.ok(classes.length > 15)
      t.deepStrictEqual(classes.filter(([name, { name: own }]) => qbson[name].name !== own).map(([name]) => name), [])
    }
    t.done()
  },

  'what browsers get asks for nothing of Node': function (t) {
    const texts = [...filesOf('browser', '.mjs'), ...filesOf('browser', '.cjs')]
    t.ok(texts.length > 8)
    for (const text of texts) {
      t.deepStrictEqual(requestsOf(text).filter(request => !request.startsWith('./')), [])
      visit(parse(text), ({ type, name }) => {
        if (type === 'Identifier') t.notStrictEqual(name, 'Buffer')
      })
    }
    t.done()
  },

  'requiring it takes little memory': function (t) {
    const args = [path.join(__dirname, 'fixtures', 'import-memory.js'), path.join(folder, 'node_modules', 'qbson')]
    // the least of three: what Node itself does meanwhile is in the figure too
    const taken = Math.min(...[1, 2, 3].map(() => Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))))
    t.ok(taken > 0 && taken < REQUIRE_MEMORY, `${taken} bytes`)
    t.done()
  },

  'on Node qbson is one file': function (t) {
    t.deepStrictEqual(loadedOnNode(`require('qbson')`).map(pieceOf), ['qbson'])
    const script = `
      import Module from 'node:module'
      const load = Module._load
      const late = []
      Module._load = (...args) => late.push(args[0].replace(/-.*/, '')) && load(...args)
      const { encode, decode, EJSON } = await import('qbson')
      decode(encode({ a: [1, 'x', new Date(0)] }))
      const before = [...late]
      EJSON.stringify({ a: 1 })
      console.log(JSON.stringify({ before, late }))`
    t.deepStrictEqual(runNode(script), { before: [], late: ['./shared'] })
    t.done()
  },

  'on Node a module that was compiled ahead of time starts without it': function (t) {
    const schema = { properties: { id: { bsonType: 'objectId' }, text: { bsonType: 'string' }, big: { bsonType: 'decimal' } } }
    const module = path.join(folder, 'ahead.cjs')
    fs.writeFileSync(module, writeModule(schema).code)
    const read = doc => `require(${JSON.stringify(module)}).decode(Buffer.from('${encode(doc).toString('hex')}', 'hex'))`
    const first = loadedOnNode(read({ id: new ObjectId(), text: 'x' }))
    t.deepStrictEqual(first.map(pieceOf), ['ahead', 'compile-runtime', 'shared'])
    const later = loadedOnNode(read({ big: Decimal128.fromString('1') }))
    t.deepStrictEqual(later.map(pieceOf), ['ahead', 'compile-runtime', 'shared', 'shared', 'qbson'])
    t.done()
  },

  'in whatever order its files are loaded, there is one copy of the classes': function (t) {
    const names = ['qbson', 'qbson/wire', 'qbson/compile', 'qbson/compile/runtime', 'qbson/ejson', 'qbson/object-id']
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

  'where the global object is frozen its files find each other too': function (t) {
    const freezes = {
      'Object.preventExtensions(globalThis)': '',
      'Object.freeze(globalThis)': 'void [TextEncoder, crypto]', // which Node defines when asked
      // as what freezes all that it reaches does, when some of it is loaded
      'for (const key of Object.getOwnPropertySymbols(globalThis)) Object.freeze(globalThis[key])': "require('qbson/compile/runtime')"
    }
    for (const [freeze, before] of Object.entries(freezes)) {
      const script = `
        import { createRequire } from 'node:module'
        const require = createRequire(import.meta.url)
        ${before}
        ${freeze}
        const { ObjectId, EJSON } = await import('qbson')
        const required = require('qbson')
        const { compile } = require('qbson/compile')
        const codec = compile({ properties: { a: { bsonType: 'objectId' } } })
        const { a } = codec.decode(codec.encode({ a: new ObjectId() }))
        console.log(JSON.stringify([ObjectId === required.ObjectId, a instanceof ObjectId, EJSON.stringify({ a: 1 })]))`
      t.deepStrictEqual(runNode(script), [true, true, '{"a":1}'], freeze)
    }
    t.done()
  },

  'no name of one piece is seen by another in the same file': function (t) {
    for (const file of ['qbson.cjs', 'qbson.node.mjs', 'compile-runtime.cjs']) {
      const text = fs.readFileSync(path.join(folder, 'node_modules/qbson/dist/node', file), 'utf8')
      const pieces = parse(text).body.filter(({ type }) => type === 'IfStatement')
      t.strictEqual(pieces.length, file === 'compile-runtime.cjs' ? 1 : 2)
      const declared = pieces.flatMap(({ consequent }) => consequent.body).filter(({ type }) => type === 'VariableDeclaration')
      t.deepStrictEqual(declared.filter(({ kind }) => kind === 'var').map(({ start }) => text.slice(start, start + 60)), [])
      t.ok(declared.some(({ kind }) => kind === 'let'))
    }
    t.done()
  },

  'it needs no process, and a bundle of it none either': function (t) {
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

  'loaded anew it is as it was, whatever a test has put in its place': function (t) {
    const script = `
      const before = require('qbson')
      const { encode, ObjectId } = before
      before.encode = () => 'replaced'
      for (const file of Object.keys(require.cache)) delete require.cache[file]
      const after = require('qbson')
      console.log(JSON.stringify([after.encode === encode, after.ObjectId === ObjectId]))`
    const output = execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' })
    t.deepStrictEqual(JSON.parse(output), [true, true])
    t.done()
  },

  'installed twice it is two, each by itself': function (t) {
    const [first, second] = ['first', 'second'].map(name => path.join(folder, name))
    for (const home of [first, second]) {
      fs.cpSync(path.join(folder, 'node_modules', 'qbson', 'dist'), path.join(home, 'dist'), { recursive: true })
    }
    const script = `
      const first = require('./first/dist/node/qbson.cjs')
      require('node:fs').rmSync('./first', { recursive: true })
      const second = require('./second/dist/node/qbson.cjs')
      console.log(JSON.stringify([first.ObjectId === second.ObjectId, second.EJSON.stringify({ a: new first.ObjectId('0'.repeat(24)) })]))`
    const output = execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' })
    t.deepStrictEqual(JSON.parse(output), [false, '{"a":{"$oid":"000000000000000000000000"}}'])
    t.done()
  },

  'errors show the lines of the sources, when Node is told to': function (t) {
    const home = path.join(folder, 'outside') // Node maps nothing in node_modules
    fs.cpSync(path.join(folder, 'node_modules', 'qbson', 'dist'), path.join(home, 'dist'), { recursive: true })
    for (const file of ['qbson.cjs', 'qbson.node.mjs']) {
      const main = path.join(home, 'main.mjs')
      fs.writeFileSync(main, `
        const { decode, EJSON } = (await import('./dist/node/${file}')).default
        for (const work of [() => decode(new Uint8Array(7)), () => EJSON.parse('{"a":')]) {
          try { work() } catch (error) { console.log(error.stack.match(/.lib.(\\S+?):/)[1]) }
        }`)
      const shown = execFileSync(process.execPath, ['--enable-source-maps', main], { encoding: 'utf8' })
      t.deepStrictEqual(shown.trim().replaceAll('\\', '/').split('\n'), ['errors.js', 'ejson/numbers.js'])
    }
    t.done()
  },

  'after the first moment nothing is loaded that encode and decode need': function (t) {
    const script = `
      import Module, { createRequire } from 'node:module'
      const { encode, decode, EJSON, RawDocument, documents, ...types } = createRequire(import.meta.url)('qbson')
      const late = []
      const load = Module._load
      Module._load = (...args) => late.push(args[0].replace(/-.*/, '')) && load(...args)
      const doc = { id: new types.ObjectId(), n: types.Long.fromInt(5), d: new Date(0), s: 'x'.repeat(300), a: [1.5, { b: /x/i }] }
      for (let i = 0; i < 2000; i++) decode(encode(doc))
      try { decode(encode(doc).fill(7, 20)) } catch {}
      try { encode({ a: { b: 1n << 70n } }) } catch {}
      const before = late.length
      const uses = [() => EJSON.stringify(doc), () => new RawDocument(encode(doc)).get('a.1.b'), () => [...documents(encode(doc))]]
      const more = uses.map(use => {
        const { length } = late
        use()
        return late.length > length
      })
      console.log(JSON.stringify({ before, more, late: [...new Set(late)] }))`
    t.deepStrictEqual(runNode(script), { before: 0, more: [true, true, true], late: ['./shared'] })
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
  },

  'a file with effects at load cannot be built': function (t) {
    const file = path.join(folder, 'effects.js')
    fs.writeFileSync(file, "'use strict'\n\nconst a = []\na.push(5)\n\nmodule.exports = { a }\n")
    t.throws(() => toModule(file), /effects\.js: a statement with effects at the top: a\.push\(5\)/)
    fs.writeFileSync(file, "'use strict'\n\nconst { a } = globalThis.b ?? {}\n\nmodule.exports = { a }\n")
    t.throws(() => toModule(file), /effects\.js: names out of an expression: \{ a \} = globalThis\.b \?\? \{\}/)
    t.done()
  }
}
