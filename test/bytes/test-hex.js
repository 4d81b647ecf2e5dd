'use strict'

const fc = require('fast-check')
const { toHex, fromHex, hexByte, hexInt24 } = require('../../lib/bytes/hex')

module.exports = {
  'hex as Buffer has it, and nothing that is no hex': function (t) {
    fc.assert(
      fc.property(fc.uint8Array(), data => {
        const hex = Buffer.from(data).toString('hex')
        t.strictEqual(toHex(data), hex)
        t.deepStrictEqual([...fromHex(hex)], [...data])
        t.deepStrictEqual([...fromHex(hex.toUpperCase())], [...data])
      })
    )
    for (const wrong of ['0', '0g', 'g0', ' 00', '0x00', '00\n', '\xe90', '0\u0130', '\u013010']) {
      t.throws(() => fromHex(wrong), /not a hex string/, wrong)
    }
    t.done()
  },

  'digits at a place': function (t) {
    for (let code = 0; code < 0x200; code++) {
      const digit = String.fromCharCode(code)
      const value = /[0-9a-f]/i.test(digit) ? parseInt(digit, 16) : -1
      const [high, low] = [hexByte(`${digit}0`, 0), hexByte(`-0${digit}`, 1)]
      t.strictEqual(value === -1 ? high < 0 : high === 16 * value, true, digit)
      t.strictEqual(value === -1 ? low < 0 : low === value, true, digit)
      t.strictEqual(hexInt24(`00000${digit}`, 0) < 0, value === -1, digit)
    }
    t.strictEqual(hexInt24('-aBc123', 1), 0xabc123)
    t.done()
  }
}
