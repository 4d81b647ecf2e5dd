'use strict'

const { titleOf } = require('./machine')
const { median, geomean } = require('./stats')
const { markdown, figure, distinct } = require('./tables')

/** The assumed spread of a figure with only one sample. */
const UNKNOWN = 0.1

/** Changes below this (5 %) are noise whatever the spread says. */
const FLOOR = 0.05

const caseOf = ({ suite, node, subject, op, contender }) => [suite, titleOf(node), subject, op, contender].join(' / ')

/**
 * Pairs the cases of two runs. A factor of 2 means twice as fast as before.
 * @returns {{name: string, contender: string, suite: string, op: string, factor: number, noise: number, before: number,
 *   now: number}[]}
 */
function pairs(old, current) {
  const before = new Map(old.results.map(result => [caseOf(result), result]))
  return current.results.filter(result => before.has(caseOf(result))).map(result => {
    const was = before.get(caseOf(result))
    return {
      name: caseOf(result),
      group: [result.suite, titleOf(result.node), result.op, result.contender].join(' / '),
      contender: result.contender,
      factor: was.ns / result.ns,
      noise: Math.max(FLOOR, (was.spread ?? UNKNOWN) + (result.spread ?? UNKNOWN)),
      before: was.ns,
      now: result.ns
    }
  })
}

/**
 * How much faster the machine itself was than in the old run: the median over the contenders of the geometric mean of
 * their factors, so that one contender that changed does not count; 1 if there are fewer than three.
 */
function drift(paired) {
  const names = distinct(paired, 'contender')
  if (names.length < 3) return 1
  return median(names.map(name => geomean(paired.filter(pair => pair.contender === name).map(pair => pair.factor))))
}

/** Joins the cases of one contender, operation and suite: noise falls with the square root of their number. */
function grouped(paired) {
  return distinct(paired, 'group').map(group => {
    const own = paired.filter(pair => pair.group === group)
    const noise = Math.sqrt(own.reduce((sum, pair) => sum + pair.noise ** 2, 0)) / own.length
    return { name: `${group}, ${own.length} cases`, factor: geomean(own.map(pair => pair.factor)), noise: Math.max(FLOOR, noise) }
  })
}

const changed = (pair, machine) => Math.abs(Math.log(pair.factor / machine)) > Math.log(1 + pair.noise)

/**
 * Finds what became faster or slower by more than 5 % and by more than the spreads of both runs together.
 * @param {any} old figures of a run, as --json writes them
 * @param {any} current
 * @returns {{text: string, slower: number, faster: number}} slower and faster count lines
 */
function compare(old, current) {
  const paired = pairs(old, current)
  const machine = drift(paired)
  const found = [...grouped(paired), ...paired].filter(pair => changed(pair, machine))
  const slower = found.filter(pair => pair.factor < machine).length
  const table = markdown({
    title: `compared with ${old.date}: ${found.length - slower} faster, ${slower} slower, of ${paired.length} cases`,
    head: ['case', 'before ns', 'now ns', 'rate', 'noise'],
    rows: found.map(pair => [
      pair.name,
      figure(pair.before),
      figure(pair.now),
      `${signed(100 * (pair.factor / machine - 1))} %`,
      `±${figure(100 * pair.noise)} %`
    ])
  })
  const note = machine === 1 ? '' : `\nThe machine as a whole ran ${figure(100 * machine)} % as fast; rates are corrected for it.\n`
  return { text: table + note, slower, faster: found.length - slower }
}

const signed = value => (value > 0 ? '+' : '') + value.toFixed(1)

module.exports = { compare, pairs, drift, grouped }
