'use strict'

// What a schema allows, by element type, and the intersection of what two schemas allow.

const { ELEMENT } = require('../spec')
const { TYPES } = require('../codegen')
const { BSONError, shownName } = require('../errors')
const { show } = require('./rules')

/** @typedef {import('./schema').TypeRule} TypeRule */
/** @typedef {import('./rules').Rule} Rule */

/** @type {Map<number, string>} */
const NAME_BY_TYPE = new Map(Array.from(TYPES, ([type, { name }]) => [type, name]))

/** Maximum length of a pointer and of a message, in UTF-16 units. Names of fields and keywords may be of any length. */
const MAX_SHOWN = 300

/** @param {string} pointer of the place @param {string} message */
function schemaError(pointer, message) {
  return new BSONError(`schema at ${shownName(pointer, MAX_SHOWN)}: ${shownName(message, MAX_SHOWN)}`)
}

/** The values of `as`, by element type: result types for BSON types that JavaScript can represent in several ways. */
const RESULT_TYPES = new Map([
  [ELEMENT.INT64, ['bigint', 'long', 'number']],
  [ELEMENT.BINARY, ['buffer', 'binary']]
])

/**
 * @typedef {object} Allowed
 * @property {boolean} isOpen whether types without a rule are allowed
 * @property {Map<number, TypeRule>} typeRules
 * @property {Rule[]} rules for values of any type
 */

/** @type {Allowed} */
const ANYTHING = { isOpen: true, typeRules: new Map(), rules: [] }

/** @type {Omit<TypeRule, 'type'>} */
const BARE = { rules: [], as: null, shape: null, list: null }

function typeRulesOf(types, rule = {}, isOpen = false) {
  const typeRules = new Map()
  for (const type of types) typeRules.set(type, { ...BARE, type, ...rule })
  return { isOpen, typeRules, rules: [] }
}

/** The rules of both, each once: a `$ref` may lead to the same ones in many ways. */
function union(rules, others) {
  return [...rules, ...others.filter(rule => !rules.includes(rule))]
}

/** What both allow, in the order of the first that names types. `allOf` makes one rule of two. */
function intersect(a, b, allOf, pointer) {
  const typeRules = new Map()
  const [first, second] = a.isOpen && !b.isOpen ? [b, a] : [a, b]
  for (const [type, typeRule] of first.typeRules) {
    const other = second.typeRules.get(type)
    if (other !== undefined) typeRules.set(type, mergeTypeRules(typeRule, other, allOf, pointer))
    else if (second.isOpen) typeRules.set(type, typeRule)
  }
  const others = first.isOpen ? second.typeRules : []
  for (const [type, typeRule] of others) if (!first.typeRules.has(type)) typeRules.set(type, typeRule)
  return { isOpen: first.isOpen && second.isOpen, typeRules, rules: union(a.rules, b.rules) }
}

/** A container described twice is written by the first description, and must match the second too. */
function mergeTypeRules(a, b, allOf, pointer) {
  if (a.as && b.as) throw schemaError(pointer, `${NAME_BY_TYPE.get(a.type)} has two different values of as`)
  const isTwice = (a.shape && b.shape) || (a.list && b.list)
  return {
    type: a.type,
    rules: isTwice ? [...a.rules, allOf(b)] : union(a.rules, b.rules),
    as: a.as ?? b.as,
    shape: a.shape ?? b.shape,
    list: a.list ?? b.list
  }
}

function withAs({ isOpen, typeRules, rules }, as, pointer) {
  const own = new Map(typeRules)
  const types = [...typeRules.keys()].filter(type => RESULT_TYPES.get(type)?.includes(as))
  if (types.length === 0) throw schemaError(pointer, `as ${show(as)} fits no type that is allowed here`)
  for (const type of types) {
    if (typeRules.get(type).as !== null) throw schemaError(pointer, `${NAME_BY_TYPE.get(type)} has two different values of as`)
    own.set(type, { ...typeRules.get(type), as })
  }
  return { isOpen, typeRules: own, rules }
}

/** What alternatives allow if each has its own types; null if they share types, which then select no alternative. */
function unite(parts) {
  const typeRules = new Map()
  for (const part of parts) {
    if (part.isOpen) return null
    for (const [type, typeRule] of part.typeRules) {
      if (typeRules.has(type)) return null
      typeRules.set(type, { ...typeRule, rules: [...typeRule.rules, ...part.rules] })
    }
  }
  return { isOpen: false, typeRules, rules: [] }
}

/** The types of alternatives that share types. A type that only one of them describes keeps its description. */
function typesOfAny(parts) {
  if (parts.some(part => part.isOpen)) return ANYTHING
  const typeRules = new Map()
  for (const [type, typeRule] of parts.flatMap(part => [...part.typeRules])) {
    typeRules.set(type, typeRules.has(type) ? { ...BARE, type } : { ...typeRule, rules: [] })
  }
  return { isOpen: false, typeRules, rules: [] }
}

module.exports = { NAME_BY_TYPE, BARE, ANYTHING, typeRulesOf, intersect, unite, typesOfAny, withAs, schemaError }
