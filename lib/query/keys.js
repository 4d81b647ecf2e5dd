'use strict'

// Keys that equal values share, for sets and maps: one for the values of each group of types.

const { ELEMENT, MAX_DEPTH } = require('../spec')
const { errorAtOffset } = require('../errors')
const { getInt32, getLatin1 } = require('../bytes')
const { ElementCursor, innerDocument, isContainer, tooDeep } = require('../elements')
const { numberKey } = require('./numbers')
const { GROUP, NUMBER } = require('./order')

/** The most bytes of a value: its key, which may be 3.7 times as long, has to fit into a string. */
const LONGEST = 2 ** 27

/** A key of a value that all equal values of its group share. `depth`: levels around it. @returns {number | string} */
function keyOf(type, buf, value, end, depth = 0) {
  if (type === ELEMENT.INT32) return getInt32(buf, value)
  if (GROUP[type] === NUMBER) return numberKey(type, buf, value)
  if (end - value > LONGEST) throw errorAtOffset(`a value of ${end - value} bytes exceeds the maximum string length`, value)
  if (isContainer(type)) return keyOfContainer(type, buf, value, end, depth + 1)
  if (type !== ELEMENT.CODE_WITH_SCOPE) return getLatin1(buf, value, end)
  const scope = innerDocument(type, buf, value)
  return getLatin1(buf, value + 4, scope) + keyOfContainer(ELEMENT.DOCUMENT, buf, scope, end, depth + 1)
}

/** Of each element the group, the name with its 0x00, the length of the key, the key. */
function keyOfContainer(type, buf, value, end, depth) {
  if (depth > MAX_DEPTH) throw errorAtOffset(tooDeep(MAX_DEPTH), value)
  const cursor = new ElementCursor().open(buf, value, end - 1)
  let key = ''
  while (cursor.next()) {
    const name = type === ELEMENT.ARRAY ? '' : getLatin1(buf, cursor.pos + 1, cursor.value)
    const inner = keyOf(cursor.type, buf, cursor.value, cursor.end, depth)
    const kind = GROUP[cursor.type] === NUMBER ? typeof inner : GROUP[cursor.type]
    const text = Object.is(inner, -0) ? '0' : String(inner)
    key += `${kind} ${name}${text.length} ${text}`
  }
  return key
}

module.exports = { keyOf }
