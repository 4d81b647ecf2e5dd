'use strict'

const { codecWork, cross } = require('../runner/codec')
const { figure, percent, meansTable, MARK } = require('../runner/tables')

const COPIES = 64
const names = ['hessian.js', 'bson', 'qbson']

/** @type {Record<string, () => any>} */
const values = {
  number: () => 1,
  date: () => new Date(1436796543210),
  string: () => 'xxx1231231231231xxx123'
}

const workload = ({ subject, contender }) => ({
  documents: () => Array.from({ length: COPIES }, contender === 'hessian.js'
    ? values[subject]
    : () => ({ a: values[subject]() }))
})

function row(name, results) {
  const own = results.filter(result => result.contender === name)
  return [name, ...['encode', 'decode'].flatMap(op => Object.keys(values).map(subject => {
    const result = own.find(one => one.op === op && one.subject === subject)
    return result ? `${figure(1e9 / result.ns)} ${percent(result.spread)}${result.wide ? MARK : ''}` : '—'
  }))]
}

module.exports = {
  name: 'hessian',
  title: 'Hessian 2.0: a number, a date and a string',
  baseline: 'bson',
  docs: 'Other formats and interfaces',
  notes: ['Operations per second, more is faster. The number 1, a Date and `xxx1231231231231xxx123`; since the root of ' +
    'BSON is always a document, each is the field of a document there.'],
  cases: () => cross(Object.keys(values), ['encode', 'decode'], names),
  prepare: item => codecWork(item, workload(item)),
  tables: results => [{
    title: 'operations per second',
    head: ['', ...['encode', 'decode'].flatMap(op => Object.keys(values).map(subject => `${op} ${subject}`))],
    rows: names.filter(name => results.some(result => result.contender === name)).map(name => row(name, results))
  }],
  digest: results => [meansTable(results, 'bson', 'Hessian: ')]
}
