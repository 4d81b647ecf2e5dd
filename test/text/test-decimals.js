'use strict'

// Decimals as text from bytes, against Decimal128's own text.

const { Decimal128, encode, EJSON } = require('../../qbson')
const json = require('../../lib/json')

const EDGES = [
  '0', '-0', '0.00', '-0.000000', '0E-7', '0E+3', '1', '-1', '10', '1E+1', '12.50', '-0.01', '0.000001', '0.0000001', '1E-6', '-0.000009',
  '9007199254740991', '9007199254740992', '9007199254740993', '-9007199254.740991', '90071992547409.93', '9007.199254740993', '18446744073709551616',
  '1E-6176', '9.999999999999999999999999999999999E+6144', '1234567890123456789012345678901234', 'NaN', 'Infinity', '-Infinity', '123E+5'
]

module.exports = {
  'the digits of Decimal128': t => {
    let seed = 3
    const int = below => (seed = (seed * 48271) % 2147483647) % below
    const random = Array.from({ length: 3000 }, () => {
      const digits = Array.from({ length: 1 + int(18) }, () => int(10)).join('')
      return `${int(2) === 0 ? '-' : ''}${digits}E${int(12) - 9}`
    })
    for (const text of [...EDGES, ...random]) {
      const d = Decimal128.fromString(text)
      t.strictEqual(json.text(encode({ d }), { decimal: 'string' }), `{"d":"${d}"}`)
      t.strictEqual(json.text(encode({ d })), `{"d":{"$numberDecimal":"${d}"}}`)
      t.strictEqual(EJSON.fromBSON(encode({ d })), `{"d":{"$numberDecimal":"${d}"}}`)
    }
    t.done()
  },

  'a special coefficient, which stands for 0': t => {
    const bytes = encode({ d: Decimal128.fromString('5') })
    bytes[bytes.length - 2] = 0x60 // the upper bits of the exponent are 11: the coefficient is beyond 34 digits
    t.strictEqual(json.text(bytes, { decimal: 'string' }), EJSON.stringify(EJSON.parse(EJSON.fromBSON(bytes))).replace(/.*"\$numberDecimal":"(.*)"}}/, '{"d":"$1"}'))
    t.done()
  }
}
