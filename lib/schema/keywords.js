'use strict'

// The keywords of $jsonSchema, and what each one allows.

const { shownKind } = require('../errors')
const { ELEMENT } = require('../spec')
const { utf8Bytes } = require('../bytes')
const { nameBit } = require('../elements')
const { isOther, meant } = require('../options')
const { NAME_BY_TYPE, ANYTHING, typeRulesOf, unite, typesOfAny, schemaError } = require('./allowed')
const { NUMBERS } = require('./numbers')
const rules = require('./rules')

/** Keywords that do not affect documents, including those that only hold schemas for references. */
const ANNOTATIONS = new Set(['title', 'description', '$comment', '$schema', 'default', 'examples', 'definitions', '$defs'])

/** The types by the names of BSON, and by those of JSON Schema itself. @type {Record<string, Map<string, number[]>>} */
const TYPES_BY_NAME = {
  bsonType: new Map(/** @type {any} */ (Array.from(NAME_BY_TYPE, ([type, name]) => [name, [type]])))
    .set('number', NUMBERS),
  type: new Map(/** @type {any} */ ([
    ['object', [ELEMENT.DOCUMENT]],
    ['array', [ELEMENT.ARRAY]],
    ['string', [ELEMENT.STRING]],
    ['boolean', [ELEMENT.BOOLEAN]],
    ['null', [ELEMENT.NULL]],
    ['number', NUMBERS]
  ]))
}

/** The parts of a schema, in the order in which they are read: what each allows, or null if it is absent. */
const PARTS = [
  readTypes, readEnum, readNumbers, readText, readShape, readList, readAllOf, readAnyOf('anyOf'), readAnyOf('oneOf'), readNot
]

const SHAPE_KEYWORDS = [
  'properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties', 'patternProperties', 'dependencies'
]

const LIST_KEYWORDS = ['items', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems']

const KEYWORDS = new Set([
  ...ANNOTATIONS, ...SHAPE_KEYWORDS, ...LIST_KEYWORDS, 'bsonType', 'type', 'as', 'enum', 'minimum', 'maximum',
  'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern', 'allOf', 'anyOf', 'oneOf', 'not'
])

function readTypes(parser, { schema, pointer }) {
  if (schema.bsonType !== undefined && schema.type !== undefined) throw schemaError(pointer, 'bsonType and type cannot be combined')
  const keyword = schema.type === undefined ? 'bsonType' : 'type'
  if (schema[keyword] === undefined) return null
  const names = Array.isArray(schema[keyword]) ? schema[keyword] : [schema[keyword]]
  if (names.length === 0) throw schemaError(`${pointer}/${keyword}`, 'the list of types is empty')
  return typeRulesOf(new Set(names.flatMap(name => {
    const types = TYPES_BY_NAME[keyword].get(name)
    if (types === undefined) throw schemaError(`${pointer}/${keyword}`, `unknown type ${rules.show(name)}${typeMeant(keyword, name)}`)
    return types
  })))
}

/** What an unknown name may mean, to be added to a message. @param {'type' | 'bsonType'} keyword @param {any} name */
function typeMeant(keyword, name) {
  const other = keyword === 'type' ? 'bsonType' : 'type'
  if (name === 'integer') return ' (for integers, bsonType is int or long)'
  if (TYPES_BY_NAME[other].has(name)) return ` (did you mean ${other}?)`
  return typeof name === 'string' ? meant(name, [...TYPES_BY_NAME[keyword].keys()]) : ''
}

/** @returns {(keyword: string) => import('./rules').Refusal} for keywords at that place */
function refusalsAt(pointer) {
  return keyword => message => schemaError(`${pointer}/${keyword}`, message)
}

function readEnum(parser, { schema, pointer }) {
  if (schema.enum === undefined) return null
  const { types, rule } = rules.readEnum(schema.enum, refusalsAt(pointer)('enum'))
  return typeRulesOf(types, { rules: [rule] })
}

function readNumbers(parser, { schema, pointer }) {
  const found = rules.readBounds(schema, refusalsAt(pointer))
  return found.length === 0 ? null : typeRulesOf(NUMBERS, { rules: found }, true)
}

function readText(parser, { schema, pointer }) {
  const found = rules.readText(schema, refusalsAt(pointer), parser.patternOf)
  return found.length === 0 ? null : typeRulesOf([ELEMENT.STRING], { rules: found }, true)
}

function readShape(parser, place) {
  const { schema, pointer } = place
  if (SHAPE_KEYWORDS.every(keyword => schema[keyword] === undefined)) return null
  const shape = newShape(parser, pointer)
  Object.assign(shape, sizes(schema, 'Properties', pointer))
  const properties = entriesOf(place, 'properties')
  const required = new Set(namesIn(schema.required === undefined ? [] : schema.required, `${pointer}/required`, 'required'))
  for (const [name, own, at] of properties) addField(shape, name, parser.child(place, own, at), required.has(name), at)
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
    dependencies: [], least: 0, most: Infinity, isRuled: false, required: 0, bits: 0, isPositional: false, isRoot: false
  }
  parser.shapes.push(shape)
  return shape
}

/** A field that is required but not described: it may hold what its pattern says, or what additional fields may. */
function addUnnamed(parser, place, shape, name) {
  const pointer = `${place.pointer}/required`
  const allowed = shape.patterns.find(({ pattern }) => pattern.test(name))?.node ?? shape.additional
  if (allowed === false) throw schemaError(pointer, `${rules.show(name)} is required but not allowed`)
  const node = allowed === true ? parser.child(place, {}, pointer) : allowed
  addField(shape, name, node, true, pointer)
}

function addField(shape, name, node, isRequired, pointer) {
  if (name.includes('\0') || /\p{Surrogate}/u.test(name)) throw schemaError(pointer, `${rules.show(name)} cannot be the name of a field`)
  const utf8 = utf8Bytes(name)
  const field = { name, node, isRequired, index: shape.fields.length, label: undefined, bytes: [], utf8 }
  shape.bits |= nameBit(utf8, utf8.length, utf8.length)
  shape.fields.push(field)
  shape.byName.set(name, field)
}

/** @returns {[name: string, value: any, pointer: string][]} what a keyword has by name */
function entriesOf({ schema, pointer }, keyword) {
  const { [keyword]: object = {} } = schema
  checkIsObject(object, `${pointer}/${keyword}`)
  return Object.keys(object).map(name => [name, object[name], `${pointer}/${keyword}/${escape(name)}`])
}

function readPatterns(parser, place) {
  return entriesOf(place, 'patternProperties').map(([source, own, pointer]) => {
    const pattern = rules.readPattern(source, message => schemaError(pointer, message), parser.patternOf)
    return { pattern, node: parser.part(parser.child(place, own, pointer)) }
  })
}

/** Names of fields, or a schema for the document. */
function readDependencies(parser, place) {
  return entriesOf(place, 'dependencies').map(([name, needed, pointer]) => {
    if (Array.isArray(needed)) return { name, names: namesIn(needed, pointer, name), node: null }
    return { name, names: [], node: parser.part(parser.fill(parser.child(place, needed, pointer))) }
  })
}

function namesIn(names, pointer, keyword) {
  const isList = Array.isArray(names) && Array.from(names).every(name => typeof name === 'string')
  if (!isList) throw schemaError(pointer, `${keyword} must be a list of names`)
  return names
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
  if (isTuple) list.prefix = Array.from(schema.items, (item, i) => parser.child(place, item, `${pointer}/items/${i}`))
  else if (schema.items !== undefined) list.items = parser.child(place, schema.items, `${pointer}/items`)
  if (schema.additionalItems !== undefined && !isTuple) {
    throw schemaError(`${pointer}/additionalItems`, 'additionalItems has no effect unless items is a list')
  }
  if (isTuple) list.items = readRest(parser, place, 'additionalItems')
  return typeRulesOf([ELEMENT.ARRAY], { list }, true)
}

/** What each schema in the list of a keyword allows. */
function readParts(parser, place, keyword) {
  const list = place.schema[keyword]
  const pointer = `${place.pointer}/${keyword}`
  if (!Array.isArray(list) || list.length === 0) throw schemaError(pointer, `${keyword} must be a list of schemas`)
  return Array.from(list, (part, i) => parser.readPart(place, part, `${pointer}/${i}`))
}

function readAllOf(parser, place) {
  if (place.schema.allOf === undefined) return null
  return readParts(parser, place, 'allOf').reduce((a, b) => parser.both(a, b, `${place.pointer}/allOf`))
}

/** anyOf and oneOf: they select a type if each alternative has its own types; otherwise they are a rule. */
function readAnyOf(keyword) {
  return (parser, place) => {
    if (place.schema[keyword] === undefined) return null
    const parts = readParts(parser, place, keyword)
    if (parts.length === 1) return parts[0]
    return unite(parts) ??
      withRule(typesOfAny(parts), rules.rulesOfParts(keyword, parts.map(part => parser.part(part))))
  }
}

function readNot(parser, place) {
  const { not } = place.schema
  if (not === undefined) return null
  return withRule(ANYTHING, rules.rulesOfParts('not', [parser.part(parser.readPart(place, not, `${place.pointer}/not`))]))
}

function withRule(allowed, rule) {
  return { ...allowed, rules: [...allowed.rules, rule] }
}

function checkIsObject(value, pointer) {
  if (typeof value === 'object' && value !== null && !isOther(value)) return
  throw schemaError(pointer, `must be an object, not ${shownKind(value)}`)
}

const escape = key => key.replaceAll('~', '~0').replaceAll('/', '~1')

module.exports = { ANNOTATIONS, KEYWORDS, PARTS, newShape, checkIsObject, escape }
