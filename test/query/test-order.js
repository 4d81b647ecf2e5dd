'use strict'

// MongoDB's order: every pair of types, and of values within a type.

const { EJSON } = require('../../qbson')
const { matcher } = require('../../lib/query')
const { compareElements } = require('../../lib/query/order')
const { keyOf } = require('../../lib/query/keys')

/** In ascending order, as Extended JSON; several in a row are equal. */
const ROWS = [
  ['{"$minKey":1}'],
  ['{"$undefined":true}'],
  ['null'],
  ['{"$numberDouble":"NaN"}', '{"$numberDecimal":"NaN"}'],
  ['{"$numberDouble":"-Infinity"}', '{"$numberDecimal":"-Infinity"}'],
  ['{"$numberDecimal":"-1E+6000"}'],
  ['{"$numberLong":"-9007199254740993"}', '{"$numberDecimal":"-9007199254740993"}'],
  ['{"$numberLong":"-9007199254740992"}', '{"$numberDouble":"-9007199254740992.0"}'],
  ['{"$numberInt":"-1"}', '{"$numberLong":"-1"}', '{"$numberDouble":"-1.0"}', '{"$numberDecimal":"-1.000"}'],
  ['{"$numberDecimal":"-1E-6176"}'],
  ['{"$numberInt":"0"}', '{"$numberDouble":"-0.0"}', '{"$numberDecimal":"-0E+6111"}', '{"$numberLong":"0"}'],
  ['{"$numberDecimal":"1E-6176"}'],
  ['{"$numberDecimal":"4E-324"}'],
  ['{"$numberDouble":"5e-324"}'],
  ['{"$numberDecimal":"5E-324"}'],
  ['{"$numberDouble":"4.76837158203125e-7"}', '{"$numberDecimal":"4.76837158203125E-7"}'],
  ['{"$numberDecimal":"0.1"}', '{"$numberDecimal":"0.1000000000000000000000000000000000"}'],
  ['{"$numberDecimal":"0.1000000000000000055511151231257827"}'],
  ['{"$numberDouble":"0.1"}'],
  ['{"$numberDecimal":"0.1000000000000000055511151231257828"}'],
  ['{"$numberDouble":"0.5"}', '{"$numberDecimal":"0.5"}', '{"$numberDecimal":"50E-2"}'],
  ['{"$numberDecimal":"55.9"}', '{"$numberDecimal":"55.90000000000000000000000000000000"}'],
  ['{"$numberDecimal":"123456789012345.5"}', '{"$numberDouble":"123456789012345.5"}'],
  ['{"$numberLong":"9007199254740992"}', '{"$numberDouble":"9007199254740992.0"}', '{"$numberDecimal":"9007199254740992"}'],
  ['{"$numberLong":"9007199254740993"}', '{"$numberDecimal":"9007199254740993.0"}'],
  ['{"$numberLong":"9223372036854775807"}', '{"$numberDecimal":"9223372036854775807"}'],
  ['{"$numberDouble":"9223372036854775808.0"}', '{"$numberDecimal":"9223372036854775808"}'],
  ['{"$numberDouble":"18446744073709551616.0"}', '{"$numberDecimal":"18446744073709551616"}'],
  ['{"$numberDecimal":"18446744073709551617"}'],
  ['{"$numberDecimal":"1E+22"}', '{"$numberDouble":"1e22"}'],
  ['{"$numberDecimal":"1E+23"}'],
  ['{"$numberDouble":"1.7976931348623157e308"}'],
  ['{"$numberDecimal":"1E+400"}', '{"$numberDecimal":"10E+399"}'],
  ['{"$numberDecimal":"1.000000000000000000000000000000001E+400"}'],
  ['{"$numberDecimal":"Infinity"}', '{"$numberDouble":"Infinity"}'],
  ['""'], ['"\\u0000"'], ['"a"', '{"$symbol":"a"}'], ['"a\\u0000"'], ['"aa"'], ['"b"'], ['"\\u007f"'], ['"é"'], ['"\\uffff"'], ['"😀"'],
  ['{}'], ['{"a":1}', '{"a":{"$numberDecimal":"1.0"}}'], ['{"a":1,"b":null}'], ['{"a":2}'], ['{"b":0}'], ['{"a":"x"}'], ['{"a":{"b":[1]}}'],
  ['[]'], ['[null]'], ['[1]', '[{"$numberDouble":"1.0"}]'], ['[1,0]'], ['[2]'], ['["a"]'], ['[[1]]'],
  ['{"$binary":{"base64":"","subType":"00"}}'], ['{"$binary":{"base64":"/w==","subType":"00"}}'], ['{"$binary":{"base64":"AQ==","subType":"80"}}'],
  ['{"$binary":{"base64":"AQI=","subType":"00"}}'],
  ['{"$oid":"000000000000000000000000"}'], ['{"$oid":"00000000000000000000007f"}'], ['{"$oid":"ff0000000000000000000000"}'],
  ['false'], ['true'],
  ['{"$date":{"$numberLong":"-9223372036854775808"}}'], ['{"$date":{"$numberLong":"-1"}}'], ['{"$date":{"$numberLong":"0"}}'],
  ['{"$date":{"$numberLong":"4294967296"}}'],
  ['{"$timestamp":{"t":0,"i":4294967295}}'], ['{"$timestamp":{"t":1,"i":0}}'], ['{"$timestamp":{"t":4294967295,"i":0}}'],
  ['{"$regularExpression":{"pattern":"a","options":""}}'], ['{"$regularExpression":{"pattern":"a","options":"i"}}'],
  ['{"$regularExpression":{"pattern":"b","options":""}}'],
  ['{"$dbPointer":{"$ref":"b","$id":{"$oid":"000000000000000000000000"}}}'],
  ['{"$dbPointer":{"$ref":"aa","$id":{"$oid":"000000000000000000000000"}}}'],
  ['{"$code":"a"}'], ['{"$code":"b"}'],
  ['{"$code":"a","$scope":{}}'], ['{"$code":"a","$scope":{"x":1}}'], ['{"$code":"b","$scope":{}}'],
  ['{"$maxKey":1}']
]

const VALUES = ROWS.flatMap((texts, rank) => texts.map(text => {
  const buf = EJSON.toBSON(`{"a":${text}}`)
  return { text, rank, buf, type: buf[4], value: 7, end: buf.length - 1 }
}))

const OPERATORS = {
  $lt: order => order < 0,
  $lte: order => order <= 0,
  $eq: order => order === 0,
  $gte: order => order >= 0,
  $gt: order => order > 0
}

/** Types that are compared with each other. */
const KINDS = [[0x01, 0x10, 0x12, 0x13], [0x02, 0x0e]]
const kindOf = type => KINDS.find(types => types.includes(type)) ?? type

module.exports = {
  'every pair of values has its order': t => {
    for (const a of VALUES) {
      for (const b of VALUES) t.strictEqual(Math.sign(compareElements(a, b)), Math.sign(a.rank - b.rank), `${a.text} ${b.text}`)
    }
    t.done()
  },

  'equal values have one key, others have not': t => {
    for (const a of VALUES) {
      const keys = new Set([keyOf(a.type, a.buf, a.value, a.end)])
      for (const b of VALUES.filter(({ type }) => kindOf(type) === kindOf(a.type))) {
        t.strictEqual(keys.has(keyOf(b.type, b.buf, b.value, b.end)), a.rank === b.rank, `${a.text} ${b.text}`)
      }
    }
    t.done()
  },

  'in queries only values of one kind are compared, and NaN with nothing else': t => {
    const isBound = ({ type }) => type === 0x7f || type === 0xff
    const asked = VALUES.filter(({ type }) => type !== 0x06 && type !== 0x0b)
    for (const a of asked) {
      for (const [operator, holds] of Object.entries(OPERATORS)) {
        const isWanted = matcher(EJSON.toBSON(`{"a":{"${operator}":${a.text}}}`))
        for (const b of VALUES) {
          const isNull = a.type === 0x0a && b.type === 0x06
          const isComparable = isNull || (kindOf(a.type) === kindOf(b.type) && /NaN/.test(a.text) === /NaN/.test(b.text))
          const expected = isBound(a) || isComparable ? holds(isNull ? 0 : b.rank - a.rank) : false
          const isOfItems = b.type === 0x04 && (a.type !== 0x04 || b.text === '[[1]]')
          if (!isOfItems) t.strictEqual(isWanted(b.buf), expected, `${b.text} ${operator} ${a.text}`)
        }
      }
    }
    t.done()
  }
}
