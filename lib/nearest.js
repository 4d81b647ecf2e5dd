'use strict'

// Guesses which word a mistyped one means.

/** Longer words are not compared: they are not typing errors. */
const MAX_LENGTH = 40

/** @param {string} word @param {string[]} words @returns {string | undefined} the nearest one, if it is near enough */
function nearest(word, words) {
  if (word.length > MAX_LENGTH) return undefined
  const all = words.map(each => ({ each, distance: distanceOf(word, each) }))
  const [{ each, distance }] = all.sort((a, b) => a.distance - b.distance)
  return distance <= Math.max(1, Math.floor(each.length / 3)) ? each : undefined
}

/** How many letters have to be added, removed, replaced or swapped with the next. */
function distanceOf(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1][j - 1] + Number(a[i - 1] !== b[j - 1])
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] // at the beginning one of them is undefined
      row.push(Math.min(replaced, rows[i - 1][j] + 1, row[j - 1] + 1, isSwap ? rows[i - 2][j - 2] + 1 : Infinity))
    }
    rows.push(row)
  }
  return rows[a.length][b.length]
}

module.exports = { nearest }
