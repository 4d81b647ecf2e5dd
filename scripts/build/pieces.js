'use strict'

// Which pieces the bundles for Node are cut into. What several entries share becomes a piece by who needs it, which
// would be many. So everybody needs all of `qbson`, but for modules that were compiled ahead of time, which are to
// start at once: what they need is a piece of its own, the rest of `qbson` another. on-node.js makes files of them.

const fs = require('node:fs')
const path = require('node:path')
const { ENTRIES } = require('./entries')
const { toNamespaces } = require('./to-module')

const root = path.join(__dirname, '..', '..')

const main = path.join(root, ENTRIES['.'])
const runtime = path.join(root, ENTRIES['./compile/runtime'])

/** What `qbson` loads at once, and what a module does that was compiled ahead of time. */
const ofMain = loadedBy(main)
const ofRuntime = new Set([...loadedBy(runtime), ...loadedBy(path.join(root, ENTRIES['./object-id']))])

/** @param {string} file @returns {Set<string>} what is loaded with it */
function loadedBy(file, files = new Set()) {
  if (files.has(file)) return files
  files.add(file)
  for (const required of requiredBy(file, /^(?:const .*|\}) = require\('(\..*)'\)$/gm)) loadedBy(required, files)
  return files
}

/** @param {string} file @param {RegExp} pattern of a request @returns {string[]} the files that it requires */
function requiredBy(file, pattern) {
  const requests = [...fs.readFileSync(file, 'utf8').matchAll(pattern)].map(([, request]) => request)
  return requests.map(request => require.resolve(path.resolve(path.dirname(file), request)))
}

/** @param {string} file @returns {string} imports to be put before it, of all that is to be there when it is */
function needs(file) {
  if (ofMain.has(file) || ofRuntime.has(file)) return ''
  const isOfCompile = path.dirname(file) === path.dirname(runtime)
  return importOf(main) + (isOfCompile ? importOf(runtime) : '')
}

function importOf(file) {
  return `import ${JSON.stringify(file)}; `
}

/** What functions of the runtime require of `qbson`, as one module. */
const LATER = 'later'

const later = {
  name: LATER,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${LATER}$`) }, () => ({ path: LATER, namespace: LATER }))
    build.onLoad({ filter: /./, namespace: LATER }, () => {
      const required = [...ofRuntime].flatMap(file => requiredBy(file, /require\('(\..*?)'\)/g))
      const files = required.filter(file => ofMain.has(file) && !ofRuntime.has(file))
      const namespaces = toNamespaces(Object.fromEntries(files.map(file => [nameOf(file), file])))
      return { contents: importOf(main) + namespaces, resolveDir: root }
    })
  }
}

/** @param {string} file @returns {string} as `types_long` */
function nameOf(file) {
  return path.relative(path.join(root, 'lib'), file).replace(/\.js$/, '').replace(/\W+/g, '_')
}

/**
 * What a function requires is there already, or is loaded when that runs.
 *
 * @type {import('./to-module').Options['late']}
 */
function late(file, from) {
  if (ofRuntime.has(from) && ofRuntime.has(file)) return undefined
  if (!ofMain.has(file)) return `import(${JSON.stringify(file)})`
  return ofRuntime.has(from) ? `import('${LATER}').${nameOf(file)}` : undefined
}

module.exports = { needs, late, later }
