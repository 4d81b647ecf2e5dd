'use strict'

// Which of some words a mistyped one may mean.

/** Letters of a word that is compared: what is longer is no slip. */
const MAX_LENGTH = 30

/** @param {string} word @param {string[]} words @returns {string | undefined} the one that is nearest, if it is near */
function nearest(word, words) {
  if (word.length > MAX_LENGTH) return undefined
  const all = words.map(each => ({ each, distance: distanceOf(word, each) }))
  const [{ each, distance }] = all.sort((a, b) => a.distance - b.distance)
  return distance <= Math.max(1, Math.floor(each.length / 3)) ? each : undefined
}

/** Letters to be added, left out, replaced, or swapped with the next. */
function distanceOf(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1][j - 1] + Number(a[i - 1] !== b[j - 1])
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(Math.min(replaced, rows[i - 1][j] + 1, row[j - 1] + 1, isSwap ? rows[i - 2][j - 2] + 1 : Infinity))
    }
    rows.push(row)
  }
  return rows[a.length][b.length]
}

module.exports = { nearest }
