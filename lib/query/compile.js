'use strict'

// A query in BSON to a predicate on the bytes of documents.

const { ELEMENT, MAX_DEPTH } = require('../spec')
const { BSONError, atKey } = require('../errors')
const { getUtf8 } = require('../bytes')
const { ElementCursor } = require('../elements')
const { planOf, decodeAt } = require('../decode')
const { parsePath } = require('../raw')
const { parseSchema, Checker } = require('../schema')
const { COMPARISONS, comparison, oneOf, matchesRegex, matchesPattern } = require('./comparisons')
const { itemsOf, isTrue, hasType, hasSize, hasRemainder, BIT_TESTS, hasBits } = require('./operators')
const { anyAt } = require('./path')
const { patternTest } = require('./pattern')

/**
 * @typedef {import('./order').Element} Element
 * @typedef {import('./path').Test} Test
 * @typedef {import('./path').Predicate} Predicate
 * @typedef {Element & {name: string}} NamedElement
 *
 * What a query asks of a field: that one of its values, or itself, passes a test; or a combination of conditions.
 *
 * @typedef {object} Condition
 * @property {Test | null} test
 * @property {boolean} isWhole whether an array counts only as itself, not by its items
 * @property {Condition | null} not
 * @property {Condition[] | null} all
 */

/** All fields are own ones: the prototype of all objects may hold anything. @type {Condition} */
const NOTHING = { test: null, isWhole: false, not: null, all: null }

/** The most levels of operators in each other, as on the server. */
const MAX_LEVELS = 100

/** @type {Record<string, string>} */
const UNSUPPORTED = {
  $expr: 'aggregation', $where: 'JavaScript', $text: 'text search', $near: 'geometry', $nearSphere: 'geometry',
  $geoWithin: 'geometry', $geoIntersects: 'geometry', $within: 'geometry', $sampleRate: 'chance'
}

/** @type {Record<string, (element: NamedElement, level: number) => Predicate | null>} null: nothing to test */
const TOP_LEVEL = {
  $and: (element, level) => all(eachElement(documentsOf(element), document => compileDocument(document, level))),
  $or: anyOf,
  $nor: (element, level) => not(anyOf(element, level)),
  $jsonSchema: matchesSchema,
  $comment: () => null
}

/**
 * @type {Record<string, (element: Element, level: number, siblings: Map<string, Element>) => Condition | null>} null:
 *   nothing to test
 */
const OPERATORS = {
  $eq: element => tests(comparison('$eq', element)),
  ...of(['$gt', '$gte', '$lt', '$lte'], (name, element) => tests(comparison(name, withoutRegex(name, element)))),
  ...of(Object.keys(BIT_TESTS), (name, element) => tests(hasBits(name, element))),
  $ne: element => opposite(tests(comparison('$eq', withoutRegex('$ne', element)))),
  $in: element => tests(oneOf(listOf('$in', element))),
  $nin: element => opposite(tests(oneOf(listOf('$nin', element)))),
  $exists: element => (isTrue(element) ? EXISTS : opposite(EXISTS)),
  $type: element => tests(hasType(element)),
  $size: element => testsWhole(hasSize(element)),
  $mod: element => tests(hasRemainder(element)),
  $regex: (element, level, siblings) => tests(regexOf(element, siblings.get('$options'))),
  $options: (element, level, siblings) => optionsOf(element, siblings),
  $not: (element, level) => opposite(negated(element, level)),
  $all: (element, level) => together(allOf(element, level)),
  $elemMatch: (element, level) => testsWhole(someItem(element, level))
}

/** @type {Condition} */
const EXISTS = testsWhole(type => type !== 0)

function tests(test) {
  return { ...NOTHING, test }
}

function testsWhole(test) {
  return { ...NOTHING, test, isWhole: true }
}

function opposite(condition) {
  return { ...NOTHING, not: condition }
}

function together(conditions) {
  return { ...NOTHING, all: conditions }
}

/** Operators of one kind. @param {string[]} names @param {(name: string, element: Element) => Condition} make */
function of(names, make) {
  return Object.fromEntries(names.map(name => [name, element => make(name, element)]))
}

/** The names of all operators. */
const NAMES = [...Object.keys(TOP_LEVEL), ...Object.keys(OPERATORS)]

/** Errors name the operator, and its path in the query. @returns {Predicate} */
function compileQuery(buf, start, end) {
  return compileDocument({ type: ELEMENT.DOCUMENT, buf, value: start, end: end + 1 }, 1)
}

function compileDocument(document, level) {
  if (level > MAX_LEVELS) throw new BSONError(`a query can have at most ${MAX_LEVELS} levels`)
  const parts = eachElement(elementsOf(document), element => {
    const { name } = element
    if (name[0] !== '$') return predicateOf(parsePath(name), conditionOf(element, level))
    if (!Object.hasOwn(TOP_LEVEL, name)) throw refusal(name, Object.hasOwn(OPERATORS, name) && 'it belongs to a field')
    return TOP_LEVEL[name](element, level + 1)
  })
  return all(parts.filter(part => part !== null))
}

/** @param {Element} document @returns {NamedElement[]} */
function elementsOf({ buf, value, end }) {
  const elements = []
  const cursor = new ElementCursor().open(buf, value, end - 1)
  while (cursor.next()) {
    const name = getUtf8(buf, cursor.pos + 1, cursor.nameEnd)
    elements.push({ name, type: cursor.type, buf, value: cursor.value, end: cursor.end })
  }
  return elements
}

/** Calls `make` with each element, and adds its name, or the index of an item, to the path of an error. */
function eachElement(elements, make) {
  return elements.map((element, index) => {
    try {
      return make(element)
    } catch (error) {
      throw atKey(error, /** @type {any} */ (element)?.name ?? index)
    }
  })
}

/** @param {string} name @param {string | false} [why] */
function refusal(name, why = false) {
  if (Object.hasOwn(UNSUPPORTED, name)) return new BSONError(`${name} is not supported: ${UNSUPPORTED[name]} needs a server`)
  return new BSONError(why === false ? `unknown operator ${name}` : `${name} is not possible here: ${why}`)
}

function all(parts) {
  if (parts.length === 1) return parts[0]
  return (buf, start, end) => {
    for (let i = 0; i < parts.length; i++) if (!parts[i](buf, start, end)) return false
    return true
  }
}

function not(predicate) {
  return (buf, start, end) => !predicate(buf, start, end)
}

function predicateOf(keys, condition) {
  if (condition.not !== null) return not(predicateOf(keys, condition.not))
  if (condition.all !== null) return all(condition.all.map(each => predicateOf(keys, each)))
  return anyAt(keys, condition.test, condition.isWhole)
}

/** @param {Condition} condition @returns {Test} of one value, as for the items of $elemMatch */
function testOf(condition) {
  if (condition.test !== null) return condition.test
  if (condition.not !== null) {
    const test = testOf(condition.not)
    return (type, buf, value, end) => !test(type, buf, value, end)
  }
  const tests = condition.all.map(testOf)
  return (type, buf, value, end) => tests.every(test => test(type, buf, value, end))
}

/** What a query asks of a field: a value to be equal to, or operators. @param {Element} element @returns {Condition} */
function conditionOf(element, level) {
  if (isOperators(element)) return operatorsOf(element, level + 1)
  return tests(element.type === ELEMENT.REGEX ? matchesRegex(element) : comparison('$eq', element))
}

/** Whether an element is a document of operators. A DBRef is not. @param {Element} element */
function isOperators({ type, buf, value, end }) {
  if (type !== ELEMENT.DOCUMENT || buf[value + 5] !== 0x24) return false
  const [{ name }] = elementsOf({ type, buf, value, end })
  return !['$ref', '$id', '$db'].includes(name)
}

function operatorsOf(document, level) {
  if (level > MAX_LEVELS) throw new BSONError(`a query can have at most ${MAX_LEVELS} levels`)
  const elements = elementsOf(document)
  const siblings = new Map(elements.map(element => [element.name, element]))
  const conditions = eachElement(elements, element => {
    const { name } = element
    if (Object.hasOwn(OPERATORS, name)) return OPERATORS[name](element, level, siblings)
    throw name[0] === '$' ? refusal(name, Object.hasOwn(TOP_LEVEL, name) && 'it belongs beside fields')
      : new BSONError(`a field beside operators: ${JSON.stringify(name)}`)
  }).filter(condition => condition !== null)
  return conditions.length === 1 ? conditions[0] : together(conditions)
}

function withoutRegex(operator, element) {
  if (element.type === ELEMENT.REGEX) throw new BSONError(`${operator} cannot take a regular expression`)
  return element
}

function listOf(operator, element) {
  const items = itemsOf(operator, element)
  if (items.some(isOperators)) throw new BSONError(`${operator} cannot hold operators`)
  return items
}

function regexOf(element, options) {
  const added = options === undefined ? '' : textOf(options)
  if (element.type === ELEMENT.STRING) return matchesPattern(textOf(element), added)
  if (element.type !== ELEMENT.REGEX) throw new BSONError('$regex must be text or a regular expression')
  if (added === '') return matchesRegex(element)
  const { buf, value, end } = element
  const [pattern, own] = getUtf8(buf, value, end).split('\0')
  if (own !== '') throw new BSONError('$regex and $options both have options')
  return matchesPattern(pattern, added)
}

/** @param {Element} element a string */
function textOf({ buf, value, end }) {
  return getUtf8(buf, value + 4, end - 1)
}

/** $regex reads the last one. @param {Element} element @param {Map<string, Element>} siblings */
function optionsOf({ type }, siblings) {
  if (type !== ELEMENT.STRING) throw new BSONError('$options must be text')
  if (!siblings.has('$regex')) throw new BSONError('$options needs $regex')
  return null
}

function negated(element, level) {
  if (element.type === ELEMENT.REGEX) return tests(matchesRegex(element))
  if (!isOperators(element)) throw new BSONError('$not needs operators or a regular expression')
  return operatorsOf(element, level + 1)
}

function allOf(element, level) {
  const items = itemsOf('$all', element)
  if (items.length === 0) return [tests(() => false)]
  const isMatch = item => isOperators(item) && elementsOf(item)[0].name === '$elemMatch'
  if (!items.some(isOperators)) return eachElement(items, item => conditionOf(item, level))
  if (!items.every(isMatch)) throw new BSONError('$all can hold values, or only $elemMatch')
  return eachElement(items, item => operatorsOf(item, level + 1))
}

/** @param {Element} element @returns {Test} whether an item of an array matches */
function someItem(element, level) {
  if (element.type !== ELEMENT.DOCUMENT) throw new BSONError('$elemMatch needs a document')
  const isOfValues = isOperators(element) && !Object.hasOwn(TOP_LEVEL, elementsOf(element)[0].name)
  if (isOfValues) return itemTest(testOf(operatorsOf(element, level + 1)))
  const matches = compileDocument(element, level + 1)
  return itemTest((type, buf, value, end) => {
    return (type === ELEMENT.DOCUMENT || type === ELEMENT.ARRAY) && matches(buf, value, end - 1)
  })
}

/** @param {Test} test @returns {Test} whether it is an array, and an item passes the test */
function itemTest(test) {
  const cursor = new ElementCursor()
  return (type, buf, value, end) => {
    if (type !== ELEMENT.ARRAY) return false
    let isFound = false
    cursor.open(buf, value, end - 1)
    while (!isFound && cursor.next()) isFound = test(cursor.type, buf, cursor.value, cursor.end)
    cursor.close()
    return isFound
  }
}

function documentsOf(element) {
  const documents = itemsOf(element.name, element)
  if (documents.length > 0 && documents.every(({ type }) => type === ELEMENT.DOCUMENT)) return documents
  throw new BSONError(`${element.name} needs documents in an array`)
}

/** Equalities of one field count as one list: thousands cost what one costs. @param {NamedElement} element */
function anyOf(element, level) {
  /** @type {Map<string, Element[]>} */
  const lists = new Map()
  const parts = []
  const listed = eachElement(documentsOf(element), document => {
    const { name, values } = equalitiesOf(document)
    if (values.length === 0) parts.push(compileDocument(document, level))
    else if (lists.has(name)) for (const value of values) lists.get(name).push(value)
    else lists.set(name, values)
    return values.length === 0 ? null : document
  })
  try {
    for (const [name, values] of lists) parts.push(anyAt(parsePath(name), oneOf(values), false))
  } catch (error) {
    eachElement(listed, document => document && compileDocument(document, level)) // throws it with its place
    throw error
  }
  return (buf, start, end) => {
    for (let i = 0; i < parts.length; i++) if (parts[i](buf, start, end)) return true
    return false
  }
}

/** The values that a query accepts for its one field, if that is all it says. @param {Element} document */
function equalitiesOf(document) {
  const elements = elementsOf(document)
  const [element] = elements
  if (elements.length !== 1 || element.name[0] === '$') return { name: '', values: [] }
  const { name } = element
  if (!isOperators(element)) return { name, values: [element] }
  const operators = elementsOf(element)
  const [{ name: operator, type }] = operators
  if (operators.length > 1 || (operator === '$eq' && type === ELEMENT.REGEX)) return { name, values: [] }
  if (operator === '$eq') return { name, values: operators }
  const items = operator === '$in' && type === ELEMENT.ARRAY ? itemsOf(operator, operators[0]) : []
  return { name, values: items.some(isOperators) ? [] : items }
}

function matchesSchema({ type, buf, value }) {
  if (type !== ELEMENT.DOCUMENT) throw new BSONError('$jsonSchema needs a document')
  const decoded = decodeAt(buf, value, true, planOf({ promoteValues: false, bsonRegExp: true }))
  const schema = parseSchema(decoded, pattern => ({ test: patternTest(pattern, '') }))
  const checker = new Checker(schema, buf, MAX_DEPTH, null)
  return (bytes, start, end) => checker.matchesAnother(schema.root, bytes, start, end + 1)
}

module.exports = { NAMES, COMPARISONS, compileQuery }
