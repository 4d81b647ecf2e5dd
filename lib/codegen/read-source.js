'use strict'

// The source of functions that read documents of a known type. Fields are read in the schema's order, the bytes of each
// name compared, then its type. A value of another type is read by `decode`. At an unexpected name, or at
// invalid bytes, the function bails out with what it has read, and the loop of `decode` continues from there:
// nothing is read twice.

const { ELEMENT } = require('../spec')
const { ROWS } = require('./types')
const {
  literal: quoted, keyOf, memberOf, bytesOf, placeOf, listed, comparisons, stringBytes, constantsOf, isCompilable,
  isPlainList, inlineRules, containerName
} = require('./source')

/**
 * Variables for the first items of an array: a literal of this many takes 3 ns, while an array that grows by `push`
 * takes 20 to start.
 */
const FIRST = ['a', 'b', 'c', 'd']

/** Bytes of the fingerprint that a positional root begins with: type, index, 0x00, int64. */
const FINGERPRINT = 11

/** Number of items of fixed length that are read one after another, without a loop. */
const FEW = 6

/** @typedef {import('./source').Lines} Lines */
/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Field} Field */

/** Reads numbers from a DataView. @type {import('./types').Loads} */
const BY_VIEW = {
  hasWords: true,
  int32: at => `view.getInt32(${at}, true)`,
  uint32: at => `view.getUint32(${at}, true)`,
  double: at => `view.getFloat64(${at}, true)`,
  int64: at => `view.getBigInt64(${at}, true)`
}

/** Reads numbers from bytes, where a DataView does not pay off. @returns {import('./types').Loads} */
function byBytes(use) {
  return {
    hasWords: false,
    int32: at => `${use('getInt32')}(buf, ${at})`,
    uint32: at => `${use('getUint32')}(buf, ${at})`,
    double: at => `${use('getDouble')}(buf, ${at})`,
    int64: at => `${use('getInt64')}(buf, ${at})`
  }
}

/** A list of numbers pays for a view of its own from this many bytes on: 1 ns per double instead of 4. */
const OWN_VIEW = 'const view = end - pos < 160 ? null : new DataView(buf.buffer, buf.byteOffset, buf.length)'

/** Reads numbers from that view, if there is one. @returns {import('./types').Loads} */
function byEither(use) {
  const { int32, double, ...others } = byBytes(use)
  return {
    ...others,
    int32: at => `(view === null ? ${int32(at)} : view.getInt32(${at}, true))`,
    double: at => `(view === null ? ${double(at)} : view.getFloat64(${at}, true))`
  }
}

class ReadSource {
  /**
   * @param {import('../compile/plan').Plan | null} plan null if it is an argument of the functions, instead of a view
   * @param {object} how
   * @param {boolean} how.isSmall whether a document is too small for a DataView
   * @param {boolean} how.hasCooldowns whether functions pause for documents that are mostly of another shape
   * @param {boolean} how.isPositional whether some documents are arrays of values without names
   */
  constructor(plan, { isSmall, hasCooldowns, isPositional }) {
    /** @type {Set<string>} names that the source needs */
    this.names = new Set()
    this.use = name => {
      this.names.add(name)
      return name
    }
    this.plan = plan
    this.isPositional = isPositional
    this.hasCooldowns = hasCooldowns
    this.parameters = `buf, ${plan === null ? 'plan' : 'view'}, pos, end, depth`
    this.load = isSmall ? byBytes(this.use) : BY_VIEW
    /** Values that are read by `decode`. */
    this.others = 0
    const text = (start, end) => plan === null || plan.utf8
      ? `${this.use('getText')}(buf, ${plan === null ? '' : 'view, '}${start}, ${end})`
      : `${this.use('getUtf8Lossy')}(buf, ${start}, ${end})`
    this.reading = { load: this.load, use: this.use, text, isBoxed: plan !== null && !plan.promoteValues }
  }

  /** A call of one of the functions that are generated, or of one that goes on from `pos`. */
  call(name, first, pos, end = 'end', depth = 'depth') {
    return `${name}(${first}buf, ${this.plan === null ? 'plan' : 'view'}, ${pos}, ${end}, ${depth})`
  }

  shape(shape) {
    const { fields, id, isRoot } = shape
    const name = `readDocument${id}`
    if (!isCompilable(shape)) return this.function(name, [`return ${this.call(this.use('readRemainder'), `${id}, null, `, 'pos')}`])
    return this.withCooldown(name, `${id}, null, `, 'readRemainder', [
      ...listed('let ', [`p = ${placeOf('pos', isRoot ? FINGERPRINT : 0)}`, 'n = 0', 'doc', ...fields.map(({ index }) => `v${index}`)], ''),
      'fields: {',
      [...fields.flatMap(field => this.field(field)), ...made(fields), `if (p === end) return doc`, `n = ${fields.length}`],
      '}',
      ...bailOuts(fields),
      ...this.counted(name),
      `return ${this.call(this.use('readRemainder'), `${id}, doc, `, 'p')}`
    ])
  }

  /** A function that pauses if documents mostly have another shape. @returns {Lines} */
  withCooldown(name, first, other, body) {
    if (!this.hasCooldowns) return this.function(name, body)
    return [
      `const cooldown${name} = ${this.use('cooldownOf')}(${quoted(name)})`,
      '',
      ...this.function(name, [
        `if (cooldown${name}.left > 0) {`,
        [`cooldown${name}.left--`, `return ${this.call(this.use(other), first, 'pos')}`],
        '}',
        `cooldown${name}.entries++`,
        ...body
      ])
    ]
  }

  counted(name) {
    return this.hasCooldowns ? [`cooldown${name}.count()`] : []
  }

  function(name, body) {
    const maxDepth = this.plan === null ? 'plan.maxDepth' : this.plan.maxDepth
    const depth = maxDepth === Infinity ? [] : [`if (depth > ${maxDepth}) ${this.use('tooDeep')}(${maxDepth}, pos)`]
    return [`function ${name}(${this.parameters}) {`, [...depth, ...body], '}', '']
  }

  /** Compares the name of a field, then its type. @returns {Lines} */
  field(field) {
    const { isRequired, label } = field
    const name = labelOf(field)
    const size = name.length + 2
    const isIt = `p + ${size} <= end && ${comparisons([0, ...name, 0], n => placeOf('p', n), true, '===', this.load).join(' && ')}`
    const value = this.byType(field, size)
    if (!isRequired && label === undefined) return [`if (${isIt}) {`, value, '}']
    const isMissing = `buf[p] === ${ELEMENT.UNDEFINED}`
    const missing = [`if (${isMissing}) {`, [`p += ${size}`], '} else {', value, '}']
    return [`if (!(${isIt})) ${bailOut(field)}`, ...(isRequired ? value : missing)]
  }

  /** The value of a field whose name has been compared. @returns {Lines} */
  byType(field, size) {
    const { node } = field
    const lines = inlineRules(node).flatMap((typeRule, i) => {
      const { least } = ROWS.get(typeRule.type)
      const test = `buf[p] === ${typeRule.type}${least === 0 ? '' : ` && p + ${size + least} <= end`}`
      return [`${i === 0 ? '' : '} else '}if (${test}) {`, this.alone(field, typeRule, size)]
    })
    const other = this.otherType(field)
    return lines.length === 0 ? other : [...lines, '} else {', other, '}']
  }

  /** A value of a type without source of its own. Leaves BSON undefined to `decode`: here it means missing. */
  otherType(field) {
    const { index, node } = field
    const isDescribed = this.isPositional && (node.shape !== null || node.list !== null)
    const types = [ELEMENT.UNDEFINED, ...(isDescribed ? [ELEMENT.DOCUMENT, ELEMENT.ARRAY] : [])]
    return [
      `if (${types.map(type => `buf[p] === ${type}`).join(' || ')}) ${bailOut(field)}`,
      `v${index} = ${this.call(this.use('readOther'), `${this.others++}, `, 'p')}`,
      `p = ${this.use('cursor')}.pos`
    ]
  }

  /** A value after a head of `size` bytes. At least `least` bytes of it exist. @returns {Lines} */
  alone(field, typeRule, size) {
    const row = ROWS.get(typeRule.type)
    const at = n => placeOf('p', size + n)
    return [
      ...(row.wrong && !row.end ? [`if (${row.wrong(at, '')}) ${bailOut(field)}`] : []),
      ...this.value(field.node, typeRule, { v: `v${field.index}`, at, wrong: bailOut(field) }),
      ...(row.end ? [] : [`p += ${size + row.size}`])
    ]
  }

  /** Sets `v` to the value at `at(0)`. Sets `p` to the offset after it if its length is not fixed. @returns {Lines} */
  value(node, typeRule, { v, at, wrong, reading = this.reading }) {
    const row = ROWS.get(typeRule.type)
    if (!row.end) return [`${v} = ${this.expression(node, typeRule, at, '', reading)}`]
    const e = `e${v}`
    return [
      `const ${e} = ${row.end(at, this.load)}`,
      `if (${row.wrong(at, e)}) ${wrong}`,
      ...this.constant(node, typeRule, v, at, e),
      `p = ${e}`
    ]
  }

  /** Sets `v`. If only a few strings are allowed, the bytes are compared with each, and no new string is created. */
  constant(node, typeRule, v, at, e) {
    const other = `${v} = ${this.expression(node, typeRule, at, e)}`
    const texts = constantsOf(typeRule)
    if (texts.length === 0) return [other]
    const cases = texts.flatMap((text, i) => [
      `${i === 0 ? '' : '} else '}if (${comparisons(stringBytes(text), at, false, '===', this.load).join(' && ')}) {`,
      [`${v} = ${quoted(text)}`]
    ])
    return [...cases, '} else {', [other], '}']
  }

  expression(node, typeRule, at, e, reading = this.reading) {
    const { value } = ROWS.get(typeRule.type)
    if (!value) return this.call(`read${containerName(typeRule)}`, '', at(4), `${e} - 1`, 'depth + 1')
    const as = this.plan === null ? 'plan' : typeRule.as ?? (typeRule.type === ELEMENT.INT64 ? this.plan.int64 : this.plan.binary)
    return value(at, e, reading, { as })
  }

  /** @param {import('../schema/schema').List} list @returns {Lines} */
  list(list) {
    const name = `readList${list.id}`
    const left = (items, p) => `return ${this.call(this.use('readRemainingItems'), `${list.id}, ${items}, `, p)}`
    if (!isPlainList(list)) return this.function(name, [left('[]', 'pos')])
    const node = /** @type {Node} */ (list.items)
    const hasOwnView = this.plan === null && areNumbers(node)
    const reading = hasOwnView ? { ...this.reading, load: byEither(this.use) } : this.reading
    const cases = inlineRules(node).flatMap((typeRule, i) => {
      const { least } = ROWS.get(typeRule.type)
      const test = `t === ${typeRule.type} && ${placeOf('q', least)} <= end`
      return [`${i === 0 ? '' : '} else '}if (${test}) {`, this.item(node, typeRule, reading)]
    })
    const { before, keep, result, items } = collecting(node)
    return this.withCooldown(name, `${list.id}, [], `, 'readRemainingItems', [
      ...this.few(node),
      ...(hasOwnView ? [OWN_VIEW] : []),
      `let p = pos, n = 0, v, ${before}`,
      'while (p < end) {',
      [`const q = ${this.use('itemAt')}(buf, p, n, end)`, 'const t = buf[p]', ...cases, '} else break', ...keep, 'n++'],
      '}',
      'if (p === end) {',
      result,
      '}',
      ...this.counted(name),
      left(items, 'p')
    ])
  }

  /** Reads a few items of one type of fixed length as a literal. */
  few(node) {
    const [typeRule] = inlineRules(node)
    const { size, wrong } = ROWS.get(typeRule.type)
    if (node.typeRules.size > 1 || wrong || !(size > 0)) return []
    const items = Array.from({ length: FEW }, (_, i) => {
      const at = k => placeOf('pos', i * (3 + size) + k)
      const names = Array.from({ length: i + 1 }, (_, k) => `v${k}`)
      const isOther = comparisons([typeRule.type, 0x30 + i, 0], at, false, '!==', this.load)
      return [
        `if (${at(3 + size)} > end || ${isOther.join(' || ')}) break few`,
        `const v${i} = ${this.expression(node, typeRule, k => at(3 + k), '')}`,
        `if (${at(3 + size)} === end) return [${names.join(', ')}]`
      ]
    })
    return ['few: {', items.flat(), '}']
  }

  /** An item at `q`. At least `least` bytes of it exist. @returns {Lines} */
  item(node, typeRule, reading) {
    const { size, end, wrong } = ROWS.get(typeRule.type)
    const at = n => placeOf('q', n)
    return [
      ...(wrong && !end ? [`if (${wrong(at, '')}) break`] : []),
      ...this.value(node, typeRule, { v: 'v', at, wrong: 'break', reading }),
      ...(end ? [] : [`p = ${at(size)}`])
    ]
  }
}

/** Whether items are numbers. @param {Node} node */
function areNumbers({ typeRules }) {
  return [...typeRules.keys()].every(type => type === ELEMENT.INT32 || type === ELEMENT.DOUBLE)
}

/** The bytes before a value besides its type and the 0x00: a name, or an index. @returns {number[]} */
function labelOf({ name, label = name }) {
  return bytesOf(label)
}

/** Hands over after `n` fields, read up to `p`. @param {Field} field the next one */
function bailOut({ index }) {
  return `{ n = ${index}; break fields }`
}

/** How a list keeps `v`, its item number `n`, until there is an array. @param {Node} node */
function collecting(node) {
  if (inlineRules(node).every(({ type }) => ROWS.get(type).size !== undefined)) {
    return { before: 'array = []', keep: ['array.push(v)'], result: ['return array'], items: 'array' }
  }
  const first = FIRST.join(', ')
  return {
    before: `${first}, array`,
    keep: [
      `if (n > ${FIRST.length}) {`,
      ['array.push(v)'],
      ...FIRST.flatMap((name, i) => [`} else if (n === ${i}) {`, [`${name} = v`]]),
      '} else {',
      [`array = [${first}, v]`],
      '}'
    ],
    result: [...FIRST.map((_, i) => `if (n === ${i + 1}) return [${FIRST.slice(0, i + 1).join(', ')}]`), 'return array ?? []'],
    items: `array ?? [${first}].slice(0, n)`
  }
}

/** Sets `doc`: a literal if all fields are there, otherwise one of those before the first optional field and stores. */
function made(fields) {
  const optional = fields.filter(field => !field.isRequired)
  if (optional.length === 0) return docOf(fields)
  const [{ index: first }] = optional
  const partly = [...docOf(fields.slice(0, first)), ...stored(fields.slice(first), false)]
  return [
    `if (${optional.map(({ index }) => `v${index} !== undefined`).join(' && ')}) {`,
    docOf(fields),
    '} else {',
    optional.length === 1 ? docOf(fields.filter(field => field.isRequired)) : partly,
    '}'
  ]
}

/** Sets `doc` to the first `n` fields, which have been read. */
function bailOuts(fields) {
  return ['if (doc === undefined) {', ['doc = {}', ...stored(fields, true)], '}']
}

/** Adds fields one by one. */
function stored(fields, isPart) {
  return fields.map(({ name, isRequired, index }) => {
    const isThere = [...(isPart ? [`n > ${index}`] : []), ...(isRequired ? [] : [`v${index} !== undefined`])]
    const store = `${memberOf('doc', name)} = v${index}`
    return isThere.length === 0 ? store : `if (${isThere.join(' && ')}) ${store}`
  })
}

function docOf(fields) {
  if (fields.length === 0) return ['doc = {}']
  return listed('doc = { ', fields.map(({ name, index }) => `${keyOf(name)}: v${index}`), ' }')
}

module.exports = { ReadSource }
