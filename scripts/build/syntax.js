'use strict'

/** @param {any} node of acorn @returns {any[]} */
function children(node) {
  return Object.values(node).flat().filter(value => typeof value?.type === 'string')
}

/**
 * @param {any} node
 * @param {(node: any, parent: any) => void} see called with the node and everything in it
 * @param {any} [parent]
 */
function visit(node, see, parent = null) {
  see(node, parent)
  for (const child of children(node)) visit(child, see, node)
}

/**
 * Lines stay where they are, for source maps.
 *
 * @param {string} source
 * @param {{start: number, end: number, text: string}[]} edits what to put in place of what; they do not overlap
 * @returns {string}
 */
function apply(source, edits) {
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end)
  let text = ''
  let at = 0
  for (const { start, end, text: replacement } of ordered) {
    const lines = source.slice(start, end).split('\n').length - replacement.split('\n').length
    text += source.slice(at, start) + replacement + '\n'.repeat(lines)
    at = end
  }
  return text + source.slice(at)
}

module.exports = { children, visit, apply }
