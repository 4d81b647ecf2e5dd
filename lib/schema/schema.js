'use strict'

// A $jsonSchema -> what is allowed at each place, by element type. MongoDB's dialect: JSON Schema draft 4 with
// `bsonType`, https://www.mongodb.com/docs/manual/reference/operator/query/jsonSchema/. What is not supported is an error
// that names the place as a JSON pointer (RFC 6901); nothing is ignored but titles and descriptions.

const { ELEMENT } = require('../spec')
const { ownFields } = require('../properties')
const { NAME_BY_TYPE, BARE, ANYTHING, formsOf, intersect, unite, withAs, fault } = require('./allowed')
const rules = require('./rules')

/** A schema of more places than this is refused: what is written down twice under different names counts twice. */
const MAX_PLACES = 20_000

/** Levels of a schema. A tree is described by a `$ref`, not by depth. */
const MAX_LEVELS = 100

/** Keywords that say nothing about documents, and those that only hold schemas to refer to. */
const ANNOTATIONS = new Set(['title', 'description', '$comment', '$schema', 'default', 'examples', 'definitions', '$defs'])

/** @type {Map<string, number>} */
const TYPE_BY_NAME = new Map(Array.from(NAME_BY_TYPE, ([type, name]) => [name, type]))

/**
 * The names that JSON Schema itself has.
 *
 * @type {Map<string, number[]>}
 */
const JSON_TYPES = new Map(/** @type {[string, number[]][]} */ ([
  ['object', [ELEMENT.DOCUMENT]],
  ['array', [ELEMENT.ARRAY]],
  ['string', [ELEMENT.STRING]],
  ['boolean', [ELEMENT.BOOLEAN]],
  ['null', [ELEMENT.NULL]],
  ['number', rules.NUMBERS]
]))

/**
 * What a place allows. Types that have no form are allowed when it is open.
 *
 * @typedef {object} Node
 * @property {number} id its number in the schema, in the order of reading
 * @property {boolean} isOpen
 * @property {Map<number, Form>} forms by element type, in the schema's order
 * @property {boolean} isPositional whether a document here is written as an array of its values
 *
 * @typedef {object} Form
 * @property {number} type element type
 * @property {import('./rules').Rule[]} rules
 * @property {string | null} as how a value is given back
 * @property {Shape | null} shape of documents
 * @property {List | null} list of arrays
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {Node} node
 * @property {boolean} isRequired
 * @property {number} index
 *
 * @typedef {object} Shape
 * @property {number} id its number in the schema
 * @property {string} pointer
 * @property {Field[]} fields
 * @property {Map<string, Field>} byName
 * @property {boolean | Node} additional what other fields may hold
 * @property {number} least fields
 * @property {number} most fields
 *
 * @typedef {object} List
 * @property {number} id its number in the schema
 * @property {Node[]} prefix
 * @property {boolean | Node} items what the items after the prefix may hold
 * @property {number} least items
 * @property {number} most items
 *
 * @typedef {object} Schema
 * @property {Node} root
 * @property {Shape} shape of the whole document
 * @property {Node[]} nodes
 * @property {Shape[]} shapes
 * @property {List[]} lists
 */

/**
 * Where something stands in the schema.
 *
 * @typedef {object} Place
 * @property {any} source the object that stands there
 * @property {any} schema its own fields: what was put on the prototype of all objects is no keyword
 * @property {string} pointer
 * @property {Place | null} parent
 * @property {number} level
 */

/** Reads a schema; one is made for each. */
class Parser {
  constructor(document, isPositional) {
    this.document = document
    this.isPositional = isPositional
    /** @type {Node[]} */
    this.nodes = []
    /** @type {Shape[]} */
    this.shapes = []
    /** @type {List[]} */
    this.lists = []
    /** @type {Map<object, Node>} what `$ref` leads to: read once, so that a schema may refer to itself */
    this.targets = new Map()
    /** @type {Map<Node, Place>} nodes that have not been read yet */
    this.waiting = new Map()
    /** @type {Set<Node>} nodes that are being read */
    this.open = new Set()
  }

  /** @returns {Node} the node of the whole document */
  parse() {
    const root = this.nodeAt(this.placeOf(this.document, '#', null))
    for (const node of this.waiting.keys()) this.fill(node)
    return root
  }

  placeOf(source, pointer, parent) {
    checkIsObject(source, pointer)
    const level = parent === null ? 1 : parent.level + 1
    for (let at = parent; at !== null; at = at.parent) {
      if (at.source === source) throw fault(pointer, 'the schema contains itself; say $ref')
    }
    if (level > MAX_LEVELS) throw fault(pointer, `the schema is nested deeper than ${MAX_LEVELS} levels`)
    return { source, schema: ownFields(source), pointer, parent, level }
  }

  /** A node for a place below, to be read later. @returns {Node} */
  child(parent, schema, pointer) {
    return this.nodeAt(this.placeOf(schema, pointer, parent))
  }

  nodeAt(place) {
    if (Object.hasOwn(place.schema, '$ref')) return this.target(this.resolve(place))
    return place.source === this.document ? this.target(place) : this.newNode(place)
  }

  target(place) {
    const known = this.targets.get(place.source)
    if (known !== undefined) return known
    const node = this.newNode(place)
    this.targets.set(place.source, node)
    return node
  }

  newNode(place) {
    if (this.nodes.length >= MAX_PLACES) throw fault(place.pointer, `the schema has more than ${MAX_PLACES} places`)
    const node = { id: this.nodes.length, isOpen: true, forms: new Map(), isPositional: false }
    this.nodes.push(node)
    this.waiting.set(node, place)
    return node
  }

  /** @param {Node} node @returns {Node} the same, read */
  fill(node) {
    const place = this.waiting.get(node)
    if (place === undefined) return node
    if (this.open.has(node)) throw fault(place.pointer, '$ref leads back to itself')
    this.open.add(node)
    const { isOpen, forms } = this.read(place)
    node.isOpen = isOpen
    node.forms = new Map(forms) // of its own: the root's gets a shape below
    this.open.delete(node)
    this.waiting.delete(node)
    const shape = node.forms.get(ELEMENT.DOCUMENT)?.shape
    const hasFields = Boolean(shape) && shape.fields.length > 0
    node.isPositional = this.isPositional && hasFields && !node.isOpen && !node.forms.has(ELEMENT.ARRAY)
    return node
  }

  /** What a schema allows: what all of its keywords do. @param {Place} place @returns {import('./allowed').Allowed} */
  read(place) {
    const { schema, pointer } = place
    for (const keyword of Object.keys(schema)) {
      if (!KEYWORDS.has(keyword)) throw fault(`${pointer}/${escape(keyword)}`, `the keyword ${keyword} is not supported`)
    }
    let allowed = ANYTHING
    for (const part of PARTS) {
      const own = part(this, place)
      if (own !== null) allowed = intersect(allowed, own, pointer)
    }
    if (schema.as !== undefined) allowed = withAs(allowed, schema.as, `${pointer}/as`)
    if (!allowed.isOpen && allowed.forms.size === 0) throw fault(pointer, 'no type is allowed here')
    return allowed
  }

  /**
   * A schema inside anyOf, oneOf or allOf: no place of its own, unless it is referred to.
   *
   * @returns {import('./allowed').Allowed}
   */
  readPart(parent, schema, pointer) {
    const place = this.placeOf(schema, pointer, parent)
    return Object.hasOwn(place.schema, '$ref') ? this.fill(this.target(this.resolve(place))) : this.read(place)
  }

  /** Where a chain of `$ref` leads. @param {Place} place @returns {Place} */
  resolve({ source: schema, pointer }) {
    const seen = new Set()
    while (Object.hasOwn(schema, '$ref')) {
      if (seen.has(schema)) throw fault(pointer, '$ref leads back to itself')
      seen.add(schema)
      const other = Object.keys(schema).find(key => key !== '$ref' && !ANNOTATIONS.has(key))
      if (other !== undefined) throw fault(`${pointer}/${escape(other)}`, `${other} beside $ref is not supported`)
      const ref = schema.$ref
      schema = this.find(ref, `${pointer}/$ref`)
      pointer = ref
    }
    return this.placeOf(schema, pointer, null)
  }

  find(ref, pointer) {
    if (typeof ref !== 'string' || !/^#(\/|$)/.test(ref)) throw fault(pointer, 'only $ref to #/... is supported')
    let at = this.document
    for (const part of ref.split('/').slice(1)) {
      const key = unescape(part, pointer)
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) throw fault(pointer, `there is no ${ref}`)
      at = at[key]
    }
    checkIsObject(at, ref)
    return at
  }
}

/** The parts of a schema, in the order in which they are read: what each allows, or null when it is not there. */
const PARTS = [readTypes, readEnum, readNumbers, readText, readShape, readList, readAllOf, readAnyOf('anyOf'), readAnyOf('oneOf')]

const KEYWORDS = new Set([
  ...ANNOTATIONS,
  ...['bsonType', 'type', 'as', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'pattern'],
  ...['minLength', 'maxLength', 'properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  ...['items', 'additionalItems', 'minItems', 'maxItems', 'allOf', 'anyOf', 'oneOf']
])

function readTypes(parser, place) {
  const { schema, pointer } = place
  if (schema.bsonType !== undefined && schema.type !== undefined) throw fault(pointer, 'bsonType and type exclude each other')
  const keyword = schema.type === undefined ? 'bsonType' : 'type'
  if (schema[keyword] === undefined) return null
  const names = Array.isArray(schema[keyword]) ? schema[keyword] : [schema[keyword]]
  if (names.length === 0) throw fault(`${pointer}/${keyword}`, 'the list of types is empty')
  return formsOf(new Set(names.flatMap(name => typesNamed(name, keyword, `${pointer}/${keyword}`))))
}

function typesNamed(name, keyword, pointer) {
  const known = keyword === 'type' ? JSON_TYPES.get(name) : name === 'number' ? rules.NUMBERS : wrap(TYPE_BY_NAME.get(name))
  if (known === undefined) throw fault(pointer, `there is no type ${rules.show(name)}`)
  return known
}

/** @param {string} pointer @returns {(keyword: string) => import('./rules').Fault} for keywords that stand there */
function faultsAt(pointer) {
  return keyword => message => fault(`${pointer}/${keyword}`, message)
}

const wrap = type => (type === undefined ? undefined : [type])

function readEnum(parser, place) {
  const { schema, pointer } = place
  if (schema.enum === undefined) return null
  const { types, rule } = rules.readEnum(schema.enum, faultsAt(pointer)('enum'))
  return formsOf(types, { rules: [rule] })
}

function readNumbers(parser, place) {
  const { schema, pointer } = place
  const found = rules.readBounds(schema, faultsAt(pointer))
  return found.length === 0 ? null : formsOf(rules.NUMBERS, { rules: found }, true)
}

function readText(parser, place) {
  const { schema, pointer } = place
  const found = rules.readText(schema, faultsAt(pointer))
  return found.length === 0 ? null : formsOf([ELEMENT.STRING], { rules: found }, true)
}

const SHAPE_KEYWORDS = ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']

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
  shape.additional = readRest(parser, place, 'additionalProperties')
  for (const name of required) if (!shape.byName.has(name)) addUnnamed(parser, place, shape, name)
  return formsOf([ELEMENT.DOCUMENT], { shape }, true)
}

/** @param {Parser} parser @param {string} pointer @returns {Shape} */
function newShape(parser, pointer) {
  const shape = {
    id: parser.shapes.length, pointer, fields: [], byName: new Map(), additional: true, least: 0, most: Infinity
  }
  parser.shapes.push(shape)
  return shape
}

/** A field that is required and not described: it holds what other fields may. */
function addUnnamed(parser, place, shape, name) {
  const pointer = `${place.pointer}/required`
  if (shape.additional === false) throw fault(pointer, `${rules.show(name)} is required and not allowed`)
  const node = shape.additional === true ? parser.child(place, {}, pointer) : shape.additional
  addField(shape, name, node, true, pointer)
}

function addField(shape, name, node, isRequired, pointer) {
  if (name.includes('\0') || /\p{Surrogate}/u.test(name)) throw fault(pointer, `${rules.show(name)} cannot be the name of a field`)
  const field = { name, node, isRequired, index: shape.fields.length }
  shape.fields.push(field)
  shape.byName.set(name, field)
}

function readRequired(schema, pointer) {
  const { required: names = [] } = schema
  if (!Array.isArray(names) || !names.every(name => typeof name === 'string')) {
    throw fault(`${pointer}/required`, 'required must be a list of names')
  }
  return new Set(names)
}

/** additionalProperties, additionalItems */
function readRest(parser, place, keyword) {
  const value = place.schema[keyword]
  if (value === undefined || typeof value === 'boolean') return value ?? true
  return parser.child(place, value, `${place.pointer}/${keyword}`)
}

function sizes(schema, what, pointer) {
  const count = keyword => rules.readCount(schema, keyword, faultsAt(pointer))
  return { least: count(`min${what}`) ?? 0, most: count(`max${what}`) ?? Infinity }
}

const LIST_KEYWORDS = ['items', 'additionalItems', 'minItems', 'maxItems']

function readList(parser, place) {
  const { schema, pointer } = place
  if (LIST_KEYWORDS.every(keyword => schema[keyword] === undefined)) return null
  const isTuple = Array.isArray(schema.items)
  const list = { id: parser.lists.length, prefix: [], items: true, least: 0, most: Infinity }
  parser.lists.push(list)
  Object.assign(list, sizes(schema, 'Items', pointer))
  if (isTuple) list.prefix = schema.items.map((item, i) => parser.child(place, item, `${pointer}/items/${i}`))
  else if (schema.items !== undefined) list.items = parser.child(place, schema.items, `${pointer}/items`)
  if (schema.additionalItems !== undefined && !isTuple) {
    throw fault(`${pointer}/additionalItems`, 'additionalItems says nothing where items is not a list')
  }
  if (isTuple) list.items = readRest(parser, place, 'additionalItems')
  return formsOf([ELEMENT.ARRAY], { list }, true)
}

function schemasIn(schema, keyword, pointer) {
  const list = schema[keyword]
  if (!Array.isArray(list) || list.length === 0) throw fault(`${pointer}/${keyword}`, `${keyword} must be a list of schemas`)
  return list
}

function readAllOf(parser, place) {
  const { schema, pointer } = place
  if (schema.allOf === undefined) return null
  return schemasIn(schema, 'allOf', pointer)
    .map((part, i) => parser.readPart(place, part, `${pointer}/allOf/${i}`))
    .reduce((a, b) => intersect(a, b, `${pointer}/allOf`))
}

/** anyOf and oneOf, which are the same while each alternative has types of its own. */
function readAnyOf(keyword) {
  return (parser, place) => {
    if (place.schema[keyword] === undefined) return null
    const list = schemasIn(place.schema, keyword, place.pointer)
    const parts = list.map((part, i) => parser.readPart(place, part, `${place.pointer}/${keyword}/${i}`))
    if (parts.length === 1) return parts[0]
    return { isOpen: false, forms: unite(parts, `${place.pointer}/${keyword}`) }
  }
}

function checkIsObject(value, pointer) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fault(pointer, 'this must be an object')
}

const escape = key => key.replaceAll('~', '~0').replaceAll('/', '~1')

function unescape(part, pointer) {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw fault(pointer, `${part} is no part of a JSON pointer`)
  }
}

/** The schema in what a collection has as its validator. @param {any} given @returns {any} */
function unwrap(given) {
  return ownFields(given).$jsonSchema ?? given
}

/**
 * @param {any} schema a $jsonSchema; `{ $jsonSchema: ... }` as a collection's validator has it will do
 * @param {boolean} isPositional whether documents are written as arrays of their values
 * @returns {Schema}
 * @throws {BSONError} that names the place, on what is wrong, not supported, too large or circular
 */
function parseSchema(schema, isPositional) {
  const parser = new Parser(unwrap(schema), isPositional)
  const root = parser.parse()
  if (!root.isOpen && !root.forms.has(ELEMENT.DOCUMENT)) throw fault('#', 'a document must be an object')
  if (isPositional && !root.isPositional) {
    throw fault('#', "the layout 'array' needs properties, and bsonType: 'object' alone")
  }
  const form = root.forms.get(ELEMENT.DOCUMENT)
  const shape = form?.shape ?? newShape(parser, '#')
  root.forms.set(ELEMENT.DOCUMENT, form === undefined ? { ...BARE, type: ELEMENT.DOCUMENT, shape } : { ...form, shape })
  return { root, shape, nodes: parser.nodes, shapes: parser.shapes, lists: parser.lists }
}

module.exports = { parseSchema, unwrap }
