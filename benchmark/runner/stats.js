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
 * How far the median may be off, as a fraction of it: 0.03 is "± 3 %". Half the distance between the greatest and the
 * least value, of eight values and more without one extreme on each side. By order statistics the median lies between
 * those with a probability of 88 % for four values, 97 % for six, 93 % for eight, whatever the distribution.
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
 * @param {number} fraction a spread as `spread` gives it
 * @returns {boolean} true when a row with this spread should not be trusted
 */
function isWide(fraction) {
  return !(fraction <= WIDE)
}

/**
 * Rates of what ran beside the baseline, one by one: what the machine does to both falls out.
 * @param {number[]} times ns of the contender, by rounds or by turns
 * @param {number[]} baseline ns of the baseline
 * @returns {number[]} baseline = 100, greater is faster
 */
function relativeRates(times, baseline) {
  return times.slice(0, baseline.length).map((ns, i) => 100 * baseline[i] / ns)
}

module.exports = { median, spread, geomean, isWide, relativeRates, WIDE }
