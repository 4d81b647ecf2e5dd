'use strict'

const { median, spread, isWide, relativeRates } = require('./stats')

/**
 * @typedef {object} Result
 * @property {string} suite
 * @property {string} node
 * @property {string} subject
 * @property {string} op
 * @property {string} contender
 * @property {number[]} rounds ns per operation, one figure per round
 * @property {number[]} [rates] rate of each round, the median of its turns; baseline = 100
 * @property {number} ns the median
 * @property {number} [spread] half the range of the rounds, or of the samples of a single round, as a fraction of `ns`
 * @property {boolean} wide spread too wide to trust
 * @property {number} [relative] rate, baseline = 100
 * @property {number} [relativeSpread]
 * @property {number} [bytes] encoded bytes per operation
 * @property {number} [allocated] bytes allocated per operation
 * @property {Record<string, any>} [extra]
 */

/**
 * Medians, spreads and rates relative to the baseline of the suite.
 * @param {any[]} rows as `schedule` collects them
 * @param {Record<string, string | undefined>} baselines of the suites, by name
 * @returns {Result[]}
 */
function summarise(rows, baselines) {
  const at = ({ suite, node, subject, op }, contender) => JSON.stringify([suite, node, subject, op, contender])
  const byCase = new Map(rows.map(row => [at(row, row.contender), row]))
  return rows.map(({ sampleSpread, rateSpread = sampleSpread, ...row }) => {
    const baseline = byCase.get(at(row, baselines[row.suite]))
    const rates = row.rates ?? (baseline && relativeRates(row.rounds, baseline.rounds))
    const own = row.rounds.length > 1 ? spread(row.rounds) : sampleSpread
    return {
      ...row,
      ns: median(row.rounds),
      spread: own,
      wide: own !== undefined && isWide(own),
      ...(rates && { relative: median(rates), relativeSpread: row.rounds.length > 1 ? spread(rates) : rateSpread })
    }
  })
}

module.exports = { summarise }
