'use strict'

// node --import qbson/register: programs in their own processes, with made-up packages named bson.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { spawnSync } = require('node:child_process')
const { pathToFileURL } = require('node:url')
const { version } = require('../../package.json')

const root = path.join(__dirname, '..', '..')
const register = pathToFileURL(path.join(root, 'register.js')).href
const qbson = path.join(root, 'qbson.js')

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-register-')))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))

function write(name, text) {
  const file = path.join(folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

/** A package with a file for `import` and one for `require`, each beside a package.json without a name, as in some packages. */
function writeBson(place, name, version) {
  const entry = { import: './module/bson.mjs', require: './commonjs/bson.js' }
  write(`${place}/node_modules/bson/package.json`, JSON.stringify({ name, version, exports: { '.': entry, './package.json': './package.json' } }))
  write(`${place}/node_modules/bson/commonjs/package.json`, '{"type": "commonjs"}')
  write(`${place}/node_modules/bson/commonjs/bson.js`, "exports.ObjectId = 'its own'")
  write(`${place}/node_modules/bson/module/bson.mjs`, "export const ObjectId = 'its own'")
}

writeBson('.', 'bson', '7.3.4')
for (const major of [4, 5, 6, 8]) writeBson(`node_modules/with${major}`, 'bson', `${major}.1.2`)
writeBson('node_modules/overridden', 'qbson', '0.9.0')
const users = ['with4', 'with5', 'with6', 'with8', 'overridden']
for (const user of users) {
  write(`node_modules/${user}/index.js`, "exports.required = require('bson').ObjectId; exports.imported = import('bson').then(bson => bson.ObjectId)")
}

/** Runs a program from a file; throws unless its exit code is 0. */
function run(file, text, { args = ['--import', register], env = {} } = {}) {
  write(file, text)
  const { QBSON_REGISTER, NODE_OPTIONS, ...others } = process.env
  const result = spawnSync(process.execPath, [...args, path.join(folder, file)], { cwd: folder, encoding: 'utf8', env: { ...others, ...env } })
  if (result.status !== 0) throw new Error(`exit code ${result.status}: ${result.stderr}`)
  return result
}

const commonjs = `
  const { ObjectId } = require(${JSON.stringify(qbson)})
  console.log(require('bson').ObjectId === ObjectId, require.resolve('bson') === ${JSON.stringify(require.resolve('qbson'))})
  import('bson').then(bson => console.log(bson.ObjectId === ObjectId))`

module.exports = {
  'without it bson is bson': t => {
    t.strictEqual(run('plain.js', commonjs, { args: [] }).stdout, 'false false\nfalse\n')
    t.done()
  },

  'require and import of bson lead to qbson': t => {
    t.deepStrictEqual(run('app.js', commonjs).stdout, 'true true\ntrue\n')
    const module = `
      import { ObjectId } from 'bson'
      import { createRequire } from 'node:module'
      const require = createRequire(import.meta.url)
      console.log(require(${JSON.stringify(qbson)}).ObjectId === ObjectId, require('bson').ObjectId === ObjectId)`
    t.strictEqual(run('app.mjs', module).stdout, 'true true\n')
    t.done()
  },

  '--require does too': t => {
    t.strictEqual(run('app.js', commonjs, { args: ['--require', path.join(root, 'register.js')] }).stdout, 'true true\ntrue\n')
    t.done()
  },

  'workers: from a file, from source, with options of their own, of a class of their own': t => {
    write('worker.js', "require('node:worker_threads').parentPort.postMessage(require('bson').ObjectId !== 'its own')")
    const program = load => `
      ${load}
      const text = "require('node:worker_threads').parentPort.postMessage(require('bson').ObjectId !== 'its own')"
      class Own extends Worker {}
      const made = [new Worker('./worker.js'), new Worker(text, { eval: true }), new Worker('./worker.js', { execArgv: [] }),
        new Worker(text, { eval: true, execArgv: ['--no-warnings'], workerData: 1 }), new Own(text, { eval: true }),
        new Worker('./worker.js', { env: {} })]
      Promise.all(made.map(worker => new Promise(resolve => worker.on('message', resolve)))).then(all => {
        console.log(String(all), made.every(worker => worker instanceof Worker), made[4] instanceof Own)
      })`
    const expected = 'true,true,true,true,true,true true true\n'
    const required = { args: ['--require', path.join(root, 'register.js')] }
    t.strictEqual(run('workers.js', program("const { Worker } = require('worker_threads')"), required).stdout, expected)
    t.strictEqual(run('workers.mjs', program("import { Worker } from 'node:worker_threads'")).stdout, expected)
    const byEnvironment = { args: [], env: { NODE_OPTIONS: `--import ${register}` } }
    t.strictEqual(run('workers.mjs', program("import { Worker } from 'node:worker_threads'"), byEnvironment).stdout, expected)
    t.done()
  },

  'every copy of versions 5 to 7 is replaced, others are left': t => {
    const { stdout } = run('copies.js', `
      const { ObjectId } = require(${JSON.stringify(qbson)})
      Promise.all(${JSON.stringify(users)}.map(async user => {
        const { required, imported } = require(user)
        return [user, required === ObjectId, await imported === ObjectId]
      })).then(all => console.log(JSON.stringify(all)))`)
    t.deepStrictEqual(JSON.parse(stdout), [
      ['with4', false, false], ['with5', true, true], ['with6', true, true], ['with8', false, false], ['overridden', false, false]
    ])
    t.done()
  },

  'other modules, the parts of bson and errors are what they were': t => {
    const { stdout } = run('others.js', `
      console.log(require('bson/package.json').version, require('node:path') === require('path'))
      try { require('bson/lib/none') } catch (error) { console.log(error.code) }
      try { require('bsonx') } catch (error) { console.log(error.code) }
      import('bsonx').catch(error => console.log(error.code))`)
    t.strictEqual(stdout, '7.3.4 true\nERR_PACKAGE_PATH_NOT_EXPORTED\nMODULE_NOT_FOUND\nERR_MODULE_NOT_FOUND\n')
    t.done()
  },

  'where bson is not installed it cannot be loaded': t => {
    const alone = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-alone-')))
    try {
      const script = "try { require('bson') } catch (error) { console.log(error.code) } import('bson').catch(error => console.log(error.code))"
      const { stdout } = spawnSync(process.execPath, ['--import', register, '-e', script], { cwd: alone, encoding: 'utf8' })
      t.strictEqual(stdout, 'MODULE_NOT_FOUND\nERR_MODULE_NOT_FOUND\n')
    } finally {
      fs.rmSync(alone, { recursive: true })
    }
    t.done()
  },

  'worker threads and forked processes have it too': t => {
    const { stdout } = run('threads.js', `
      const { Worker, isMainThread } = require('node:worker_threads')
      const { fork } = require('node:child_process')
      const { ObjectId } = require(${JSON.stringify(qbson)})
      import('bson').then(bson => {
        console.log(require('bson').ObjectId === ObjectId, bson.ObjectId === ObjectId)
        if (!isMainThread || process.argv[2]) return
        new Worker(__filename).on('exit', () => fork(__filename, ['child']))
      })`)
    t.strictEqual(stdout, 'true true\n'.repeat(3))
    t.done()
  },

  'verbose says once on stderr which copies, and else there is nothing': t => {
    const text = `require('bson'); import('bson').then(() => require('bson')); require('with4'); require('with6'); require('overridden')`
    const args = ['--import', register, '--require', path.join(root, 'register.js')]
    const at = place => path.join(folder, place, 'node_modules', 'bson')
    const { stdout, stderr } = run('verbose.js', text, { args, env: { QBSON_REGISTER: 'verbose' } })
    t.strictEqual(stdout, '')
    t.deepStrictEqual(stderr.trimEnd().split('\n').toSorted(), [
      `qbson/register: bson 4.1.2 left as it is (${at('node_modules/with4')})`,
      `qbson/register: qbson ${version} in place of bson 6.1.2 (${at('node_modules/with6')})`,
      `qbson/register: qbson ${version} in place of bson 7.3.4 (${at('.')})`
    ])
    t.strictEqual(run('verbose.js', text, { args }).stderr, '')
    t.done()
  },

  'to register twice does nothing more': t => {
    const own = JSON.stringify(path.join(root, 'lib', 'register'))
    const { stdout } = run('twice.js', `
      console.log(require(${own}).register())
      delete require.cache[require.resolve(${own})]
      console.log(require(${own}).register(), require('bson') === require(${JSON.stringify(qbson)}))`)
    t.strictEqual(stdout, 'false\nfalse true\n')
    t.done()
  },

  "Node's own thread for hooks is left alone": t => {
    const { stdout } = run('internal.js', `
      require('node:worker_threads').isInternalThread = true
      require(${JSON.stringify(path.join(root, 'register.js'))})
      console.log(require('bson').ObjectId)`, { args: [] })
    t.strictEqual(stdout, 'its own\n')
    t.done()
  },

  'both ways that Node has lead there, and an older one is refused': t => {
    const lines = {
      'with hooks in the thread, which may not be asked': 'Module.registerHooks = () => {}; register(); console.log(require("bson") === qbson)',
      'with hooks beside it': 'delete Module.registerHooks; register(); console.log(require("bson") === qbson)',
      'with none': 'delete Module.register; try { register() } catch (error) { console.log(error.message) }'
    }
    const outputs = Object.values(lines).map((line, i) => run(`way${i}.js`, `
      const { Module } = require('node:module')
      const { register } = require(${JSON.stringify(path.join(root, 'lib', 'register'))})
      const qbson = require(${JSON.stringify(qbson)})
      ${line}`, { args: [] }).stdout)
    t.deepStrictEqual(outputs, ['true\n', 'true\n', 'qbson/register needs Node.js 20.6 or later\n'])
    t.done()
  },

  'the package exports it': t => {
    t.strictEqual(require.resolve('qbson/register'), path.join(root, 'register.js'))
    t.done()
  }
}
