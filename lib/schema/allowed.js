'use strict'

// What a schema allows, by element type, and the intersection of what two schemas allow.

const { ELEMENT } = require('../spec')
const { TYPES } = require('../codegen')
const { BSONError, shownName } = require('../errors')
const { show } = require('./rules')

/** @typedef {import('./schema').Form} Form */
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
const FORMS_OF_VALUES = new Map([
  [ELEMENT.INT64, ['bigint', 'long', 'number']],
  [ELEMENT.BINARY, ['buffer', 'binary']]
])

/**
 * @typedef {object} Allowed
 * @property {boolean} isOpen whether types without a form are allowed
 * @property {Map<number, Form>} forms
 * @property {Rule[]} rules for values of any type
 */

/** @type {Allowed} */
const ANYTHING = { isOpen: true, forms: new Map(), rules: [] }

/** @type {Omit<Form, 'type'>} */
const BARE = { rules: [], as: null, shape: null, list: null }

/** @param {Iterable<number>} types @param {Partial<Form>} [form] @param {boolean} [isOpen] @returns {Allowed} */
function formsOf(types, form = {}, isOpen = false) {
  const forms = new Map()
  for (const type of types) forms.set(type, { ...BARE, type, ...form })
  return { isOpen, forms, rules: [] }
}

/**
 * What both allow, in the order of the first one that names types.
 *
 * @param {Allowed} a
 * @param {Allowed} b
 * @param {(form: Form) => Rule} allOf makes a rule that requires another form as well
 * @param {string} pointer
 * @returns {Allowed}
 */
function intersect(a, b, allOf, pointer) {
  const forms = new Map()
  const [first, second] = a.isOpen && !b.isOpen ? [b, a] : [a, b]
  for (const [type, form] of first.forms) {
    const other = second.forms.get(type)
    if (other !== undefined) forms.set(type, mergeForms(form, other, allOf, pointer))
    else if (second.isOpen) forms.set(type, form)
  }
  if (first.isOpen) for (const [type, form] of second.forms) if (!first.forms.has(type)) forms.set(type, form)
  return { isOpen: first.isOpen && second.isOpen, forms, rules: [...a.rules, ...b.rules] }
}

/** A container described twice is written by the first description, and must match the second too. */
function mergeForms(a, b, allOf, pointer) {
  if (a.as && b.as) throw schemaError(pointer, `${NAME_BY_TYPE.get(a.type)} has two different values of as`)
  const isTwice = (a.shape && b.shape) || (a.list && b.list)
  return {
    type: a.type,
    rules: isTwice ? [...a.rules, allOf(b)] : [...a.rules, ...b.rules],
    as: a.as ?? b.as,
    shape: a.shape ?? b.shape,
    list: a.list ?? b.list
  }
}

function withAs({ isOpen, forms, rules }, as, pointer) {
  const own = new Map(forms)
  const types = [...forms.keys()].filter(type => FORMS_OF_VALUES.get(type)?.includes(as))
  if (types.length === 0) throw schemaError(pointer, `as ${show(as)} fits no type that is allowed here`)
  for (const type of types) {
    if (forms.get(type).as !== null) throw schemaError(pointer, `${NAME_BY_TYPE.get(type)} has two different values of as`)
    own.set(type, { ...forms.get(type), as })
  }
  return { isOpen, forms: own, rules }
}

/**
 * What alternatives allow if each of them has its own types.
 *
 * @param {Allowed[]} parts
 * @returns {Allowed | null} null if they share types: the type then does not select an alternative
 */
function unite(parts) {
  const forms = new Map()
  for (const part of parts) {
    if (part.isOpen) return null
    for (const [type, form] of part.forms) {
      if (forms.has(type)) return null
      forms.set(type, { ...form, rules: [...form.rules, ...part.rules] })
    }
  }
  return { isOpen: false, forms, rules: [] }
}

/**
 * The types of alternatives that share types. A type that only one of them describes keeps its description.
 *
 * @param {Allowed[]} parts
 * @returns {Allowed}
 */
function typesOfAny(parts) {
  if (parts.some(part => part.isOpen)) return ANYTHING
  const forms = new Map()
  for (const [type, form] of parts.flatMap(part => [...part.forms])) {
    forms.set(type, forms.has(type) ? { ...BARE, type } : { ...form, rules: [] })
  }
  return { isOpen: false, forms, rules: [] }
}

module.exports = { NAME_BY_TYPE, BARE, ANYTHING, formsOf, intersect, unite, typesOfAny, withAs, schemaError }
