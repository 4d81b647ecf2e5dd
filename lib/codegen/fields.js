'use strict'

// What writers look up in the shapes and lists of a schema, and the functions that write them.

/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Shape} ParsedShape */

/** The index after the fields that the schema names, for additional fields. */
const BEYOND = 2 ** 30

/**
 * @typedef {{node: Node, index: number, isRequired: boolean}} AnyField also one that the schema does not name
 *
 * @typedef {object} Writing
 * @property {AnyField} rest additional fields
 * @property {{pattern: import('../schema/rules').Pattern, field: AnyField}[]} matching fields whose names match
 * @property {boolean} isMap whether `rest` applies to all fields
 * @property {{names: number, documents: number}} use names that were not the expected ones, and the number of documents
 * @property {(out: any, doc: any, pos: number, check: boolean) => number} write writes a document
 * @property {(out: any, doc: any, pos: number, check: boolean, source?: any) => number} writeAny writes a Map, too
 *
 * @typedef {ParsedShape & Writing} Shape
 *
 * @typedef {object} ListWriting
 * @property {Node} rest the items after the prefix
 * @property {(out: any, node: Node, array: any[], pos: number, check: boolean) => number} write writes an array
 *
 * @typedef {import('../schema/schema').List & ListWriting} List
 */

/**
 * Prepares a schema for writers, which are still to be set. A schema is for one writer only: a second one would replace
 * the functions of the first.
 *
 * @param {{shapes: any[], lists: any[]}} schema is changed
 * @param {(node: Node | boolean) => Node} nodeOf returns a node as it is, for true that of any value, for false that
 *   of none
 * @returns {{shapes: Shape[], lists: List[]}} the same
 */
function prepareWriting({ shapes, lists }, nodeOf) {
  const unnamed = node => ({ node: nodeOf(node), index: BEYOND, isRequired: false })
  for (const shape of shapes) {
    shape.rest = unnamed(shape.additional)
    shape.matching = shape.patterns.map(({ pattern, node }) => ({ pattern, field: unnamed(node) }))
    shape.isMap = shape.fields.length === 0 && shape.patterns.length === 0
    shape.use = { names: 0, documents: 0 }
  }
  for (const list of lists) list.rest = nodeOf(list.items)
  return { shapes, lists }
}

/**
 * The field that a name is written by.
 *
 * @param {Shape} shape
 * @param {string} name
 * @returns {AnyField}
 */
function fieldOf({ byName, matching, rest, isMap }, name) {
  if (isMap) return rest
  const named = byName.get(name)
  return named ?? (matching.length === 0 ? rest : matching.find(({ pattern }) => pattern.test(name))?.field ?? rest)
}

module.exports = { prepareWriting, fieldOf }
