'use strict'

const { width, cut } = require('../../lib/cli/terminal/width')
const { encode } = require('../../qbson')
const { run, write } = require('../fixtures/cli')

/** Text, and the columns it takes. */
const rows = [
  ['', 0], ['plain', 5], ['Łódź', 4], ['Ωmega', 5], ['Привет', 6], ['日本語', 6], ['한국어', 6], ['ｆｕｌｌ', 8], ['ﾊﾝｶｸ', 4], ['、。「」', 8],
  ['e\u0301', 1], ['\u0301', 0], ['\u200b', 0], ['\ufeff', 0], ['🙂', 2], ['👩‍👩‍👧', 2], ['🇩🇪', 2], ['❤', 1], ['❤\ufe0f', 2], ['👍🏽!', 3],
  ['𠀀', 2], ['שלום', 4], ['a\u0308日🙂', 5], ['각'.normalize('NFD'), 2], ['가나다'.normalize('NFD'), 6], ['\u302a', 0], ['か\u3099', 2],
  ['🇩', 2], ['🇩🇪🇫', 4], ['🐻\u200d❄', 2], ['🐻\u200d❄\ufe0f', 2], ['❤\u200d🔥', 2], ['☝🏽', 2], ['1\ufe0f\u20e3', 2], ['1', 1]
]

module.exports = {
  'columns that a text takes': t => {
    for (const [text, expected] of rows) {
      t.strictEqual(width(text), expected, text)
      t.strictEqual(cut(text, expected), text)
    }
    t.done()
  },

  'whole characters are cut off': t => {
    t.strictEqual(cut('日本語', 5), '日本')
    t.strictEqual(cut('ab👩‍👩‍👧c', 3), 'ab')
    t.strictEqual(cut('e\u0301e\u0301', 1), 'e\u0301')
    t.strictEqual(cut('abc', 0), '')
    t.done()
  },

  'head --table puts columns below one another, whatever the script': async t => {
    const names = ['plain', '日本語', '👩‍👩‍👧', 'e\u0301', '長'.repeat(40)]
    const file = write('scripts.bson', Buffer.concat(names.map((name, i) => encode({ name, i }))))
    const { out } = await run(['head', '--table', file])
    const lines = out.trimEnd().split('\n')
    t.strictEqual(lines.length, 2 + names.length)
    const second = lines.map(line => width(line.slice(0, line.search(/\S+$/))))
    t.deepStrictEqual(new Set(second), new Set([31]))
    t.strictEqual(lines.at(-1), `${'長'.repeat(13)}...  4`)
    t.done()
  }
}
