'use strict'

// A module requires only modules above it in the list. A module is a file in lib/ or a folder.

const fs = require('node:fs')
const path = require('node:path')
const { builtinModules } = require('node:module')
const manifest = require('../package.json')

/** In the order of the list in lib/README.md. */
const MODULES = [...fs.readFileSync(path.join(__dirname, '..', 'lib', 'README.md'), 'utf8').split('\n## ')[0].matchAll(/^\| `([\w-]+)(?:\.js|\/)` \|/gm)]
  .map(match => match[1])

/** Files that may be required besides the folder's index.js, according to the list. */
const SHOWN = [...fs.readFileSync(path.join(__dirname, '..', 'lib', 'README.md'), 'utf8').matchAll(/; `([\w/-]+\.js)` is seen from outside/g)]
  .map(match => path.normalize(match[1]))

/** [all, module, its table] of the modules that have folders inside, according to the list. */
const LISTS = [...fs.readFileSync(path.join(__dirname, '..', 'lib', 'README.md'), 'utf8').matchAll(/^\| in `(\w+)\/` \| \|\n((?:\|.*\n)+)/gm)]

/** Modules that run on Node only; all others must load in a browser. */
const NODE_MODULES = ['wire', 'dump', 'register', 'cli']

/** The module that makes code for others names the types of the schemas and plans that they pass to it. */
const GUEST = 'codegen'

/** Packages that are not installed with qbson: code that needs one says so. */
const OPTIONAL = Object.keys(manifest.peerDependencies ?? {})

const lib = path.join(__dirname, '..', 'lib')

/** Files that bundles for Node load with the first call of one of their functions. */
const ON_CALL = [...fs.readFileSync(path.join(__dirname, '..', 'scripts', 'build.js'), 'utf8').matchAll(/^const (?:RARELY|ON_CALL) = \[([^\]]*)\]/gm)]
  .flatMap(([, names]) => [...names.matchAll(/'([\w/-]+)'/g)].map(([, name]) => path.normalize(`${name}.js`)))
const files = fs.readdirSync(lib, { recursive: true }).map(String).filter(file => file.endsWith('.js'))
const graph = new Map(files.map(file => [file, requiresOf(file)]))

function requiresOf(file) {
  const source = codeOf(file)
  return [...source.matchAll(/\brequire\(\s*(['"`])(.*?)\1\s*\)/g)].map(match => match[2])
}

/** Without comments. */
function codeOf(file) {
  return fs.readFileSync(path.join(lib, file), 'utf8').replace(/\/\*[^]*?\*\/|(^|\s)\/\/.*/g, '')
}

function moduleOf(file) {
  return file.split(path.sep)[0].replace(/\.js$/, '')
}

function resolve(from, request) {
  return path.relative(lib, require.resolve(path.resolve(lib, path.dirname(from), request)))
}

/** [file, request, file required] of every require of another file of lib/ */
function edges() {
  const local = [...graph].flatMap(([file, requests]) => requests.map(request => [file, request]))
  return local
    .filter(([, request]) => request.startsWith('.') && !request.endsWith('/package.json'))
    .map(([file, request]) => [file, request, resolve(file, request)])
}

/** [file, request, file named] of every type in a comment that another file of lib/ defines */
function typeEdges() {
  return files.flatMap(file => {
    const source = fs.readFileSync(path.join(lib, file), 'utf8')
    return [...source.matchAll(/\bimport\('(\.[^']*)'\)/g)].map(([, request]) => [file, request, resolve(file, request)])
  })
}

module.exports = {
  'every module has its place': function (t) {
    const modules = [...new Set(files.map(moduleOf))]
    t.deepStrictEqual(modules.toSorted(), MODULES.toSorted(), 'the list in lib/README.md')
    t.done()
  },

  'a module requires only modules above it': function (t) {
    const wrong = edges().filter(([from, , to]) => MODULES.indexOf(moduleOf(to)) > MODULES.indexOf(moduleOf(from)))
    t.deepStrictEqual(wrong.map(([from, request]) => `${from} requires ${request}`), [])
    t.done()
  },

  'types in comments come from modules above, too': function (t) {
    const below = typeEdges().filter(([from, , to]) => MODULES.indexOf(moduleOf(to)) > MODULES.indexOf(moduleOf(from)))
    const [guests, wrong] = [true, false].map(isGuest => below.filter(([from]) => (moduleOf(from) === GUEST) === isGuest))
    t.deepStrictEqual(wrong.map(([from, request]) => `${from} names a type of ${request}`), [])
    t.ok(guests.length > 0, `${GUEST} needs no exception`)
    t.done()
  },

  'a folder has one face, its index.js': function (t) {
    const isInside = file => file.includes(path.sep) && file !== path.join(moduleOf(file), 'index.js')
    const inside = edges().filter(([from, , to]) => moduleOf(to) !== moduleOf(from) && isInside(to))
    t.deepStrictEqual(inside.filter(([, , to]) => !SHOWN.includes(to)).map(([from, request]) => `${from} requires ${request}`), [])
    for (const file of SHOWN) t.ok(inside.some(([, , to]) => to === file), `${file} is required through its folder's face only`)
    t.done()
  },

  'a folder inside of a module requires only those above it': function (t) {
    for (const [, module, list] of LISTS) {
      const places = [...list.matchAll(/^\| `([\w-]+)(?:\.js|\/)` \|/gm)].map(match => match[1])
      const placeOf = file => places.indexOf(file.split(path.sep)[1].replace(/\.js$/, ''))
      const own = edges().filter(([from, , to]) => moduleOf(from) === module && moduleOf(to) === module && placeOf(from) !== -1)
      const wrong = own.filter(([from, , to]) => placeOf(to) === -1 || placeOf(to) > placeOf(from))
      t.deepStrictEqual(wrong.map(([from, request]) => `${from} requires ${request}`), [])
      t.ok(places.length > 3 && own.length > places.length, `${module}: ${places}`)
    }
    t.strictEqual(LISTS.length, 2)
    t.done()
  },

  'files do not require one another in a circle': function (t) {
    const next = new Map(files.map(file => [file, []]))
    for (const [from, , to] of edges()) next.get(from)?.push(to)
    const done = new Set()
    const visit = (file, trail) => {
      if (trail.includes(file)) t.fail(`circle: ${[...trail, file].join(' → ')}`)
      if (done.has(file)) return
      for (const other of next.get(file) ?? []) visit(other, [...trail, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    t.strictEqual(done.size, files.length)
    t.done()
  },

  'nothing is required from outside, and from Node only where there is no browser': function (t) {
    const outside = [...graph].flatMap(([file, requests]) => {
      const foreign = requests.filter(request => !request.startsWith('.'))
      return foreign.filter(request => !mayRequire(file, request)).map(request => `${file} requires ${request}`)
    })
    t.deepStrictEqual(outside, [])
    t.done()
  },

  'a package that is optional is asked for in one file': function (t) {
    for (const name of OPTIONAL) {
      const asking = files.filter(file => codeOf(file).includes(`('${name}')`))
      t.strictEqual(asking.length, 1, `${name}: ${asking.join(', ')}`)
    }
    t.done()
  },

  'every require has one literal path': function (t) {
    for (const file of files) {
      const calls = codeOf(file).match(/\brequire\(/g) ?? []
      t.strictEqual(calls.length, graph.get(file).length, `${file}: a require without a literal path`)
    }
    t.done()
  },

  // V8 keeps a source with one character beyond Latin-1 at two bytes a character: with an arrow or an ellipsis in 12
  // files, `require` took 1.58 MB instead of 1.43 (Node 20).
  'sources are Latin-1': function (t) {
    const wide = files.filter(file => /[^\0-\xff]/.test(fs.readFileSync(path.join(lib, file), 'utf8')))
    t.deepStrictEqual(wide, [])
    t.done()
  },

  'only codegen makes code at run time': function (t) {
    const makers = files.filter(file => {
      const source = codeOf(file)
      return /\bnew Function\b|\bFunction\(|\beval\(/.test(source)
    })
    t.deepStrictEqual(makers.filter(file => !file.startsWith('codegen')), [])
    t.done()
  },

  'of a file that bundles load on the first call, others take functions, and no classes': t => {
    t.ok(ON_CALL.length > 10)
    for (const [file, request, target] of edges().filter(([file, , target]) => ON_CALL.includes(target) && !ON_CALL.includes(file))) {
      const [, names = ''] = codeOf(file).match(new RegExp(`\\{([^}]*)\\} = require\\('${request.replaceAll('.', '\\.')}'\\)`)) ?? []
      const exported = require(path.join(lib, target))
      for (const name of names.match(/\w+/g) ?? []) t.ok(/^(?!class)/.test(String(exported[name])) && typeof exported[name] === 'function', `${file}: ${name}`)
    }
    t.done()
  }
}

function mayRequire(file, request) {
  const isNodes = request.startsWith('node:') && builtinModules.includes(request.slice(5))
  return (isNodes && NODE_MODULES.includes(moduleOf(file))) || OPTIONAL.includes(request)
}
