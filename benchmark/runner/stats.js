'use strict'

/**
 * The middle value; the mean of the two middle ones when the count is even.
 * @param {number[]} values
 * @returns {number} NaN for an empty list
 */
function median(values) {
  if (values.length === 0) return NaN
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/**
 * How far the median may be off, as a fraction of it: 0.03 is "± 3 %". It is half the distance between the greatest and
 * the least value; for eight or more values, one extreme on each side is dropped. By order statistics, the median lies
 * in this range with a probability of 88 % for four values, 97 % for six, 93 % for eight, for any distribution.
 * @param {number[]} values
 * @returns {number} 0 for fewer than two values
 */
function spread(values) {
  if (values.length < 2) return 0
  const sorted = [...values].sort((a, b) => a - b)
  const left = values.length < 8 ? 0 : 1
  return (sorted.at(-1 - left) - sorted[left]) / 2 / median(values)
}

/**
 * The geometric mean of positive numbers.
 * @param {number[]} values
 * @returns {number} NaN for an empty list
 */
function geomean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** A row whose spread is wider than this (± 10 %) is marked. */
const WIDE = 0.1

/**
 * @param {number} fraction from `spread`
 * @returns {boolean} whether the spread is too wide to trust the figure
 */
function isWide(fraction) {
  return !(fraction <= WIDE)
}

/**
 * Rates relative to the baseline that ran side by side with the contender, which cancels the load on the machine.
 * @param {number[]} times ns of the contender, by round or by turn
 * @param {number[]} baseline ns of the baseline
 * @returns {number[]} baseline = 100, more is faster
 */
function relativeRates(times, baseline) {
  return times.slice(0, baseline.length).map((ns, i) => 100 * baseline[i] / ns)
}

module.exports = { median, spread, geomean, isWide, relativeRates, WIDE }
