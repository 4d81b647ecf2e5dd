'use strict'

// House style: no semicolons, single quotes, two spaces, lines of at most 120 columns, short functions.
// Only rules that catch mistakes or keep the style are on; how expressions are laid out is left to the writer.

const js = require('@eslint/js')
const globals = require('globals')

function columns(code) {
  return ['error', { code, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true }]
}

const style = {
  semi: ['error', 'never', { beforeStatementContinuationChars: 'always' }],
  quotes: ['error', 'single', { avoidEscape: true, allowTemplateLiterals: true }],
  'max-len': columns(120),
  'eol-last': 'error',
  'no-tabs': 'error',
  'no-trailing-spaces': 'error',
  'no-multiple-empty-lines': ['error', { max: 1, maxEOF: 0 }],
  'keyword-spacing': 'error',
  'space-before-blocks': 'error',
  'space-infix-ops': 'error',
  'comma-dangle': ['error', 'never'],
  'arrow-parens': ['error', 'as-needed']
}

const care = {
  strict: ['error', 'global'],
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-var': 'error',
  'prefer-const': ['error', { destructuring: 'all' }],
  'no-eval': 'error',
  'no-new-func': 'error',
  'no-unused-vars': ['error', { args: 'after-used', caughtErrors: 'none', ignoreRestSiblings: true }],
  'no-control-regex': 'off',
  'no-empty': ['error', { allowEmptyCatch: true }]
}

/** Functions of the library fit on a screen: what they are given, and their lines without comments. */
function size({ parameters = 6, lines = 40 }) {
  return {
    'max-params': ['error', parameters],
    'max-lines-per-function': ['error', { max: lines, skipComments: true, skipBlankLines: true }]
  }
}

// what the test runner inherits from the first version of Node's `assert`
const LOOSE = { equal: 'strictEqual', equals: 'strictEqual', notEqual: 'notStrictEqual', deepEqual: 'deepStrictEqual',
  notDeepEqual: 'notDeepStrictEqual' }
const looseAssertions = Object.keys(LOOSE).map(property => ({ object: 't', property, message: `Use t.${LOOSE[property]}.` }))
const ownSkip = { object: 't', property: 'skip', message: 'Use skip(t, reason) of test/skip.js: qnit loses this one in async tests.' }

// What writes files, folders and links.
const WRITING = ['open', 'openSync', 'writeFile', 'writeFileSync', 'appendFile', 'appendFileSync', 'createWriteStream', 'truncate',
  'truncateSync', 'rename', 'renameSync', 'copyFile', 'copyFileSync', 'cp', 'cpSync', 'link', 'linkSync', 'symlink', 'symlinkSync',
  'mkdir', 'mkdirSync', 'mkdtemp', 'mkdtempSync', 'rm', 'rmSync', 'rmdir', 'rmdirSync', 'unlink', 'unlinkSync']
const TARGETS = 'Only cli/output/targets.js and cli/output/sinks.js write files: claim a target.'
const writing = [...WRITING, 'promises'].map(property => ({ object: 'fs', property, message: TARGETS }))
const writingByName = `VariableDeclarator[init.arguments.0.value=/^(node:)?fs/] > ObjectPattern > Property[key.name=/^(${WRITING.join('|')}|promises)$/]`

/** How a module is required. */
const REQUIRE = /^const (\w+|\{[\s\w:,]*\}) = require\('[^']+'\)$/

/** The bson package's namespace freezes itself. */
const SEALING = 'Object.freeze(Object.setPrototypeOf(module.exports, null))'

/** @param {any[]} body @param {string[]} texts @returns {any[]} the statements that do not have the required form */
function unexpectedStatements(body, texts) {
  const last = texts.findLastIndex(text => text !== SEALING)
  return body.filter((node, i) => {
    if (i === last) return !/^module\.exports = \{[^(]*\}$/.test(texts[i])
    if (node.declarations?.some(({ init }) => init?.callee?.name === 'require')) return !REQUIRE.test(texts[i])
    if (/^const (\[|\{.*\} = (?!\w+$))/.test(texts[i])) return true // bundlers keep destructured values
    return !/Declaration$/.test(node.type) && !node.directive && texts[i] !== SEALING
  })
}

/** For the build (scripts/plugins.js), and for a bundler to leave out what is not used. */
const topLevel = {
  create: context => ({
    Program({ body }) {
      const message = 'At the top of a file stand only requires, declarations and one literal of exports.'
      const texts = body.map(node => context.sourceCode.getText(node))
      for (const node of unexpectedStatements(body, texts)) context.report({ node, message })
    }
  })
}

/** What is larger, and why. */
const larger = [
  // one function with a switch is optimised after few documents, many small ones after many: see lib/README.md
  { files: ['lib/decode/read.js', 'lib/columns/read/read.js'], rules: size({ parameters: 10, lines: 120 }) },
  { files: ['lib/bytes/utf8/text.js'], rules: size({ lines: 80 }) },
  { files: ['lib/decode/fallback.js'], rules: size({ parameters: 7 }) },
  { files: ['lib/text/write.js'], rules: size({ lines: 260 }) },
  { files: ['lib/encode/encode.js'], rules: size({ lines: 90 }) },
  // a row of a table
  { files: ['lib/ejson/wrappers.js'], rules: size({ parameters: 7 }) },
  // an element and where it stands: an object for each would take time
  { files: ['lib/compile/*.js'], rules: size({ parameters: 8 }) }
]

// The library also runs in browsers: of what only Node has it may name these, and asks with typeof before using them.
const nodeOnly = Object.fromEntries(Object.keys(globals.node).map(name => [name, 'off']))
const anywhere = { ...nodeOnly, ...globals['shared-node-browser'], ...globals.commonjs, Buffer: false, process: false }

module.exports = [
  { ignores: ['node_modules/', 'types/', 'dist/', 'coverage/', 'build/', 'benchmark/results/', '**/.cache/', 'examples/bookshop.js'] },
  js.configs.recommended,
  {
    files: ['**/*.js'],
    languageOptions: { ecmaVersion: 2023, sourceType: 'commonjs', globals: globals.node },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: { ...style, ...care }
  },
  {
    files: ['qbson.js', 'lib/**/*.js'],
    ignores: ['lib/cli/**', 'lib/register/**'],
    languageOptions: { globals: anywhere },
    rules: { 'max-lines': ['error', 500] }
  },
  {
    files: ['qbson.js', 'lib/**/*.js'],
    plugins: { own: { meta: { name: 'own', version: '1' }, rules: { 'top-level': topLevel } } },
    rules: { ...size({}), 'own/top-level': 'error' }
  },
  {
    files: ['lib/cli/**'],
    ignores: ['lib/cli/output/targets.js', 'lib/cli/output/sinks.js', 'lib/cli/commands/bench-process.js'], // the last opens a file to read it
    rules: {
      'no-restricted-properties': ['error', ...writing],
      'no-restricted-syntax': ['error', { selector: writingByName, message: TARGETS }]
    }
  },
  ...larger,
  { files: ['test/**/*.js'], rules: { 'max-lines': ['error', 400], 'no-restricted-properties': ['error', ...looseAssertions, ownSkip] } },
  { files: ['test/skip.js'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['test/**/*.js', 'benchmark/**/*.js', 'fuzz/**/*.js'], rules: { 'max-len': columns(140) } }, // rows of tables
  { files: ['lib/codegen/compile.js'], rules: { 'no-new-func': 'off' } },
  {
    files: ['test/runtimes/hosts/*'],
    languageOptions: { globals: { ...globals.node, runPortable: false, lockdown: false, test: false } }
  },
  { files: ['examples/browser/*.js'], languageOptions: { globals: { ...globals.browser, qbson: false } } },
  { files: ['**/*.cjs'], languageOptions: { ecmaVersion: 2023, sourceType: 'commonjs' }, rules: { ...style, ...care } },
  {
    files: ['**/*.mjs'],
    languageOptions: { ecmaVersion: 2023, sourceType: 'module', globals: globals.node },
    rules: { ...style, ...care, strict: 'off' }
  }
]
