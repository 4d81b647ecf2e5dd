'use strict'

// What a schema allows, by element type; and what two schemas allow together.

const { ELEMENT, BSONType } = require('../spec')
const { BSONError, shownName } = require('../errors')
const { show } = require('./rules')

/** @typedef {import('./schema').Form} Form */

/** @type {Map<number, string>} */
const NAME_BY_TYPE = new Map(Object.entries(BSONType).map(([name, type]) => [type & 0xff, name]))

/** UTF-16 units of a pointer, and of a message: names of fields and keywords may be of any length. */
const MAX_SHOWN = 300

/** @param {string} pointer of the place @param {string} message */
function fault(pointer, message) {
  return new BSONError(`schema at ${shownName(pointer, MAX_SHOWN)}: ${shownName(message, MAX_SHOWN)}`)
}

/** How a value is given back where BSON has more types than JavaScript: `as`, by element type. */
const FORMS_OF_VALUES = new Map([
  [ELEMENT.INT64, ['bigint', 'long', 'number']],
  [ELEMENT.BINARY, ['buffer', 'binary']]
])

/**
 * @typedef {object} Allowed
 * @property {boolean} isOpen
 * @property {Map<number, Form>} forms
 */

/** @type {Allowed} */
const ANYTHING = { isOpen: true, forms: new Map() }

const BARE = { rules: [], as: null, shape: null, list: null }

/** @param {Iterable<number>} types @param {Partial<Form>} [form] @param {boolean} [isOpen] @returns {Allowed} */
function formsOf(types, form = {}, isOpen = false) {
  const forms = new Map()
  for (const type of types) forms.set(type, { ...BARE, type, ...form })
  return { isOpen, forms }
}

/**
 * What both allow, in the order of the first that names types.
 *
 * @param {Allowed} a
 * @param {Allowed} b
 * @param {string} pointer
 * @returns {Allowed}
 */
function intersect(a, b, pointer) {
  const forms = new Map()
  const [first, second] = a.isOpen ? [b, a] : [a, b]
  for (const [type, form] of first.forms) {
    const other = second.forms.get(type)
    if (other !== undefined) forms.set(type, mergeForms(form, other, pointer))
    else if (second.isOpen) forms.set(type, form)
  }
  if (first.isOpen) for (const [type, form] of second.forms) if (!first.forms.has(type)) forms.set(type, form)
  return { isOpen: first.isOpen && second.isOpen, forms }
}

function mergeForms(a, b, pointer) {
  const isTwice = (a.shape && b.shape) || (a.list && b.list) || (a.as && b.as)
  if (isTwice) throw fault(pointer, `${NAME_BY_TYPE.get(a.type)} is described in two places`)
  return {
    type: a.type,
    rules: [...a.rules, ...b.rules],
    as: a.as ?? b.as,
    shape: a.shape ?? b.shape,
    list: a.list ?? b.list
  }
}

function withAs({ isOpen, forms }, as, pointer) {
  const own = new Map(forms)
  const types = [...forms.keys()].filter(type => FORMS_OF_VALUES.get(type)?.includes(as))
  if (types.length === 0) throw fault(pointer, `no type that is allowed here is given back as ${show(as)}`)
  for (const type of types) {
    if (forms.get(type).as !== null) throw fault(pointer, `${NAME_BY_TYPE.get(type)} has two forms to be given back in`)
    own.set(type, { ...forms.get(type), as })
  }
  return { isOpen, forms: own }
}

/** @param {Allowed[]} parts @param {string} pointer @returns {Map<number, Form>} */
function unite(parts, pointer) {
  const forms = new Map()
  parts.forEach((part, i) => {
    if (part.isOpen) throw fault(`${pointer}/${i}`, 'an alternative that allows every type cannot be told from the others')
    for (const [type, form] of part.forms) {
      if (forms.has(type)) throw fault(`${pointer}/${i}`, `another alternative allows ${NAME_BY_TYPE.get(type)} too`)
      forms.set(type, form)
    }
  })
  return forms
}

module.exports = { NAME_BY_TYPE, BARE, ANYTHING, formsOf, intersect, unite, withAs, fault }
