'use strict'

/** Gives its last item in an order quickly. @template T */
class Heap {
  /** @param {(a: T, b: T) => number} compare */
  constructor(compare) {
    this.compare = compare
    /** Each item comes after the two below it. @type {T[]} */
    this.list = []
  }

  /** @param {T} item */
  add(item) {
    const { list, compare } = this
    let at = list.length
    for (let above; at > 0 && compare(item, list[(above = (at - 1) >> 1)]) > 0; at = above) list[at] = list[above]
    list[at] = item
  }

  /** @returns {T} */
  takeLast() {
    const { list, compare } = this
    const [last] = list
    const item = list.pop()
    if (list.length === 0) return last
    let at = 0
    for (let below = 1; below < list.length; below = 2 * at + 1) {
      if (below + 1 < list.length && compare(list[below + 1], list[below]) > 0) below++
      if (compare(item, list[below]) >= 0) break
      list[at] = list[below]
      at = below
    }
    list[at] = item
    return last
  }
}

module.exports = { Heap }
