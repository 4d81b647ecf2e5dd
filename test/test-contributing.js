'use strict'

// CONTRIBUTING.md lists the files to change in order to add something. This looks for things added before: they
// must be in those files and in no others.

const fs = require('node:fs')
const path = require('node:path')

const root = path.dirname(__dirname)
const page = fs.readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')
const lib = fs.readdirSync(path.join(root, 'lib'), { recursive: true }).map(file => `lib/${String(file).replaceAll(path.sep, '/')}`)
const sources = [...lib.filter(file => file.endsWith('.js')), 'qbson.js']

/** The files that the tables of a section name, of lib/ and qbson.js. */
function filesOf(heading) {
  const section = new RegExp(`^## ${heading}\\n([^]*?)(?=^## |(?![^]))`, 'm').exec(page)[1]
  return [...section.matchAll(/`((?:lib\/|qbson)[\w/.-]*\.js)`/g)].map(match => match[1])
}

/** The files that hold a word, outside of comments. */
function filesWith(word) {
  return sources.filter(file => {
    const code = fs.readFileSync(path.join(root, file), 'utf8').replace(/\/\*[^]*?\*\/|(^|\s)\/\/.*/g, '')
    return new RegExp(`\\b${word}\\b`).test(code)
  })
}

/** Modules that have their own option of that name, or pass it on. */
const elsewhere = /^lib\/(ejson|compile|raw|wire|stream|compat|cli|json|text|columns|cursor|dump|query)\b/

module.exports = {
  'every file that it names is there': t => {
    const named = [...page.matchAll(/`((?:lib|test|docs)\/[\w/.-]+|qbson\.js|[A-Z]+\.md)`/g)].map(match => match[1])
    t.ok(named.length > 15)
    t.deepStrictEqual(named.filter(file => !fs.existsSync(path.join(root, file))), [])
    t.done()
  },

  'a binary subtype without rules is in those files only': t => {
    for (const name of ['MD5', 'COLUMN', 'SENSITIVE', 'ENCRYPTED']) {
      t.deepStrictEqual(filesWith(name).filter(file => !filesOf('To add a binary subtype').includes(file)), [], name)
    }
    t.done()
  },

  'an option is in those files only': t => {
    const allowed = filesOf('To add an option')
    for (const name of ['promoteBuffers', 'bsonRegExp', 'promoteValues', 'serializeFunctions', 'checkKeys']) {
      const files = filesWith(name).filter(file => !elsewhere.test(file))
      t.ok(files.length >= 2, `${name}: ${files}`)
      t.deepStrictEqual(files.filter(file => !allowed.includes(file)), [], name)
    }
    t.done()
  },

  'a public function is in its module and in qbson.js': t => {
    for (const name of ['encodeInto', 'sizeOf', 'validate']) {
      t.deepStrictEqual(filesWith(name).filter(file => file === 'qbson.js'), ['qbson.js'], name)
      const declared = filesWith(`(?:function\\*?|const|class) ${name}`).filter(file => !elsewhere.test(file))
      t.strictEqual(declared.length, 1, `${name} is declared in ${declared}`)
    }
    t.done()
  }
}
