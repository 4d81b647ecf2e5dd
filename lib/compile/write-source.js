'use strict'

// The source of functions that write documents of a known type. A value that is not of the type, or breaks a rule, or
// needs more than a look, is left to write.js, which does all there is to do and raises the errors; fields beyond the
// schema are written by `encode`'s own function.

const { ELEMENT, INT32_MAX } = require('../spec')
const { ownFields } = require('../properties')
const { wordAt, ROWS } = require('../codegen')
const { CASES } = require('./cases')
const { HEAD, halvesOf } = require('./fingerprint')
const {
  MAX_COMPARED, literal, memberOf, bytesOf, listed, stringBytes, constantsOf, isCompilable, isPlainList, inlineForms,
  nameOf, writtenType
} = require('./source')

/** Bytes behind an element that stores may run over. */
const SLACK = 16

/** Bytes of a value that are always counted: the longest of fixed length, and a string's length and 0x00. */
const VALUE = 17

/** Bytes of an array's index: type, ten digits, 0x00. */
const INDEX = 12

/** Every item takes three bytes at least: type, index, 0x00. */
const MAX_ITEMS = Math.floor(INT32_MAX / 3)

/** Fields of a document that has functions of its own. */
const MAX_FIELDS = 1000

/** Fields of one function: V8 does not optimise very long ones. */
const CHUNK = 24

/** Fields that one number can tell the presence of. */
const BITS = 32

/** @typedef {import('./source').Lines} Lines */
/** @typedef {import('./source').Layout} Layout */
/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Form} Form */
/** @typedef {import('./cases').Case} Case */

/** Whether a shape's functions write any documents. @param {import('../schema/schema').Shape} shape */
function isMap({ fields, additional, patterns }) {
  return fields.length === 0 && patterns.length === 0 && additional !== false
}

class WriteSource {
  /**
   * @param {import('./plan').Plan} plan
   * @param {bigint | null} fingerprint of a positional codec
   */
  constructor(plan, fingerprint) {
    /** @type {Set<string>} names that the source needs */
    this.names = new Set()
    this.use = name => {
      this.names.add(name)
      return name
    }
    this.checkKeys = plan.encodePlan.checkKeys
    this.fingerprint = fingerprint
  }

  /** Whether a shape has functions of its own. */
  isCompiled(shape) {
    return isCompilable(shape, MAX_FIELDS) && !(this.checkKeys && shape.fields.some(({ name }) => name.includes('.')))
  }

  /** @param {Layout} layout @returns {Lines} */
  shape(layout) {
    const { shape, isPositional, isRoot = false } = layout
    const name = nameOf(layout)
    if (isMap(shape) && !isPositional) return this.map(layout)
    if (!this.isCompiled(shape)) {
      const how = `${isPositional}, ${isRoot}`
      return [`function write${name}(out, doc, pos, check) {`, [`return ${this.use('writeDocument')}(out, ${shape.id}, ${how}, doc, pos, check)`], '}', '']
    }
    const { fields } = shape
    const masks = Array.from({ length: Math.ceil(fields.length / BITS) }, (_, i) => `m${i}`)
    const parts = Array.from({ length: Math.ceil(fields.length / CHUNK) }, (_, i) => {
      return fields.slice(i * CHUNK, (i + 1) * CHUNK)
    })
    const bodies = parts.map(part => this.part(part, layout))
    const head = [...room(this.need(fields.slice(0, 1), 0)), 'pos += 4', ...(isRoot ? this.putFingerprint() : [])]
    const args = `out, doc, pos, check, ${masks.join(', ')}`
    const isWhole = parts.length === 1
    return [
      ...listed(`const names${name} = [`, fields.map(field => literal(field.name)), ']'),
      `const places${name} = new Map(names${name}.map((name, i) => [name, i]))`,
      '',
      ...(isWhole ? [] : bodies.flatMap((body, i) => [`function write${name}Part${i}(${args}) {`, [...body, 'return pos'], '}', ''])),
      `function write${name}(out, doc, pos, check) {`,
      [
        `const cycleCheckpoint = ${this.use('enter')}(out, doc)`,
        ...this.presence(shape, name, masks),
        'const start = pos',
        ...(isWhole ? bodies[0] : [...head, ...parts.map((_, i) => `pos = write${name}Part${i}(${args})`)]),
        this.rest(layout),
        ...this.close()
      ],
      '}',
      ''
    ]
  }

  /** Writes some fields, after the head of the document if they are all. @param {Layout} layout @returns {Lines} */
  part(fields, layout) {
    const { shape, isRoot = false } = layout
    const isWhole = fields.length === shape.fields.length
    return [
      ...room(this.need(fields, 0)),
      `let v, f = ${fields[0].index}`,
      ...(isWhole ? ['pos += 4', ...(isRoot ? this.putFingerprint() : [])] : []),
      'try {',
      fields.flatMap((field, i) => this.field(field, this.need(fields, i), this.need(fields, i + 1), layout)),
      '} catch (error) {',
      [`throw ${this.use('prependPath')}(error, doc, names${nameOf(layout)}[f])`],
      '}'
    ]
  }

  close() {
    return [`${this.use('leave')}(out, cycleCheckpoint)`, `return ${this.use('closeDocument')}(out, start, pos)`]
  }

  putFingerprint() {
    const [low, high] = halvesOf(this.fingerprint)
    return [...putHead(HEAD, 8), `view.setInt32(pos, ${low}, true)`, `view.setInt32(pos + 4, ${high}, true)`, 'pos += 8']
  }

  /** Which fields are there: `m0` and so on, a bit each; `more`: the names of others. @returns {Lines} */
  presence({ fields }, name, masks) {
    const missing = masks.map((mask, k) => {
      const bits = requiredBits(fields.slice(k * BITS, (k + 1) * BITS))
      return bits === 0 ? '' : `(${mask} & ${bits}) !== ${bits}`
    }).filter(Boolean)
    const required = `[${fields.filter(field => field.isRequired).map(field => literal(field.name)).join(', ')}]`
    return [
      `let ${masks.map(mask => `${mask} = 0`).join(', ')}, next = 0, more = null`,
      'for (const key in doc) {',
      [
        `if (!${this.use('hasOwn')}.call(doc, key)) continue`,
        `const i = key === names${name}[next] ? next : places${name}.get(key)`,
        'if (i === undefined) {',
        ['if (more === null) more = []', 'more.push(key)', 'continue'],
        '}',
        ...masks.map((mask, k) => {
          const isLast = k === masks.length - 1
          return `${k === 0 ? '' : 'else '}${isLast ? '' : `if (i < ${BITS * (k + 1)}) `}${mask} |= 1 << i`
        }),
        'next = i + 1'
      ],
      '}',
      ...(missing.length > 0 ? [`if (${missing.join(' || ')}) ${this.use('missing')}(doc, ${required})`] : [])
    ]
  }

  /** The fields beyond the schema. @returns {string} */
  rest({ shape, isPositional, isRoot = false }) {
    if (shape.additional === true && shape.patterns.length === 0 && !isPositional) {
      return `if (more !== null) pos = ${this.use('putMore')}(out, doc, more, pos)`
    }
    const first = isPositional ? (isRoot ? 1 : 0) : -1
    return `if (more !== null) pos = ${this.use('writeMore')}(out, ${shape.id}, ${first}, doc, more, pos, check)`
  }

  /** Bytes of fixed length from a field on. */
  need(fields, from) {
    const roomOf = ({ name, node }) => bytesOf(name).length + 2 + valueRoom(node)
    return fields.slice(from).reduce((sum, field) => sum + roomOf(field), 5 + SLACK)
  }

  field(field, before, after, { isPositional, isRoot = false }) {
    const { name, node, isRequired, index } = field
    const place = isPositional ? String(index + (isRoot ? 1 : 0)) : name
    const head = (type, value = []) => {
      return putHead([type, ...bytesOf(place), 0, ...value], value.length > 0 ? 0 : ROWS.get(type)?.least ?? 0)
    }
    const mark = [`f = ${index}`]
    const needs = { before, after }
    const how = (isRequired ? 2 : 0) | (isPositional ? 4 : 0)
    const other = isAny(node) && !isRequired && !isPositional
      ? [...mark, `pos = ${this.use('putElement')}(out, ${literal(name)}, v, pos)`]
      : [...mark, this.writeElement(node, isPositional ? place : literal(name), how)]
    const lines = [`v = ${memberOf('doc', name)}`, ...this.cases(node, { head, mark, needs, other: [...other, ...again(needs.after)] })]
    if (isRequired) return lines
    const test = `if (m${Math.floor(index / BITS)} & ${1 << index % BITS}) {`
    return isPositional ? [test, lines, '} else {', head(ELEMENT.UNDEFINED), '}'] : [test, lines, '}']
  }

  writeElement(node, label, how) {
    return `pos = ${this.use('writeElement')}(out, ${node.id}, { name: ${label}, value: v, how: ${how} }, pos, check)`
  }

  /**
   * The cases of a value, each with what stores its head and the value, else `other`.
   *
   * @param {Node} node
   * @param {object} at
   * @param {(type: number, value?: number[]) => Lines} at.head statements that store type and name, and what has always
   *   the same bytes
   * @param {Lines} at.mark statement that says which element it is, for errors
   * @param {Lines} at.other
   * @param {{before: number, after: number}} at.needs bytes of fixed length with this element and after it
   * @returns {Lines}
   */
  cases(node, { head, mark, needs, other }) {
    if (node.isOpen) return other
    const lines = []
    const add = (test, body) => lines.push(`${lines.length === 0 ? '' : '} else '}if (${test}) {`, body)
    for (const form of inOrder(node)) {
      const constants = constantsOf(form)
      for (const text of constants) add(`v === ${literal(text)}`, head(form.type, stringBytes(text)))
      for (const one of this.casesOf(node, form)) {
        const { tests, isRuled } = this.rulesOf(node, form, one)
        const allowed = constants.length > 0 ? ' && !check' : tests.length === 0 ? '' : ` && (!check || (${tests.join(' && ')}))`
        add(one.test + allowed, [
          ...(one.isText ? this.roomForText(needs.before) : []),
          ...(one.throws || isRuled ? mark : []),
          ...head(writtenType(node, form.type)),
          ...(isRuled ? ['const at = pos'] : []),
          ...one.put,
          ...(isRuled ? [`if (${this.isChecked(node, form)}) ${this.use('checkWritten')}(out, ${node.id}, ${form.type}, at, pos)`] : []),
          ...(one.moves ? again(needs.after) : [])
        ])
      }
    }
    return lines.length === 0 ? other : [...lines, '} else {', other, '}']
  }

  /** @returns {Case[]} without a prototype: what was put on that of all objects must not get into the source */
  casesOf(node, form) {
    return (CASES.get(form.type)?.(this, node, form) ?? []).map(ownFields)
  }

  roomForText(need) {
    return [
      `if (pos + 3 * v.length + ${need} > buf.length) {`,
      [`buf = out.reserve(pos, ${this.use('roomOf')}(v) + ${need})`, 'view = out.view'],
      '}'
    ]
  }

  /** A document of any fields. @param {Layout} layout @returns {Lines} */
  map(layout) {
    const { additional } = layout.shape
    const node = additional === true ? null : /** @type {Node} */ (additional)
    const put = `pos = ${this.use('putElement')}(out, key, v, pos)`
    return [
      `function write${nameOf(layout)}(out, doc, pos, check) {`,
      [
        `const cycleCheckpoint = ${this.use('enter')}(out, doc)`,
        'const start = pos',
        'out.reserve(pos, 5)',
        'pos += 4',
        "let key = ''",
        'try {',
        [
          'for (key in doc) {',
          [`if (!${this.use('hasOwn')}.call(doc, key)) continue`, 'const v = doc[key]', ...(node === null ? [put] : this.entry(node, put))],
          '}'
        ],
        '} catch (error) {',
        [`throw ${this.use('prependPath')}(error, doc, key)`],
        '}',
        ...this.close()
      ],
      '}',
      ''
    ]
  }

  /** A value of a map: what `encode` writes as it should be it is given. @returns {Lines} */
  entry(node, put) {
    const other = [this.writeElement(node, 'key', 0)]
    if (isAny(node)) return [put]
    if (node.isOpen) return other
    const lines = []
    for (const form of inOrder(node)) {
      for (const one of this.casesOf(node, form)) {
        const { tests, isRuled } = this.rulesOf(node, form, one)
        if (isRuled) continue
        const allowed = tests.length === 0 ? '' : ` && (!check || (${tests.join(' && ')}))`
        const head = `pos = ${this.use('putName')}(out, ${writtenType(node, form.type)}, key, pos)`
        const buffers = /** @type {Lines} */ (one.throws ? ['const buf = out.buf'] : ['const buf = out.buf, view = out.view'])
        const isCopied = one.isNatural || form.type === ELEMENT.DOCUMENT || form.type === ELEMENT.ARRAY
        const body = one.isNatural ? [put] : [head, ...(isCopied ? [] : buffers), ...one.put]
        lines.push(`${lines.length === 0 ? '' : '} else '}if (${one.test}${allowed}) {`, body)
      }
    }
    return lines.length === 0 ? other : [...lines, '} else {', other, '}']
  }

  /** @param {import('../schema/schema').List} list @returns {Lines} */
  list(list) {
    const name = `writeList${list.id}`
    const node = /** @type {Node} */ (list.items)
    const isPlain = isPlainList(list) && !node.isOpen
    if (!isPlain) {
      return [`function ${name}(out, array, pos, check) {`, [`return ${this.use('writeItems')}(out, ${list.id}, array, pos, check)`], '}', '']
    }
    const need = INDEX + valueRoom(node) + SLACK
    const head = (type, value = []) => [
      `pos = ${this.use('putIndexName')}(${type}, i, view, pos)`, ...(value.length > 0 ? putHead(value, 0) : [])
    ]
    const other = [this.writeElement(node, 'i', 1), ...again(need)]
    return [
      `function ${name}(out, array, pos, check) {`,
      [
        `const cycleCheckpoint = ${this.use('enter')}(out, array)`,
        `if (array.length > ${MAX_ITEMS}) ${this.use('checkLength')}(array)`,
        'let buf = out.reserve(pos, 5), view = out.view, i = 0',
        'const start = pos',
        'pos += 4',
        'try {',
        [
          'for (; i < array.length; i++) {',
          [
            `if (pos + ${need} > buf.length) { buf = out.grow(pos, ${need}); view = out.view }`,
            'const v = array[i]',
            ...this.cases(node, { head, mark: [], needs: { before: need, after: need }, other })
          ],
          '}'
        ],
        '} catch (error) {',
        [`throw ${this.use('prependPath')}(error, array, i)`],
        '}',
        ...this.countItems(list),
        ...this.close()
      ],
      '}',
      ''
    ]
  }

  /** When the rules of what has been written `at` are asked: bounds only where one is not met. @returns {string} */
  isChecked(node, { type, rules, shape, list }) {
    const isBound = ({ keyword }) => keyword === 'minimum' || keyword === 'maximum'
    if (node.rules.length > 0 || shape !== null || list !== null || !rules.every(isBound)) return 'check'
    const met = rules.map(({ keyword, value, isExclusive }) => {
      const operator = `${keyword === 'minimum' ? '>' : '<'}${isExclusive ? '' : '='}`
      return `${this.use('compareAt')}(${type}, buf, at, ${value}) ${operator} 0`
    })
    return `check && !(${met.join(' && ')})`
  }

  /** Whether its own function checks all that is said of the items together. */
  isCounted(list) {
    return !list.isUnique && isPlainList(list) && !list.items.isOpen
  }

  /** How many items have been written. @returns {Lines} */
  countItems({ least, most }) {
    if (least === 0 && most === Infinity) return []
    return [`if (check && (i < ${least} || i > ${most})) ${this.use('wrongCount')}(i, ${least}, ${most})`]
  }

  /**
   * The rules of a value `v`: conditions that are source, and whether there are others, which are asked of what has
   * been written.
   *
   * @param {Node} node @param {Form} form @param {Case} one
   */
  rulesOf(node, form, { isPrimitive = false }) {
    const sources = form.rules.map(rule => (isPrimitive ? this.ruleSource(rule, form) : ''))
    const isRuled = node.rules.length > 0 || sources.includes('') || Boolean(form.shape?.isRuled || (form.list?.isRuled && !this.isCounted(form.list)))
    return { tests: sources.filter(Boolean), isRuled: constantsOf(form).length === 0 && isRuled }
  }

  /** @param {import('../schema/rules').Rule} rule @param {Form} form @returns {string} '' where it is no short test */
  ruleSource({ keyword, value, isExclusive = false }, { type }) {
    switch (keyword) {
      case 'minimum':
        return `v ${isExclusive ? '>' : '>='} ${value}`
      case 'maximum':
        return `v ${isExclusive ? '<' : '<='} ${value}`
      case 'minLength': // every second unit could be half a character
        return value <= 1 ? `v.length >= ${value}` : `(v.length >= ${2 * value} || ${this.use('lengthOf')}(v) >= ${value})`
      case 'maxLength':
        return `(v.length <= ${value} || ${this.use('lengthOf')}(v) <= ${value})`
      case 'enum': {
        const values = value.filter(one => typeof one === (type === ELEMENT.STRING ? 'string' : 'number'))
        const isShort = values.length > 0 && values.length <= MAX_COMPARED
        return isShort ? `(${values.map(one => `v === ${literal(one)}`).join(' || ')})` : ''
      }
      default:
        return ''
    }
  }
}

/** @param {number} need bytes @returns {Lines} what fields are written with */
function room(need) {
  return ['let buf = out.buf', `if (pos + ${need} > buf.length) buf = out.grow(pos, ${need})`, 'let view = out.view']
}

/** After something that may have moved the output or filled it: room for all that has a fixed length from here on. */
function again(need) {
  return ['buf = out.buf', `if (pos + ${need} > buf.length) buf = out.grow(pos, ${need})`, 'view = out.view']
}

/** Bytes of a value that are counted in advance. @param {Node} node */
function valueRoom(node) {
  return Math.max(VALUE, ...inlineForms(node).flatMap(constantsOf).map(text => stringBytes(text).length))
}

/** Whether a place says nothing at all. @param {Node} node */
function isAny({ isOpen, forms, rules }) {
  return isOpen && forms.size === 0 && rules.length === 0
}

/** @param {import('../schema/schema').Field[]} fields BITS at most */
function requiredBits(fields) {
  return fields.reduce((bits, { isRequired }, i) => (isRequired ? bits | (1 << i) : bits), 0)
}

/**
 * Stores bytes at `pos`, four at a time. What runs over comes later: `size` bytes of a value, and at least a 0x00.
 *
 * @param {number[]} bytes two at least
 * @param {number} size
 * @returns {string[]}
 */
function putHead(bytes, size) {
  // the field without a name, and a value without bytes
  if (bytes.length + size < 3) return [`view.setInt16(pos, ${bytes[0]}, true)`, 'pos += 2']
  const stores = []
  for (let i = 0; i < bytes.length; i += 4) {
    const at = i + 4 > bytes.length + size + 1 ? bytes.length - 4 : i
    stores.push(`view.setInt32(${at === 0 ? 'pos' : `pos + ${at}`}, ${wordAt(bytes, at)}, true)`)
  }
  return [...stores, `pos += ${bytes.length}`]
}

/** A double takes every number: the other types are asked before. */
const ORDER = [ELEMENT.STRING, ELEMENT.INT32, ELEMENT.INT64, ELEMENT.DOUBLE]

/** The forms of a node in the order in which they are asked for. @param {Node} node @returns {Form[]} */
function inOrder(node) {
  const place = ({ type }) => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length)
  return inlineForms(node).sort((a, b) => place(a) - place(b))
}

module.exports = { WriteSource }
