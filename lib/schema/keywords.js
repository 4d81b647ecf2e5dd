'use strict'

// The keywords of $jsonSchema, and what each one allows.

const { ELEMENT } = require('../spec')
const { utf8Bytes } = require('../bytes')
const { nameBit } = require('../elements')
const { isOther } = require('../options')
const { NAME_BY_TYPE, ANYTHING, typeRulesOf, unite, typesOfAny, schemaError } = require('./allowed')
const { NUMBERS } = require('./numbers')
const rules = require('./rules')

/** @typedef {import('./schema').Place} Place */
/** @typedef {import('./schema').Parser} Parser */
/** @typedef {import('./schema').Shape} Shape */
/** @typedef {import('./schema').Node} Node */

/** Keywords that do not affect documents, including those that only hold schemas for references. */
const ANNOTATIONS = new Set(['title', 'description', '$comment', '$schema', 'default', 'examples', 'definitions', '$defs'])

/** @type {Map<string, number>} */
const TYPE_BY_NAME = new Map(Array.from(NAME_BY_TYPE, ([type, name]) => [name, type]))

/**
 * The type names of JSON Schema itself.
 *
 * @type {Map<string, number[]>}
 */
const JSON_TYPES = new Map(/** @type {[string, number[]][]} */ ([
  ['object', [ELEMENT.DOCUMENT]],
  ['array', [ELEMENT.ARRAY]],
  ['string', [ELEMENT.STRING]],
  ['boolean', [ELEMENT.BOOLEAN]],
  ['null', [ELEMENT.NULL]],
  ['number', NUMBERS]
]))

/** The parts of a schema, in the order in which they are read: what each allows, or null if it is absent. */
const PARTS = [
  readTypes, readEnum, readNumbers, readText, readShape, readList, readAllOf, readAnyOf('anyOf'), readAnyOf('oneOf'), readNot
]

const KEYWORDS = new Set([
  ...ANNOTATIONS,
  ...['bsonType', 'type', 'as', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'pattern'],
  ...['minLength', 'maxLength', 'properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  ...['items', 'additionalItems', 'minItems', 'maxItems', 'allOf', 'anyOf', 'oneOf', 'multipleOf', 'uniqueItems'],
  ...['patternProperties', 'dependencies', 'not']
])

function readTypes(parser, place) {
  const { schema, pointer } = place
  if (schema.bsonType !== undefined && schema.type !== undefined) throw schemaError(pointer, 'bsonType and type cannot be combined')
  const keyword = schema.type === undefined ? 'bsonType' : 'type'
  if (schema[keyword] === undefined) return null
  const names = Array.isArray(schema[keyword]) ? schema[keyword] : [schema[keyword]]
  if (names.length === 0) throw schemaError(`${pointer}/${keyword}`, 'the list of types is empty')
  return typeRulesOf(new Set(names.flatMap(name => typesNamed(name, keyword, `${pointer}/${keyword}`))))
}

function typesNamed(name, keyword, pointer) {
  const known = keyword === 'type' ? JSON_TYPES.get(name) : name === 'number' ? NUMBERS : wrap(TYPE_BY_NAME.get(name))
  if (known === undefined) throw schemaError(pointer, `unknown type ${rules.show(name)}`)
  return known
}

/** @returns {(keyword: string) => import('./rules').Refusal} for keywords at that place */
function refusalsAt(pointer) {
  return keyword => message => schemaError(`${pointer}/${keyword}`, message)
}

const wrap = type => (type === undefined ? undefined : [type])

function readEnum(parser, place) {
  const { schema, pointer } = place
  if (schema.enum === undefined) return null
  const { types, rule } = rules.readEnum(schema.enum, refusalsAt(pointer)('enum'))
  return typeRulesOf(types, { rules: [rule] })
}

function readNumbers(parser, place) {
  const { schema, pointer } = place
  const found = rules.readBounds(schema, refusalsAt(pointer))
  return found.length === 0 ? null : typeRulesOf(NUMBERS, { rules: found }, true)
}

function readText(parser, place) {
  const { schema, pointer } = place
  const found = rules.readText(schema, refusalsAt(pointer))
  return found.length === 0 ? null : typeRulesOf([ELEMENT.STRING], { rules: found }, true)
}

const SHAPE_KEYWORDS = [
  'properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties', 'patternProperties', 'dependencies'
]

function readShape(parser, place) {
  const { schema, pointer } = place
  if (SHAPE_KEYWORDS.every(keyword => schema[keyword] === undefined)) return null
  const shape = newShape(parser, pointer)
  Object.assign(shape, sizes(schema, 'Properties', pointer))
  const { properties = {} } = schema
  checkIsObject(properties, `${pointer}/properties`)
  const required = readRequired(schema, pointer)
  for (const name of Object.keys(properties)) {
    const at = `${pointer}/properties/${escape(name)}`
    addField(shape, name, parser.child(place, properties[name], at), required.has(name), at)
  }
  shape.patterns = readPatterns(parser, place)
  shape.additional = readRest(parser, place, 'additionalProperties')
  shape.dependencies = readDependencies(parser, place)
  const { least, most, patterns, dependencies } = shape
  shape.isRuled = least > 0 || most < Infinity || patterns.length > 0 || dependencies.length > 0
  if (typeof schema.title === 'string') shape.title = schema.title
  for (const name of required) if (!shape.byName.has(name)) addUnnamed(parser, place, shape, name)
  return typeRulesOf([ELEMENT.DOCUMENT], { shape }, true)
}

function newShape(parser, pointer) {
  const shape = {
    id: parser.shapes.length, pointer, fields: [], byName: new Map(), title: '', additional: true, patterns: [],
    dependencies: [], least: 0, most: Infinity, isRuled: false, required: 0, bits: 0
  }
  parser.shapes.push(shape)
  return shape
}

/** A field that is required but not described: it may hold whatever additional fields may hold. */
function addUnnamed(parser, place, shape, name) {
  const pointer = `${place.pointer}/required`
  if (shape.additional === false) throw schemaError(pointer, `${rules.show(name)} is required but not allowed`)
  const node = shape.additional === true ? parser.child(place, {}, pointer) : shape.additional
  addField(shape, name, node, true, pointer)
}

function addField(shape, name, node, isRequired, pointer) {
  if (name.includes('\0') || /\p{Surrogate}/u.test(name)) throw schemaError(pointer, `${rules.show(name)} cannot be the name of a field`)
  const utf8 = utf8Bytes(name)
  const field = { name, node, isRequired, index: shape.fields.length, bytes: [], utf8 }
  shape.bits |= nameBit(utf8, utf8.length, utf8.length)
  shape.fields.push(field)
  shape.byName.set(name, field)
}

/** patternProperties */
function readPatterns(parser, place) {
  const { patternProperties = {} } = place.schema
  const at = `${place.pointer}/patternProperties`
  checkIsObject(patternProperties, at)
  return Object.keys(patternProperties).map(source => {
    const pointer = `${at}/${escape(source)}`
    const pattern = rules.toRegExp(source, message => schemaError(pointer, message))
    return { pattern, node: parser.child(place, patternProperties[source], pointer) }
  })
}

/** dependencies: names of fields, or a schema for the document. */
function readDependencies(parser, place) {
  const { dependencies = {} } = place.schema
  const at = `${place.pointer}/dependencies`
  checkIsObject(dependencies, at)
  return Object.keys(dependencies).map(name => {
    const pointer = `${at}/${escape(name)}`
    const needed = dependencies[name]
    if (Array.isArray(needed)) return { name, names: namesIn(needed, pointer, name), node: null }
    return { name, names: [], node: parser.part(parser.child(place, needed, pointer)) }
  })
}

function namesIn(names, pointer, keyword) {
  const isList = Array.isArray(names) && names.every(name => typeof name === 'string')
  if (!isList) throw schemaError(pointer, `${keyword} must be a list of names`)
  return names
}

function readRequired(schema, pointer) {
  return new Set(namesIn(schema.required === undefined ? [] : schema.required, `${pointer}/required`, 'required'))
}

/** additionalProperties, additionalItems */
function readRest(parser, place, keyword) {
  const value = place.schema[keyword]
  if (value === undefined || typeof value === 'boolean') return value ?? true
  return parser.child(place, value, `${place.pointer}/${keyword}`)
}

function sizes(schema, what, pointer) {
  const count = keyword => rules.readCount(schema, keyword, refusalsAt(pointer))
  return { least: count(`min${what}`) ?? 0, most: count(`max${what}`) ?? Infinity }
}

const LIST_KEYWORDS = ['items', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems']

function readList(parser, place) {
  const { schema, pointer } = place
  if (LIST_KEYWORDS.every(keyword => schema[keyword] === undefined)) return null
  const isTuple = Array.isArray(schema.items)
  const list = {
    id: parser.lists.length, prefix: [], items: true, least: 0, most: Infinity, isUnique: false, isRuled: false
  }
  parser.lists.push(list)
  Object.assign(list, sizes(schema, 'Items', pointer))
  const { uniqueItems = false } = schema
  if (typeof uniqueItems !== 'boolean') throw schemaError(`${pointer}/uniqueItems`, 'uniqueItems must be true or false')
  list.isUnique = uniqueItems
  list.isRuled = list.least > 0 || list.most < Infinity || uniqueItems
  if (isTuple) list.prefix = schema.items.map((item, i) => parser.child(place, item, `${pointer}/items/${i}`))
  else if (schema.items !== undefined) list.items = parser.child(place, schema.items, `${pointer}/items`)
  if (schema.additionalItems !== undefined && !isTuple) {
    throw schemaError(`${pointer}/additionalItems`, 'additionalItems has no effect unless items is a list')
  }
  if (isTuple) list.items = readRest(parser, place, 'additionalItems')
  return typeRulesOf([ELEMENT.ARRAY], { list }, true)
}

function schemasIn(schema, keyword, pointer) {
  const list = schema[keyword]
  if (!Array.isArray(list) || list.length === 0) throw schemaError(`${pointer}/${keyword}`, `${keyword} must be a list of schemas`)
  return list
}

function readAllOf(parser, place) {
  const { schema, pointer } = place
  if (schema.allOf === undefined) return null
  return schemasIn(schema, 'allOf', pointer)
    .map((part, i) => parser.readPart(place, part, `${pointer}/allOf/${i}`))
    .reduce((a, b) => parser.both(a, b, `${pointer}/allOf`))
}

/** anyOf and oneOf: they select a type if each alternative has its own types; otherwise they are a rule. */
function readAnyOf(keyword) {
  return (parser, place) => {
    if (place.schema[keyword] === undefined) return null
    const list = schemasIn(place.schema, keyword, place.pointer)
    const parts = list.map((part, i) => parser.readPart(place, part, `${place.pointer}/${keyword}/${i}`))
    if (parts.length === 1) return parts[0]
    return unite(parts) ??
      withRule(typesOfAny(parts), rules.rulesOfParts(keyword, parts.map(part => parser.part(part))))
  }
}

function readNot(parser, place) {
  const { schema, pointer } = place
  if (schema.not === undefined) return null
  const part = parser.part(parser.readPart(place, schema.not, `${pointer}/not`))
  return withRule(ANYTHING, rules.rulesOfParts('not', [part]))
}

function withRule(allowed, rule) {
  return { ...allowed, rules: [...allowed.rules, rule] }
}

function checkIsObject(value, pointer) {
  if (typeof value !== 'object' || value === null || isOther(value)) throw schemaError(pointer, 'must be an object')
}

const escape = key => key.replaceAll('~', '~0').replaceAll('/', '~1')

module.exports = { ANNOTATIONS, KEYWORDS, PARTS, newShape, checkIsObject, escape }
