'use strict'

// What an editor shows: every public function has a summary, every option a sentence with its default, and types keep
// the names of the documentation. Reads the declarations as packed.

const path = require('node:path')
const ts = require('typescript')
const { PUBLIC } = require('../scripts/entries')
const { home, packed } = require('./fixtures/packed')

/** Entries that are for generated code, which nobody writes by hand. */
const INTERNAL = ['compile/runtime']
const SHOWN = PUBLIC.filter(name => !INTERNAL.includes(name))

/** Types of options, of which each entry shall export those that its functions take. */
const OPTIONS = {
  qbson: ['DecodeOptions', 'DocumentsOptions', 'EncodeOptions', 'FromBSONOptions'],
  compile: ['CodecDecodeOptions', 'CodecEncodeOptions', 'CompileOptions'],
  cursor: ['BatchesOptions', 'StreamOptions'],
  ejson: ['EJSONParseOptions', 'EJSONSerializeOptions', 'FromBSONOptions']
}

let checker
/** @type {Record<string, import('typescript').Symbol[]>} */
const exported = {}

const textOf = parts => ts.displayPartsToString(parts)
const fileOf = name => path.join(home, 'dist', `${name}.d.cts`)

const realOf = symbol => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)

/** Whether a list of completions shows a comment: declarations made from JavaScript have none for a namespace. */
const isShown = symbol => (symbol.flags & ts.SymbolFlags.Value) !== 0 && (symbol.flags & ts.SymbolFlags.ValueModule) === 0

/** The comment that a list of completions shows. */
const summaryOf = symbol => textOf(symbol.getDocumentationComment(checker))

/** Classes whose methods are arithmetic: their names say it. */
const ARITHMETIC = ['Long', 'Timestamp']

/** Of a class those that an editor offers, static ones too; of EJSON its functions. */
function methodsOf(symbol) {
  if (!isClass(symbol)) return symbol.name === 'EJSON' ? checker.getTypeOfSymbol(symbol).getProperties() : []
  if (ARITHMETIC.includes(symbol.name)) return []
  return [checker.getDeclaredTypeOfSymbol(symbol), checker.getTypeOfSymbol(symbol)].flatMap(type => type.getProperties())
    .filter(({ flags, name }) => (flags & ts.SymbolFlags.Method) !== 0 && !name.startsWith('_'))
}

const isClass = symbol => (symbol.flags & ts.SymbolFlags.Class) !== 0

/** A tag such as `@returns hex digits` says enough. */
function isDescribed(symbol) {
  return summaryOf(symbol) !== '' || symbol.getJsDocTags(checker).some(({ name, text }) => {
    return ['internal', 'private', 'deprecated'].includes(name) || (name === 'param' ? text.length > 1 && / /.test(textOf(text)) : textOf(text) !== '')
  })
}

/** @returns {string[]} of all entries, what `find` finds */
const inAll = find => SHOWN.flatMap(name => exported[name].flatMap(symbol => find(symbol).map(found => `${name}: ${found}`)))

module.exports = {
  before: done => {
    packed().then(() => {
      const program = ts.createProgram(SHOWN.map(fileOf), {
        module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16, target: ts.ScriptTarget.ES2023,
        types: ['node'], typeRoots: [path.join(__dirname, '..', 'node_modules', '@types')], skipLibCheck: true
      })
      checker = program.getTypeChecker()
      for (const name of SHOWN) {
        const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(fileOf(name))))
        exported[name] = symbols.map(realOf)
      }
    }).then(done, done)
  },

  'every function, class and constant has a summary': t => {
    const all = inAll(symbol => (isShown(symbol) ? [symbol.name] : []))
    t.ok(all.length > 90, String(all.length))
    t.deepStrictEqual(inAll(symbol => (isShown(symbol) && summaryOf(symbol) === '' ? [symbol.name] : [])), [])
    t.done()
  },

  'every method of a class and of EJSON has a description, or says what it returns': t => {
    let count = 0
    t.deepStrictEqual(inAll(symbol => {
      const methods = methodsOf(symbol)
      count += methods.length
      return methods.filter(method => !isDescribed(method)).map(method => `${symbol.name}.${method.name}`)
    }), [])
    t.ok(count > 200, String(count))
    t.done()
  },

  'every option has a sentence that says its default': t => {
    let count = 0
    t.deepStrictEqual(inAll(symbol => {
      if (symbol.valueDeclaration || !symbol.name.endsWith('Options')) return []
      const properties = checker.getDeclaredTypeOfSymbol(symbol).getProperties()
      count += properties.length
      return properties.filter(property => !/\bdefault\b/.test(textOf(property.getDocumentationComment(checker))))
        .map(property => `${symbol.name}.${property.name}`)
    }), [])
    t.ok(count > 100, String(count))
    t.done()
  },

  'each entry exports the types of its options, by the names of the documentation': t => {
    for (const [name, options] of Object.entries(OPTIONS)) {
      const names = exported[name].map(symbol => symbol.name)
      t.deepStrictEqual(options.filter(option => !names.includes(option)), [], name)
    }
    t.deepStrictEqual(inAll(symbol => (/Options\$\d+$/.test(symbol.name) ? [symbol.name] : [])), [])
    t.done()
  }
}
