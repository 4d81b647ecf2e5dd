'use strict'

// The declarations that are made from the JSDoc: TypeScript written for bson has to compile with them unchanged.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { execFile } = require('node:child_process')
const { promisify } = require('node:util')

const root = path.dirname(__dirname)
const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const usage = path.join(__dirname, 'types', 'usage.ts')

const OPTIONS = {
  strict: true, noEmit: true, target: 'es2023', lib: ['es2023', 'dom'], module: 'node16', moduleResolution: 'node16', types: ['node'],
  typeRoots: [path.join(root, 'node_modules', '@types')]
}

/** Runs the compiler; answers what it complains about, '' when all is well. */
async function compile(args) {
  try {
    await promisify(execFile)(process.execPath, [tsc, ...args], { cwd: root, maxBuffer: 1e8 })
    return ''
  } catch (error) {
    return error.stdout || String(error)
  }
}

async function withFolder(work) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-types-'))
  try {
    return await work(folder)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/** Compiles the usage file with `bson` meaning these declarations. */
function compileUsage(folder, declarations) {
  const project = path.join(folder, `${path.basename(path.dirname(declarations))}.json`)
  const compilerOptions = { ...OPTIONS, paths: { bson: [declarations] } }
  fs.writeFileSync(project, JSON.stringify({ compilerOptions, files: [usage] }))
  return compile(['--project', project])
}

module.exports = {
  'code for bson compiles with the declarations of bson': async function (t) {
    const complaints = await withFolder(folder => compileUsage(folder, path.join(root, 'node_modules', 'bson', 'bson.d.ts')))
    t.equal(complaints, '')
    t.done()
  },

  'and with ours': async function (t) {
    await withFolder(async folder => {
      const out = path.join(folder, 'types')
      await compile(['--project', 'tsconfig.json', '--outDir', out]) // what it complains about is for `npm run types`
      t.equal(await compileUsage(folder, path.join(out, 'qbson.d.ts')), '')
    })
    t.done()
  },

  'every name that the declarations of bson export is used': function (t) {
    const source = fs.readFileSync(usage, 'utf8')
    const declared = fs.readFileSync(path.join(root, 'node_modules', 'bson', 'bson.d.ts'), 'utf8')
    const exported = /^export declare (?:abstract )?(?:type|interface|class|const|function) (\w+)/gm
    const names = [...declared.matchAll(exported)].map(match => match[1])
    t.ok(names.length > 60)
    // declared by bson, but not exported when it runs
    const missing = new Set(names.filter(name => name !== 'LongWithoutOverridesClass' && !new RegExp(`\\b${name}\\b`).test(source)))
    t.deepEqual([...missing], [])
    t.done()
  }
}
