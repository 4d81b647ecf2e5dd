'use strict'

// Parses a $jsonSchema into what is allowed at each place, by element type. The dialect is MongoDB's: JSON Schema draft
// 4 with `bsonType`, https://www.mongodb.com/docs/manual/reference/operator/query/jsonSchema/. Anything unsupported is
// an error that names the place as a JSON pointer (RFC 6901). Only annotations such as titles and descriptions are
// ignored.

const { ELEMENT } = require('../spec')
const { describePlace } = require('../errors')
const { meant } = require('../options')
const { ownFields } = require('../properties')
const { BARE, ANYTHING, intersect, withAs, schemaError } = require('./allowed')
const { rulesOfParts } = require('./rules')
const { ANNOTATIONS, KEYWORDS, PARTS, newShape, checkIsObject, escape } = require('./keywords')

/** A schema with more places than this is refused. A part repeated under different names counts each time. */
const MAX_PLACES = 20_000

/** Maximum levels of a schema. A tree is described by a `$ref`, not by depth. */
const MAX_LEVELS = 100

/**
 * What a place allows. If it is open, types without a rule are allowed too.
 *
 * @typedef {object} Node
 * @property {number} id its number in the schema, in reading order; -1 if nothing is written by it
 * @property {number} number its number among all nodes, including those with the id -1
 * @property {boolean} isOpen
 * @property {Map<number, TypeRule>} typeRules by element type, in the schema's order
 * @property {import('./rules').Rule[]} rules for values of any type
 * @property {Shape | null} shape for documents; null if nothing names or restricts their fields
 * @property {List | null} list for arrays; null if nothing restricts them
 * @property {boolean} isAny whether nothing restricts it, even if fields are named
 * @property {number} plain the allowed types whose contents are not described, as bits
 * @property {boolean} isFlat whether neither documents nor arrays are described, and no number becomes another type
 * @property {number} ruled the types that have rules, as bits; all bits if a rule applies to values of any type
 * @property {boolean} isRuled whether any type has rules
 * @property {boolean} isPositional whether documents here can be positional
 * @property {boolean} hasNestedParts whether rules consist of schemas whose rules do, too
 * @property {Bounds | null} bounds the rules as bounds, if bounds can express all of them
 * @property {boolean} isCountOnly whether only the number of items of arrays is restricted
 *
 * @typedef {object} Bounds
 * @property {number} least
 * @property {number} most
 * @property {number} shortest in characters
 * @property {number} longest
 * @property {Set<string> | null} texts
 *
 * @typedef {object} TypeRule
 * @property {number} type element type
 * @property {import('./rules').Rule[]} rules
 * @property {string | null} as the result type of a value
 * @property {Shape | null} shape for documents
 * @property {List | null} list for arrays
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {Node} node
 * @property {boolean} isRequired
 * @property {number} index
 * @property {number[]} bytes of the name and its 0x00
 * @property {string | undefined} label the index of its value, in a document without names: see compile/positional.js
 * @property {Uint8Array} utf8 the name
 *
 * @typedef {object} Shape
 * @property {number} id its number in the schema
 * @property {string} pointer
 * @property {Field[]} fields
 * @property {Map<string, Field>} byName
 * @property {string} title the name of the type
 * @property {boolean | Node} additional what additional fields may hold
 * @property {{pattern: import('./rules').Pattern, node: Node}[]} patterns what fields with matching names may hold
 * @property {{name: string, names: string[], node: Node | null}[]} dependencies what a document with a given field also
 *   needs
 * @property {number} least minimum number of fields
 * @property {number} most maximum number of fields
 * @property {boolean} isRuled whether there are rules about the fields as a whole
 * @property {number} required number of required fields
 * @property {number} bits the bits of the names of all fields
 * @property {boolean} isPositional whether its documents are written as arrays, without names
 * @property {boolean} isRoot whether it is the root's, if that is positional
 *
 * @typedef {object} List
 * @property {number} id its number in the schema
 * @property {Node[]} prefix
 * @property {boolean | Node} items what the items after the prefix may hold
 * @property {number} least minimum number of items
 * @property {number} most maximum number of items
 * @property {boolean} isUnique
 * @property {boolean} isRuled whether there are rules about the items as a whole
 *
 * @typedef {object} Schema
 * @property {Node} root
 * @property {Shape} shape of the root document
 * @property {Node[]} nodes
 * @property {Shape[]} shapes
 * @property {List[]} lists
 * @property {boolean} hasParts whether rules contain schemas that a value must match as well
 */

/**
 * A place in the schema.
 *
 * @typedef {object} Place
 * @property {any} source the object at the place
 * @property {any} schema its own fields: a property of Object.prototype is not a keyword
 * @property {string} pointer
 * @property {Place | null} parent
 * @property {number} level
 */

/** Reads one schema. */
class Parser {
  /** @param {any} document @param {(pattern: string) => import('./rules').Pattern} patternOf */
  constructor(document, patternOf) {
    this.document = document
    this.patternOf = patternOf
    /** @type {Node[]} */
    this.nodes = []
    /** @type {Shape[]} */
    this.shapes = []
    /** @type {List[]} */
    this.lists = []
    this.numbers = 0
    this.hasParts = false
    /** @type {Map<object, Node>} the targets of `$ref`, read once so that a schema may refer to itself */
    this.targets = new Map()
    /** @type {Map<Node, Place>} nodes that have not been read yet */
    this.waiting = new Map()
    /** @type {Set<Node>} nodes that are being read */
    this.open = new Set()
  }

  /** @returns {Node} the node of the root document */
  parse() {
    const root = this.nodeAt(this.placeOf(this.document, '#', null))
    for (const node of this.waiting.keys()) this.fill(node)
    return root
  }

  placeOf(source, pointer, parent) {
    checkIsObject(source, pointer)
    const level = parent === null ? 1 : parent.level + 1
    for (let at = parent; at !== null; at = at.parent) {
      if (at.source === source) throw schemaError(pointer, 'the schema contains itself: use $ref')
    }
    if (level > MAX_LEVELS) throw schemaError(pointer, `the schema is nested deeper than ${MAX_LEVELS} levels`)
    return { source, schema: ownFields(source), pointer, parent, level }
  }

  /** A node for a place below, which is read later. */
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
    if (this.nodes.length >= MAX_PLACES) throw schemaError(place.pointer, `the schema has more than ${MAX_PLACES} places`)
    const number = this.numbers++
    const node = newNode(this.nodes.length, number)
    this.nodes.push(node)
    this.waiting.set(node, place)
    return node
  }

  /** The node of an additional schema that values must match. */
  part(allowed) {
    this.hasParts = true
    return Object.hasOwn(allowed, 'id') ? /** @type {Node} */ (allowed) : {
      ...newNode(-1, this.numbers++), ...allowed, hasNestedParts: hasNestedParts(allowed)
    }
  }

  /** What both allow. */
  both(a, b, pointer) {
    const allOf = typeRule => rulesOfParts('allOf', [this.part({ ...ANYTHING, typeRules: new Map([[typeRule.type, typeRule]]) })])
    return intersect(a, b, allOf, pointer)
  }

  /** @returns {Node} the same node, read */
  fill(node) {
    const place = this.waiting.get(node)
    if (place === undefined) return node
    if (this.open.has(node)) throw schemaError(place.pointer, '$ref leads back to itself')
    this.open.add(node)
    const { isOpen, typeRules, rules } = this.read(place)
    node.isOpen = isOpen
    node.typeRules = new Map(typeRules) // a copy, because the root's map gets a shape later
    node.rules = rules
    this.open.delete(node)
    this.waiting.delete(node)
    return node
  }

  /** What a schema allows, taking all its keywords together. */
  read(place) {
    const { schema, pointer } = place
    for (const keyword of Object.keys(schema)) {
      if (!KEYWORDS.has(keyword)) throw schemaError(`${pointer}/${escape(keyword)}`, `the keyword ${keyword} is not supported${meant(keyword, [...KEYWORDS])}`)
    }
    let allowed = ANYTHING
    for (const part of PARTS) {
      const own = part(this, place)
      if (own !== null) allowed = this.both(allowed, own, pointer)
    }
    if (schema.as !== undefined) allowed = withAs(allowed, schema.as, `${pointer}/as`)
    if (!allowed.isOpen && allowed.typeRules.size === 0) throw schemaError(pointer, 'no type is allowed here')
    return allowed
  }

  /** A schema inside anyOf, oneOf or allOf. It has no place of its own unless it is referred to. */
  readPart(parent, schema, pointer) {
    const place = this.placeOf(schema, pointer, parent)
    return Object.hasOwn(place.schema, '$ref') ? this.fill(this.target(this.resolve(place))) : this.read(place)
  }

  /** The target of a chain of `$ref`. */
  resolve({ source: schema, pointer }) {
    const seen = new Set()
    while (Object.hasOwn(schema, '$ref')) {
      if (seen.has(schema)) throw schemaError(pointer, '$ref leads back to itself')
      seen.add(schema)
      const other = Object.keys(schema).find(key => key !== '$ref' && !ANNOTATIONS.has(key))
      if (other !== undefined) throw schemaError(`${pointer}/${escape(other)}`, `${other} beside $ref is not supported`)
      const ref = schema.$ref
      schema = this.find(ref, `${pointer}/$ref`)
      pointer = ref
    }
    return this.placeOf(schema, pointer, null)
  }

  find(ref, pointer) {
    if (typeof ref !== 'string' || !/^#(\/|$)/.test(ref)) throw schemaError(pointer, 'only $ref to #/... is supported')
    let at = this.document
    for (const part of ref.split('/').slice(1)) {
      const key = unescape(part, pointer)
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) throw schemaError(pointer, `${ref} does not exist`)
      at = at[key]
    }
    checkIsObject(at, ref)
    return at
  }
}

/** @returns {Node} that allows anything so far */
function newNode(id, number) {
  const typeRules = new Map()
  return {
    id, number, isOpen: true, typeRules, rules: [], shape: null, list: null,
    isAny: false, plain: 0, isFlat: true, ruled: 0, isRuled: false, bounds: null,
    isCountOnly: false, isPositional: false, hasNestedParts: false
  }
}

/** Whether documents at a place can be distinguished from everything else, and checked, without their names. */
function hasPlaces({ isOpen, typeRules, rules }) {
  const typeRule = typeRules.get(ELEMENT.DOCUMENT)
  const isNamed = isOpen || typeRules.has(ELEMENT.ARRAY) || rules.length > 0
  if (isNamed || typeRule === undefined || typeRule.shape === null || typeRule.rules.length > 0) return false
  return typeRule.shape.fields.length > 0 && typeRule.shape.dependencies.every(({ node }) => node === null)
}

/** Types whose bit belongs to one type only, which excludes MinKey and MaxKey. */
const TYPES = Object.values(ELEMENT).filter(type => type < 31)

/** The types that `encode` writes numbers as. */
const BOTH = (1 << ELEMENT.INT32) | (1 << ELEMENT.DOUBLE)

const NUMBER_BITS = BOTH | (1 << ELEMENT.INT64) | (1 << ELEMENT.DECIMAL128)

/** Whether nothing restricts a place; false if it is not summed up yet, as in recursion. @param {Node | boolean} at */
const isAny = at => (typeof at === 'boolean' ? at : at.isAny)

/** Whether fields may be named, but nothing restricts them. @param {Shape} shape */
function isAnyShape({ isRuled, additional, fields }) {
  return !isRuled && isAny(additional) && fields.every(({ isRequired, node }) => !isRequired && isAny(node))
}

function isAnyList({ isRuled, prefix, items }) {
  return !isRuled && isAny(items) && prefix.every(isAny)
}

/** Summarises the checks of a node that apply to every value. @param {Node} node */
function sumUp(node) {
  const { typeRules, isOpen, rules } = node
  const { shape } = typeRules.get(ELEMENT.DOCUMENT) ?? BARE
  const { list } = typeRules.get(ELEMENT.ARRAY) ?? BARE
  const isAnyDocument = shape === null || isAnyShape(shape)
  node.shape = isAnyDocument && (shape === null || shape.fields.length === 0) ? null : shape
  node.list = list === null || isAnyList(list) ? null : list
  const described = [node.shape === null ? 0 : ELEMENT.DOCUMENT, node.list === null ? 0 : ELEMENT.ARRAY]
  const isPlain = type => (isOpen || typeRules.has(type)) && !described.includes(type)
  node.plain = TYPES.filter(isPlain).reduce((bits, type) => bits | (1 << type), 0)
  const hasBoth = (node.plain & BOTH) === BOTH
  node.isFlat = node.shape === null && node.list === null && (hasBoth || (node.plain & NUMBER_BITS) === 0)
  for (const [type, { rules: own, shape, list }] of typeRules) {
    if (own.length > 0 || shape?.isRuled || list?.isRuled) node.ruled |= 1 << type
  }
  if (rules.length > 0) node.ruled = -1
  node.isRuled = node.ruled !== 0
  node.isAny = isOpen && !node.isRuled && isAnyDocument && node.list === null
  node.bounds = boundsOf(node)
  node.isCountOnly = node.list !== null && !list.isUnique && rules.length === 0 &&
    typeRules.get(ELEMENT.ARRAY).rules.length === 0
  node.isPositional = hasPlaces(node)
  node.hasNestedParts = hasNestedParts(node)
}

/** Whether rules consist of schemas whose rules do, too: only then can one be asked many times about a value. */
function hasNestedParts(node) {
  return partsOf(node).some(part => partsOf(part).length > 0)
}

function partsOf({ rules, typeRules }) {
  return [{ rules }, ...typeRules.values()].flatMap(each => each.rules.flatMap(rule => rule.hasParts ? rule.value : []))
}

function boundsOf({ rules, typeRules }) {
  const bounds = { least: -Infinity, most: Infinity, shortest: 0, longest: Infinity, texts: null }
  if (rules.length > 0) return null
  const all = [...typeRules.values()].flatMap(typeRule => typeRule.rules)
  for (const { keyword, value, isExclusive } of all) {
    if (keyword === 'minimum' && !isExclusive && typeof value === 'number') bounds.least = Math.max(bounds.least, value)
    else if (keyword === 'maximum' && !isExclusive && typeof value === 'number') bounds.most = Math.min(bounds.most, value)
    else if (keyword === 'minLength') bounds.shortest = Math.max(bounds.shortest, value)
    else if (keyword === 'maxLength') bounds.longest = Math.min(bounds.longest, value)
    else if (keyword === 'enum' && bounds.texts === null && value.every(one => typeof one === 'string')) {
      bounds.texts = new Set(value)
    } else return null
  }
  return bounds
}

function unescape(part, pointer) {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw schemaError(pointer, `${part} is not part of a JSON pointer`)
  }
}

/** The schema inside a collection's validator. @param {any} given @returns {any} */
function unwrap(given) {
  return ownFields(given).$jsonSchema ?? given
}

function parsed(parser) {
  try {
    return parser.parse()
  } catch (error) {
    throw describePlace(error) // its stack begins here, not in the depth of the schema
  }
}

/**
 * @param {any} schema a $jsonSchema; `{ $jsonSchema: ... }` as in a collection's validator also works
 * @param {(pattern: string) => import('./rules').Pattern} [patternOf] how patterns are read; as those of JavaScript
 * @returns {Schema}
 * @throws {BSONError} that names the place, if the schema is invalid, unsupported, too large or circular
 */
function parseSchema(schema, patternOf = pattern => new RegExp(pattern, 'u')) {
  const parser = new Parser(unwrap(schema), patternOf)
  const root = parsed(parser)
  if (!root.isOpen && !root.typeRules.has(ELEMENT.DOCUMENT)) throw schemaError('#', 'the schema of a document must allow objects')
  const typeRule = root.typeRules.get(ELEMENT.DOCUMENT) ?? { ...BARE, type: ELEMENT.DOCUMENT }
  const shape = typeRule.shape ?? newShape(parser, '#')
  root.typeRules.set(ELEMENT.DOCUMENT, { ...typeRule, shape })
  const { nodes, shapes, lists, hasParts } = parser
  for (const node of nodes.toReversed()) sumUp(node)
  root.shape = shape
  for (const one of shapes) one.required = one.fields.filter(({ isRequired }) => isRequired).length
  return { root, shape, nodes, shapes, lists, hasParts }
}

module.exports = { newNode, parseSchema, unwrap }
