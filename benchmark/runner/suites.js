'use strict'

const fs = require('node:fs')
const path = require('node:path')

/** The order of the results, here and in benchmark/results/README.md. */
const ORDER = ['server', 'first', 'small', 'values', 'list', 'compiled', 'media', 'record', 'test', 'hessian', 'json', 'ejson', 'options', 'wire',
  'driver', 'columns', 'dumps', 'start', 'adversarial']

/** @returns {any[]} all suites or those named, in the order of the results */
function loadSuites(names) {
  const directory = path.join(__dirname, '..', 'suites')
  const present = fs.readdirSync(directory).map(file => path.basename(file, '.js'))
  const known = [...ORDER.filter(name => present.includes(name)), ...present.filter(name => !ORDER.includes(name))]
  const unknown = (names ?? []).filter(name => !known.includes(name))
  if (unknown.length > 0) throw new Error(`no suite ${unknown.join(', ')}; there are ${known.join(', ')}`)
  return known.filter(name => !names || names.includes(name)).map(name => require(path.join(directory, name)))
}

module.exports = { loadSuites }
