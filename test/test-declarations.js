'use strict'

// The declarations of every public entry, as packed: they declare the values that are there at run time, no others, and
// these can be imported by name, as a namespace, as default and by require, in .ts, .mts and .cts, however TypeScript finds
// packages.

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const ts = require('typescript')
const manifest = require('../package.json')
const { PUBLIC } = require('../scripts/entries')
const { folder, home, packed } = require('./fixtures/packed')

const root = path.dirname(__dirname)

const MODES = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'preserve', moduleResolution: 'bundler' }
}

const entryOf = name => (name === 'qbson' ? name : `qbson/${name}`)

/** What is there at run time. */
const namesOf = name => Object.keys(require(path.join(home, 'dist', 'node', `${name}.cjs`))).sort()

/** Files that use every name of an entry. @returns {Record<string, string>} */
function usesOf(name) {
  const names = namesOf(name)
  const from = `'${entryOf(name)}'`
  const isUsed = space => `void [${names.map(each => `${space}${each}`).join(', ')}]`
  const imports = `import { ${names.map(each => `${each} as own_${each}`).join(', ')} } from ${from}
    import * as all from ${from}
    import whole from ${from}
    ${isUsed('own_')}
    ${isUsed('all.')}
    ${isUsed('whole.')}`
  return { ts: imports, mts: imports, cts: `import all = require(${from})\n    const { ${names.join(', ')} } = all\n    ${isUsed('')}` }
}

/** A library of which TypeScript makes declarations: of each function itself and what it returns, of each class an instance. */
function libraryOf(name) {
  const own = require(path.join(home, 'dist', 'node', `${name}.cjs`))
  return [`import * as all from '${entryOf(name)}'`, ...Object.keys(own).map(each => {
    const isFunction = typeof own[each] === 'function'
    if (isFunction && String(own[each]).startsWith('class')) return `export const new_${each} = (one: InstanceType<typeof all.${each}>) => [one]`
    const result = `\n    export const of_${each} = () => (all.${each} as (...given: any[]) => ReturnType<typeof all.${each}>)()`
    return `export const own_${each} = all.${each}${isFunction ? result : ''}`
  })].join('\n')
}

function programOf(mode, files, more = {}) {
  const { options } = ts.convertCompilerOptionsFromJson({
    strict: true, noEmit: true, target: 'es2023', lib: ['es2023'], types: ['node'], skipLibCheck: true, ...MODES[mode], ...more
  }, root)
  return ts.createProgram(files, { ...options, typeRoots: [path.join(root, 'node_modules', '@types')] })
}

module.exports = {
  before: done => {
    packed().then(() => done(), done)
  },

  ...Object.fromEntries(Object.keys(MODES).map(mode => [`${mode}: every name of every entry can be imported, in .ts, .mts and .cts`, t => {
    const project = path.join(folder, `declarations-${mode}`)
    fs.mkdirSync(project, { recursive: true })
    const files = PUBLIC.flatMap(name => Object.entries(usesOf(name)).map(([ending, text]) => {
      const file = path.join(project, `${name.replace('/', '-')}-${ending}.${ending}`)
      fs.writeFileSync(file, text)
      return file
    }))
    const program = programOf(mode, files)
    const faults = ts.getPreEmitDiagnostics(program)
    fs.rmSync(project, { recursive: true })
    t.strictEqual(ts.formatDiagnostics(faults, ts.createCompilerHost(program.getCompilerOptions())), '')
    t.done()
  }])),

  'what a library makes of them can be declared, by names of the entries': t => {
    const project = path.join(folder, 'declarations-library')
    fs.mkdirSync(project, { recursive: true })
    const files = PUBLIC.map(name => {
      const file = path.join(project, `${name.replace('/', '-')}.mts`)
      fs.writeFileSync(file, libraryOf(name))
      return file
    })
    const program = programOf('nodenext', files, { noEmit: false, declaration: true, emitDeclarationOnly: true })
    const foreign = []
    program.emit(undefined, (file, text) => foreign.push(...text.match(/.*import\("(?!qbson"|node:).*/g) ?? []))
    fs.rmSync(project, { recursive: true })
    assert.strictEqual(ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), ts.createCompilerHost(program.getCompilerOptions())), '')
    assert.deepStrictEqual(foreign, [])
    t.done()
  },

  'every member of a class of bson is declared': t => {
    const files = [path.join(root, 'node_modules', 'bson', 'bson.d.ts'), path.join(home, 'dist', 'qbson.d.cts')]
    const program = programOf('node16', files)
    const checker = program.getTypeChecker()
    const [theirs, ours] = files.map(file => {
      const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
      return new Map(exported.map(one => [one.name, one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one]))
    })
    const membersOf = symbol => [checker.getDeclaredTypeOfSymbol(symbol), checker.getTypeOfSymbol(symbol)]
      .flatMap((type, i) => type.getProperties().map(({ name }) => (i ? 'static ' : '') + name.replace(/@\d+$/, ''))).sort()
    let classes = 0
    for (const [name, symbol] of theirs) {
      if (!(symbol.flags & ts.SymbolFlags.Class)) continue
      classes++
      const declared = new Set(membersOf(ours.get(name)))
      assert.deepStrictEqual(membersOf(symbol).filter(member => !declared.has(member)), [], name)
    }
    assert.ok(classes > 15, String(classes))
    t.done()
  },

  'what is declared but is no entry, TypeScript does not find': t => {
    const files = fs.readdirSync(path.join(home, 'dist'), { recursive: true }).map(String).filter(file => file.endsWith('.d.cts'))
    const others = files.map(file => file.replaceAll(path.sep, '/').replace('.d.cts', '')).filter(name => !PUBLIC.includes(name))
    assert.deepStrictEqual(others, ['shared'])
    assert.deepStrictEqual(others.map(name => manifest.exports[`./${name}`]), [null])
    t.done()
  },

  'no value is declared that is not there': t => {
    const fileOf = name => path.join(home, 'dist', `${name}.d.cts`)
    const program = programOf('node16', PUBLIC.map(fileOf))
    const checker = program.getTypeChecker()
    for (const name of PUBLIC) {
      const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(fileOf(name))))
      const isValue = symbol => {
        const isType = symbol.declarations.some(one => ts.isExportSpecifier(one) && (one.isTypeOnly || one.parent.parent.isTypeOnly))
        const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
        return !isType && (real.flags & ts.SymbolFlags.Value) !== 0
      }
      assert.deepStrictEqual(exported.filter(isValue).map(symbol => symbol.name).sort(), namesOf(name), name)
    }
    t.done()
  },

  'no function has the summary of another one': t => {
    const files = fs.readdirSync(path.join(home, 'dist')).filter(file => file.endsWith('.d.cts'))
    const summaries = files.flatMap(file => {
      const text = fs.readFileSync(path.join(home, 'dist', file), 'utf8')
      return [...text.matchAll(/^\/\*\*\n \* ([^@\n].*)\n(?: \*.*\n)*declare function/gm)].map(([, summary]) => `${file}: ${summary}`)
    })
    assert.ok(summaries.length > 50, String(summaries.length))
    assert.deepStrictEqual(summaries.filter((summary, i) => summaries.indexOf(summary) !== i), [])
    t.done()
  }
}
