'use strict'

// The source of functions that read documents of a known type: fields in the schema's order, each compared with the
// bytes of its type and name. Where something else stands, they hand over what they have read and where they are, and
// `slow` reads the rest; so it is with bytes that are wrong.

const { ELEMENT } = require('../spec')
const { ROWS } = require('./rows')
const { literal: quoted, keyOf, memberOf, bytesOf, headDiffers, headIs } = require('./source')
const { CHUNK, MAX_DEPTH, stringBytes, constantsOf, inlineForms, rulesOf } = require('./source')
const { nameOf, namesOf } = require('./write-source')

/** Optional fields of an object for which every combination has a literal of its own. */
const MAX_VARIANTS = 3

/** V8 makes dictionaries of literals of more keys. */
const MAX_LITERAL = 120

/**
 * Variables for the first items of an array: a literal of so many takes 3 ns, an array that grows by `push` 20 to
 * begin with.
 */
const FIRST = ['a', 'b', 'c', 'd']

/** Items of fixed length that are read one after the other, without a loop. */
const FEW = 6

/** Hands over to the interpreter. */
const LEAVE = 'break fields'

/** @typedef {import('./source').Lines} Lines */
/** @typedef {import('./write-source').Layout} Layout */

/** @param {string} p @param {number} n bytes behind it */
function placeOf(p, n) {
  return n === 0 ? p : `${p} + ${n}`
}

/** Types whose value in JavaScript is a primitive, as far as the plan promotes. */
function isPrimitive(type, plan, form) {
  if (type === ELEMENT.STRING) return true
  if (type === ELEMENT.INT32 || type === ELEMENT.DOUBLE) return plan.promoteValues
  return type === ELEMENT.INT64 && (form.as ?? plan.int64) === 'bigint'
}

/**
 * The statements of one function. `p` is the place, `n` the field that is read next; where something is not as it is
 * expected to be they leave with `break fields`, and `n` fields have been read up to `p`.
 */
class Body {
  /** @param {import('./plan').Plan} plan */
  constructor(plan) {
    this.plan = plan
    /** @type {Lines} */
    this.lines = []
  }

  /** Says which field is read next. */
  note(index) {
    if (index > 0) this.lines.push(`n = ${index}`)
  }

  /**
   * Fields that have to be there and have one type each, all of fixed length but perhaps the last: they are compared
   * together, and then read.
   *
   * @param {{field: import('../schema/schema').Field, name: number[], v: string}[]} run
   */
  run(run) {
    this.note(run[0].field.index)
    const wrong = []
    const reads = []
    let offset = 0
    for (const { field, name, v } of run) {
      const { node, index } = field
      const [form] = inlineForms(node)
      const row = ROWS[form.type]
      const head = [writtenType(node, form.type), ...name, 0]
      const start = offset
      wrong.push(headDiffers(head, n => placeOf('p', start + n), false))
      const at = n => placeOf('p', start + head.length + n)
      if (row.wrong && !row.end) wrong.push(row.wrong(at, ''))
      reads.push(...this.read(node, form, v, at, `e${index}`))
      offset += head.length + (row.end ? row.least : row.size)
      if (!row.end && field === run[run.length - 1].field) reads.push(`p += ${offset}`)
    }
    this.lines.push(`if (p + ${offset} > end || ${wrong.join(' || ')}) ${LEAVE}`, ...reads)
  }

  /** A value of which `least` bytes are there, and after one whose length differs the place. @returns {Lines} */
  read(node, form, v, at, e) {
    const { end, wrong } = ROWS[form.type]
    const rules = rulesOf(node, form, v, isPrimitive(form.type, this.plan, form))
    return [
      ...(end ? [`const ${e} = ${end(at)}`, `if (${wrong(at, e)}) ${LEAVE}`] : []),
      ...valueSource(node, form, v, at, e, this.plan),
      ...(rules === '' ? [] : [`if (check && !(${rules})) ${LEAVE}`]),
      ...(end ? [`p = ${e}`] : [])
    ]
  }

  /** As `read`, of a value that is compared first, behind a head of so many bytes. @returns {Lines} */
  alone(node, form, v, head, e) {
    const { end, wrong, size } = ROWS[form.type]
    const at = n => placeOf('p', head + n)
    return [
      ...(wrong && !end ? [`if (${wrong(at, e)}) ${LEAVE}`] : []),
      ...this.read(node, form, v, at, e),
      ...(end ? [] : [`p += ${head + size}`])
    ]
  }

  /** A field that may be missing, or may have one of several types. */
  choice(field, name, v, isPositional) {
    const { node, index, isRequired } = field
    const forms = inlineForms(node)
    const isOpen = node.isOpen || forms.length < node.forms.size
    const least = isOpen ? 0 : Math.min(...forms.map(({ type }) => ROWS[type].least))
    const isOne = forms.length === 1 && !isOpen && !(isPositional && !isRequired)
    const size = name.length + 2
    const head = [isOne ? writtenType(node, forms[0].type) : 0, ...name, 0]
    const differs = `p + ${size + least} > end || ${headDiffers(head, n => placeOf('p', n), !isOne)}`
    const read = isOne
      ? this.alone(node, forms[0], v, size, `e${index}`)
      : this.byType(field, forms, v, size, isPositional)
    const lines = isRequired
      ? [`if (${differs}) ${LEAVE}`, ...read]
      : [`if (!(${differs})) {`, read, isPositional ? `} else ${LEAVE}` : '}']
    if (lines.flat(Infinity).some(line => line.includes(LEAVE))) this.note(index)
    this.lines.push(...lines)
  }

  byType({ node, index, isRequired }, forms, v, size, isPositional) {
    const t = `t${index}`
    const lines = []
    const add = (test, body) => lines.push(`${lines.length === 0 ? '' : '} else '}if (${test}) {`, body)
    for (const form of forms) {
      const { least } = ROWS[form.type]
      add(`${t} === ${writtenType(node, form.type)}${least === 0 ? '' : ` && p + ${size + least} <= end`}`,
        this.alone(node, form, v, size, 'e'))
    }
    if (isPositional && !isRequired) add(`${t} === ${ELEMENT.UNDEFINED}`, [`p += ${size}`])
    const other = [
      `const e${index} = scanElement(${t}, buf, p, p + ${size - 1}, end)`,
      `${v} = slow.readValue(${node.id}, { buf, pos: p, value: p + ${size}, next: e${index}, depth, check })`,
      `if (${v} === undefined) ${LEAVE}`,
      `p = e${index}`
    ]
    const isOpen = node.isOpen || forms.length < node.forms.size
    const last = isOpen ? other : [LEAVE]
    return [`const ${t} = buf[p]`, ...(lines.length === 0 ? last : [...lines, '} else {', last, '}'])]
  }
}

/** Sets `v`; one of few strings is found by its bytes, and not made anew. @returns {Lines} */
function valueSource(node, form, v, at, e, plan) {
  const other = `${v} = ${ROWS[form.type].value(at, e, plan, form, namesOf(node))}`
  const texts = constantsOf(form)
  if (texts.length === 0) return [other]
  const cases = texts.flatMap((text, i) => [
    `${i === 0 ? '' : '} else '}if (${headIs(stringBytes(text), at)}) {`, [`${v} = ${quoted(text)}`]
  ])
  return [...cases, '} else {', [other], '}']
}

/** A document may be written as an array. */
function writtenType(node, type) {
  return type === ELEMENT.DOCUMENT && node.isPositional ? ELEMENT.ARRAY : type
}

/** Whether a field has to be there and has one type, with source of its own. */
function isPlainField({ node, isRequired }) {
  return isRequired && !node.isOpen && node.forms.size === 1 && inlineForms(node).length === 1
}

class ReadSource {
  /** @param {import('./plan').Plan} plan */
  constructor(plan) {
    this.plan = plan
  }

  /** @param {Layout} layout @returns {Lines} */
  shape(layout) {
    return layout.shape.fields.length <= CHUNK ? this.whole(layout) : this.chunked(layout)
  }

  /** All fields in one function, their values in variables. */
  whole(layout) {
    const { shape } = layout
    const { fields } = shape
    const values = fields.map((_, i) => `v${i}`)
    const body = new Body(this.plan)
    this.fields(body, layout, fields, values)
    body.note(fields.length)
    return [
      `function read${nameOf(layout)}(buf, view, pos, end, depth, check) {`,
      [
        'let p = pos, n = 0',
        ...variables(values),
        'fields: {',
        [early(shape), ...body.lines, `if (p !== end) ${LEAVE}`, ...literals(fields, values)],
        '}',
        restSource(layout, `[${values.join(', ')}]`, 'n', 'p')
      ],
      '}',
      ''
    ]
  }

  /** Fields in several functions, their values in an array. */
  chunked(layout) {
    const { shape } = layout
    const { fields } = shape
    const name = `read${nameOf(layout)}`
    const parts = []
    const calls = []
    for (let from = 0; from < fields.length; from += CHUNK) {
      const part = `${name}Part${parts.length}`
      const values = fields.slice(from).map((_, i) => `v[${from + i}]`)
      parts.push(this.part(part, layout, fields.slice(from, from + CHUNK), values))
      calls.push(`if (p >= 0) p = ${part}(buf, view, p, end, depth, check, v)`)
    }
    const rest = (n, place) => restSource(layout, 'v', n, place)
    const main = [
      `const v = new Array(${fields.length})`,
      'let p = pos',
      early(shape, rest('0', 'pos')),
      ...calls,
      `if (p < 0) ${rest('-1 - p', 'v.place')}`,
      `if (p !== end) ${rest(String(fields.length), 'p')}`,
      ...wideLiteral(fields, name)
    ]
    const maker = fields.length > MAX_LITERAL ? this.maker(fields, name) : []
    return [...parts.flat(), ...maker, `function ${name}(buf, view, pos, end, depth, check) {`, main, '}', '']
  }

  /** @returns {Lines} a function for some fields, that returns the place or a negative number, see `leave` */
  part(name, layout, fields, values) {
    const body = new Body(this.plan)
    this.fields(body, layout, fields, values)
    return [
      `function ${name}(buf, view, p, end, depth, check, v) {`,
      [
        `let n = ${fields[0].index}`,
        'fields: {',
        [...body.lines.filter(line => line !== `n = ${fields[0].index}`), 'return p'],
        '}',
        'return leave(n, p, v)'
      ],
      '}',
      ''
    ]
  }

  /** A constructor for objects of more keys than a literal can have. */
  maker(fields, name) {
    return [
      `function Make${name}(v) {`,
      fields.map(({ name: key }, i) => `${memberOf('this', key)} = v[${i}]`),
      '}',
      `Make${name}.prototype = Object.prototype`,
      ''
    ]
  }

  fields(body, { isPositional, isRoot }, fields, values) {
    let run = []
    const endRun = () => {
      if (run.length > 0) body.run(run)
      run = []
    }
    fields.forEach((field, i) => {
      const name = bytesOf(isPositional ? String(field.index + (isRoot ? 1 : 0)) : field.name)
      if (isPlainField(field)) {
        run.push({ field, name, v: values[i] })
        if (ROWS[inlineForms(field.node)[0].type].end) endRun()
      } else {
        endRun()
        body.choice(field, name, values[i], isPositional)
      }
    })
    endRun()
  }

  /** @param {import('../schema/schema').List} list @returns {Lines} */
  list(list) {
    const node = /** @type {import('../schema/schema').Node} */ (list.items)
    const cases = inlineForms(node).flatMap((form, i) => [
      `${i === 0 ? '' : '} else '}if (t === ${writtenType(node, form.type)} && ${placeOf('q', ROWS[form.type].least)} <= end) {`,
      this.item(node, form)
    ])
    const { before, keep, result, items } = collecting(node)
    const { least, most } = list
    const isCounted = least > 0 || most < Infinity
    const counted = isCounted ? ` && (!check || (n >= ${least} && n <= ${most}))` : ''
    return [
      `function readList${list.id}(buf, view, pos, end, depth, check) {`,
      [
        ...(isCounted ? [] : this.few(node)),
        `let p = pos, n = 0, v, ${before}`,
        `while (p < end && depth <= ${MAX_DEPTH}) {`,
        ['const q = itemAt(buf, p, n, end)', 'const t = buf[p]', ...cases, '} else break', ...keep, 'n++'],
        '}',
        `if (p === end && depth <= ${MAX_DEPTH}${counted}) {`,
        result,
        '}',
        listRestSource(list, items, 'p')
      ],
      '}',
      ''
    ]
  }

  /** A few items of one type of fixed length, as a literal. @returns {Lines} */
  few(node) {
    const [form] = inlineForms(node)
    const { size, wrong, value } = ROWS[form.type]
    if (node.forms.size > 1 || form.rules.length > 0 || wrong || !(size > 0)) return []
    const items = Array.from({ length: FEW }, (_, i) => {
      const at = k => placeOf('pos', i * (3 + size) + k)
      const names = Array.from({ length: i + 1 }, (_, k) => `v${k}`)
      return [
        `if (${at(3 + size)} > end || ${headDiffers([form.type, 0x30 + i, 0], at, false)}) break few`,
        `const v${i} = ${value(k => at(3 + k), '', this.plan, form)}`,
        `if (${at(3 + size)} === end) return [${names.join(', ')}]`
      ]
    })
    return ['few: {', [`if (depth > ${MAX_DEPTH}) break few`, ...items.flat()], '}']
  }

  /** An item of which `least` bytes are there, at `q`. @returns {Lines} */
  item(node, form) {
    const { size, end, wrong } = ROWS[form.type]
    const at = n => placeOf('q', n)
    const rules = rulesOf(node, form, 'v', isPrimitive(form.type, this.plan, form))
    return [
      ...(end ? [`const e = ${end(at)}`] : []),
      ...(wrong ? [`if (${wrong(at, 'e')}) break`] : []),
      ...valueSource(node, form, 'v', at, 'e', this.plan),
      ...(rules === '' ? [] : [`if (check && !(${rules})) break`]),
      `p = ${end ? 'e' : at(size)}`
    ]
  }
}

/**
 * Leaves the rest of a document to the interpreter: the fields from number `n` on, which begin at `place`.
 *
 * @param {Layout} layout
 * @param {string} values
 * @param {string} n
 * @param {string} place
 */
function restSource({ shape, isPositional }, values, n, place) {
  const read = `id: ${shape.id}, isPositional: ${isPositional}, values: ${values}, count: ${n}`
  return `return slow.readRest({ ${read}, buf, pos: ${place}, end, start: pos, depth, check })`
}

/** The same for an array. @param {import('../schema/schema').List} list @param {string} values @param {string} place */
function listRestSource(list, values, place) {
  return `return slow.readList({ id: ${list.id}, values: ${values}, buf, pos: ${place}, end, start: pos, depth, check })`
}

/** How a list keeps `v`, its item number `n`, until there is an array. @param {import('../schema/schema').Node} node */
function collecting(node) {
  if (inlineForms(node).every(({ type }) => ROWS[type].size !== undefined)) {
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

/** Declarations, twenty in a line. @param {string[]} names */
function variables(names) {
  const lines = []
  for (let i = 0; i < names.length; i += 20) lines.push(`let ${names.slice(i, i + 20).join(', ')}`)
  return lines
}

/** What is left to the interpreter at once. */
function early({ least, most }, leave = LEAVE) {
  const isCounted = least > 0 || most < Infinity
  return `if (depth > ${MAX_DEPTH}${isCounted ? ' || check' : ''}) ${leave}`
}

/** The object: a literal for every combination of fields that are there, or stores where there are too many. */
function literals(fields, values) {
  const optional = fields.filter(field => !field.isRequired)
  if (optional.length <= MAX_VARIANTS) return variants(fields, values, optional, new Set())
  const first = optional[0].index
  return [
    `if (${optional.map(({ index }) => `${values[index]} !== undefined`).join(' && ')}) {`,
    returned(fields, values),
    '}',
    ...literal(fields.slice(0, first), values, 'const doc = '),
    ...fields.slice(first).map(({ name, isRequired, index }) => {
      const store = `${memberOf('doc', name)} = ${values[index]}`
      return isRequired ? store : `if (${values[index]} !== undefined) ${store}`
    }),
    'return doc'
  ]
}

function variants(fields, values, optional, missing) {
  if (optional.length === 0) return returned(fields.filter(field => !missing.has(field)), values)
  const [field, ...others] = optional
  return [
    `if (${values[field.index]} === undefined) {`,
    variants(fields, values, others, new Set([...missing, field])),
    '}',
    ...variants(fields, values, others, missing)
  ]
}

function returned(fields, values) {
  return literal(fields, values, 'return ')
}

function literal(fields, values, before) {
  const entries = fields.map(({ name, index }) => `${keyOf(name)}: ${values[index]}`)
  if (entries.join(', ').length < 80) return [entries.length === 0 ? `${before}{}` : `${before}{ ${entries.join(', ')} }`]
  return [`${before}{`, entries.map((entry, i) => (i < entries.length - 1 ? `${entry},` : entry)), '}']
}

function wideLiteral(fields, name) {
  const values = fields.map((_, i) => `v[${i}]`)
  const whole = fields.length > MAX_LITERAL ? [`return new Make${name}(v)`] : returned(fields, values)
  const optional = fields.filter(field => !field.isRequired)
  if (optional.length === 0) return whole
  return [
    `if (${optional.map(({ index }) => `v[${index}] !== undefined`).join(' && ')}) {`,
    whole,
    '}',
    `return makeDocument(names${name.slice('read'.length)}, v)`
  ]
}

module.exports = { ReadSource, restSource, listRestSource }
