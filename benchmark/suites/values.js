'use strict'

const { names, listsOf, COUNT, LENGTH } = require('../data/values')
const { codecWork, cross } = require('../runner/codec')
const { isWide } = require('../runner/stats')
const { figure, wide } = require('../runner/tables')

const OPS = ['encode', 'decode']

/** --quick measures these only. */
const QUICK = ['Long', 'Double', 'RegExp', 'DBRef']

const workload = ({ subject }) => ({ documents: ({ bson }) => listsOf(subject, bson) })

/** Nanoseconds per value for both, and the rate of qbson. */
function cells(subject, op, results) {
  const of = name => results.find(one => one.contender === name && one.subject === subject && one.op === op)
  const [bson, qbson] = ['bson', 'qbson'].map(of)
  if (!bson || !qbson) return ['—', '—', '—']
  return [figure(bson.ns / LENGTH), figure(qbson.ns / LENGTH), wide(figure(Math.round(qbson.relative)), isWide(qbson.relativeSpread))]
}

/** Only the rates, two types per row. */
function digest(results) {
  const present = names.filter(name => results.some(({ subject }) => subject === name))
  const cellsOf = name => name ? [name, ...OPS.map(op => cells(name, op, results)[2])] : ['', '', '']
  const half = Math.ceil(present.length / 2)
  return {
    title: 'values of one type, relative rate, bson = 100',
    head: ['type', ...OPS, 'and the type', ...OPS.map(op => `${op} `)],
    rows: present.slice(0, half).map((name, i) => [...cellsOf(name), ...cellsOf(present[half + i])])
  }
}

module.exports = {
  name: 'values',
  title: 'Values of one type',
  baseline: 'bson',
  notes: [`Nanoseconds per value, and the rate of qbson, \`bson\` = 100. Each of ${COUNT} documents holds a list of ${LENGTH} ` +
    'values of one type, all different if the type has that many. Each type and direction has a process of its own.'],
  cases: mode => cross(mode.name === 'quick' ? QUICK : names, OPS, ['bson', 'qbson']),
  prepare: item => codecWork(item, workload(item)),
  tables: results => [{
    title: 'values of one type',
    head: ['', ...OPS.flatMap(op => [`${op}, bson`, 'qbson', 'rate'])],
    rows: names.filter(name => results.some(({ subject }) => subject === name))
      .map(name => [name, ...OPS.flatMap(op => cells(name, op, results))])
  }],
  digest: results => [digest(results)]
}
