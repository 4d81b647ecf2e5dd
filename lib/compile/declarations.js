'use strict'

// Writes the TypeScript declarations of a module generated ahead of time.

const { ELEMENT } = require('../spec')
const { TYPES, keyOf, literal, textOf } = require('../codegen')
const { isDBRefKey } = require('../types')

const INT64S = { bigint: 'bigint', long: 'Long', number: 'number | Long' }

const CLASSES = [
  'ObjectId', 'Long', 'Int32', 'Double', 'Decimal128', 'Binary', 'Timestamp', 'BSONRegExp', 'BSONSymbol', 'Code', 'MinKey', 'MaxKey', 'DBRef'
]

/** @returns {string} the text of a `.d.ts` */
function declarationsOf(schema, plan) {
  const writer = new TypeWriter(plan)
  const root = writer.document(schema.shape, '')
  const body = writer.lines
  const used = CLASSES.filter(name => writer.classes.has(name))
  return textOf([
    '// Written by `qbson compile`. Change the schema, not this.',
    '',
    ...(used.length > 0 ? [`import type { ${used.join(', ')} } from 'qbson'`] : []),
    "import type { Codec } from 'qbson/compile'",
    '',
    ...body,
    ...['encode', 'encodeInto', 'sizeOf', 'decode', 'validate'].map(name => `export const ${name}: Codec<${root}>['${name}']`)
  ]) + '\n'
}

/** Names that have another meaning in a declaration. */
const TAKEN = new Set([...CLASSES, 'Date', 'RegExp', 'Uint8Array', 'Array', 'Record', 'Codec'])

/** The name of an interface: the title, or the field, as one word. @param {string} title @param {Set<string>} others */
function nameFor(title, others) {
  const words = title.replace(/^[^a-z]+/i, '').match(/[a-z\d]+/gi) ?? []
  const word = words.map(word => word[0].toUpperCase() + word.slice(1)).join('')
  const base = word === '' || TAKEN.has(word) ? `${word}Document` : word
  for (let i = 0; ; i++) {
    const name = i === 0 ? base : `${base}${i}`
    if (!others.has(name)) return name
  }
}

class TypeWriter {
  constructor(plan) {
    this.plan = plan
    this.lines = []
    this.seen = new Map()
    /** Lists that are being written. */
    this.open = new Set()
    /** @type {Set<string>} classes of this package that are used */
    this.classes = new Set()
  }

  /**
   * As Infer: documents with $ref and $id are decoded as a DBRef.
   *
   * @param {import('../schema/schema').Shape} shape
   * @param {string} field where it is
   */
  document(shape, field) {
    const { fields, byName } = shape
    const name = this.shape(shape, field)
    const hasOther = fields.some(field => field.isRequired && field.name[0] === '$' && !isDBRefKey(field.name))
    return byName.has('$ref') && byName.has('$id') && !hasOther ? this.named(`${name} | DBRef`) : name
  }

  /** @param {import('../schema/schema').Shape} shape @param {string} field @returns {string} its interface */
  shape(shape, field) {
    const known = this.seen.get(shape)
    if (known !== undefined) return known
    const name = nameFor(shape.title || field, new Set(this.seen.values()))
    this.seen.set(shape, name)
    const fields = shape.fields.map(({ name: key, node, isRequired }) => {
      return `${keyOf(key)}${isRequired ? '' : '?'}: ${this.node(node, key)}`
    })
    const others = shape.additional === false && shape.patterns.length === 0 ? [] : [`[key: string]: ${this.indexType(shape)}`]
    this.lines.push(`export interface ${name} {`, [...fields, ...others], '}', '')
    return name
  }

  /** An index signature must also allow the types of the named fields. */
  indexType({ additional, fields, patterns }) {
    return typeof additional === 'boolean' || fields.length > 0 || patterns.length > 0 ? 'any' : this.node(additional, '')
  }

  /** @param {import('../schema/schema').Node} node @param {string} field @returns {string} */
  node(node, field) {
    if (node.isOpen) return 'any'
    const types = [...node.typeRules.values()].map(typeRule => this.typeRule(typeRule, field))
    return [...new Set(types.includes(INT64S.number) ? types.filter(type => type !== 'number') : types)].join(' | ')
  }

  typeRule(typeRule, field) {
    const { type, shape, list, rules, as } = typeRule
    if (type === ELEMENT.DOCUMENT) return shape === null ? 'Record<string, any>' : this.document(shape, field)
    if (type === ELEMENT.ARRAY) return this.list(list, field)
    const values = rules.find(({ keyword }) => keyword === 'enum')?.value
    const isLiteral = type === ELEMENT.STRING && values !== undefined
    if (isLiteral) return values.filter(value => typeof value === 'string').map(literal).join(' | ')
    if (type === ELEMENT.INT64) return this.named(INT64S[as ?? this.plan.int64])
    if (type === ELEMENT.BINARY) return this.named((as ?? this.plan.binary) === 'buffer' ? 'Uint8Array' : 'Binary')
    if (type === ELEMENT.REGEX && this.plan.plansAs.get(null).bsonRegExp) return this.named('BSONRegExp')
    const { typescript, boxed } = TYPES.get(type)
    return this.named(this.plan.promoteValues ? typescript : boxed ?? typescript)
  }

  /** Notes which classes a type uses. @param {string} type of one of the tables above */
  named(type) {
    for (const name of type.split(' | ')) if (CLASSES.includes(name)) this.classes.add(name)
    return type
  }

  list(list, field) {
    if (list === null || typeof list.items === 'boolean' || list.prefix.length > 0 || this.open.has(list)) return 'any[]'
    this.open.add(list)
    const items = this.node(list.items, field)
    this.open.delete(list)
    return `Array<${items}>`
  }
}

module.exports = { declarationsOf }
