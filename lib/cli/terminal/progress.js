'use strict'

// A line on the terminal that shows how much of a long file has been read, the speed and the time left.

const readline = require('node:readline')
const { onInterrupt } = require('./interrupt')
const { printable } = require('./printable')
const { width } = require('./width')

/** Milliseconds until the line appears, and between updates. */
const PROGRESS_AFTER = 1000
const PROGRESS_EVERY = 200

/** Columns of a terminal that does not give its width. */
const COLUMNS = 80

class Progress {
  /** @param {string} name of the file @param {number} total bytes; 0 when unknown @param {any} terminal */
  constructor(name, total, terminal) {
    this.name = printable(name)
    this.total = total
    this.terminal = terminal
    this.bytes = 0
    this.items = 0
    this.start = Date.now()
    this.next = this.start + PROGRESS_AFTER
    this.isShown = false
    this.unsubscribe = onInterrupt(() => this.clear())
    /** @param {number} bytes read since the last call, of the compressed file */
    this.onRead = bytes => { this.bytes += bytes }
  }

  /** @param {number} items read since the last call; shows the line when due */
  count(items) {
    this.items += items
    const now = Date.now()
    if (now < this.next) return
    this.next = now + PROGRESS_EVERY
    this.erase()
    this.isShown = true
    this.terminal.write(this.line(this.facts(now), (this.terminal.columns || COLUMNS) - 1))
  }

  /** @param {number} now ms */
  facts(now) {
    const { bytes, total, items } = this
    const rate = bytes / Math.max(1, now - this.start) // bytes a ms
    const share = total > 0 ? [`${Math.min(100, Math.floor((100 * bytes) / total))} %`] : []
    const left = total > bytes && rate > 0 ? [`${durationOf((total - bytes) / rate)} left`] : []
    return [`${items} documents`, `${Math.round(bytes / 1e6)} MB`, ...share, `${Math.round(rate / 1e3)} MB/s`, ...left]
  }

  /** As many whole facts as fit, because a number that is cut is another one; before them the end of the name. */
  line(facts, most) {
    while (facts.length > 1 && facts.join(', ').length > most) facts.pop()
    const text = facts.join(', ').slice(0, most)
    const name = [...this.name].slice(-most)
    while (name.length > 0 && width(name.join('')) + 2 + text.length > most) name.shift()
    return name.length === 0 ? text : `${name.join('')}: ${text}`
  }

  erase() {
    if (!this.isShown) return
    readline.cursorTo(this.terminal, 0)
    readline.clearLine(this.terminal, 0)
  }

  /** Removes the line for good. */
  clear() {
    this.erase()
    this.isShown = false
    this.unsubscribe()
  }
}

function durationOf(ms) {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

module.exports = { Progress, durationOf }
