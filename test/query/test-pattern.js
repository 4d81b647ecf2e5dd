'use strict'

// Regular expressions as the server reads them: each row is what PCRE2 10.42 does with the options UTF and those given.

const { encode } = require('../../qbson')
const { matcher } = require('../../lib/query')

const document = text => encode({ a: text })

/** Patterns that PCRE2 refuses; JavaScript reads them, or what they are translated to. */
const REFUSED = [
  '[\\d-z]', '[a-\\d]', '[!-\\d]', '[^\\d-z]', '[\\s-z]', '[\\t-\\s]', '[\\v-z]', '[\\n-\\v]', '[\\S-z]', '[!-\\D]', '[\\w-z]', '[\\d-\\s]',
  '[]-\\d]', '[a-\\p{L}]', '[\\p{L}-z]',
  ...['^*', '^+', '^?', '^{2}', '^{0}a', '^*?', '$*', '\\b+', '\\B?', '\\A*', '\\z+', '\\Z*', 'a**', 'a{2}{3}', '|+', '(*)'],
  '[]', '[^]', '[^]*', '[]\\A', '[\\A]', '[\\Z]', '[:alpha:]', '[.a.]', '[=a=]b', '[:a\\]:]',
  '(?<=a+)b', '(?<!a?)b', '(?<=(?:a*))b', '(?<=a{1,2})b', '(?<=a{1,})b'
]

/** Patterns with their options, what they match, and what they do not. @type {[string, string, string[], string[]][]} */
const READ = [
  ['^[\\d-]$', '', ['1', '-'], ['a']], ['^[-\\d]$', '', ['1', '-'], ['a']], ['^[\\d\\-z]$', '', ['1', '-', 'z'], ['a']],
  ['^[a-c-\\d]$', '', ['b', '-', '1'], ['d']], ['^[a-c-9]$', '', ['b', '-', '9'], ['8']], ['^[\\n-z]$', '', ['\n', 'z', ' '], ['{']],
  ['^[]a]$', '', [']', 'a'], ['b']], ['^[^]a]$', '', ['b', '^'], [']', 'a']], ['^[:a]$', '', [':', 'a'], ['b']], ['^[[x]$', '', ['[', 'x'], ['u']],
  ['^b', 'm', ['b', 'a\nb', '\nb'], ['ab']], ['^$', 'm', ['', '\n', '\n\na'], ['a', 'a\n']], ['(^)*b', 'm', ['ab'], ['a']],
  ['(?:^)?b', 'm', ['ab', 'a\nb'], ['a']], ['a^b', 'm', [], ['ab', 'a\nb']], ['a\\n^b', 'm', ['a\nb'], ['ab']],
  ['(?<=a{2})b', '', ['aab'], ['ab']], ['(?<=ab|c)d', '', ['abd', 'cd'], ['bd']], ['(?<=a)b+', '', ['abb'], ['bb']]
]

module.exports = {
  'patterns that PCRE2 refuses': function (t) {
    for (const pattern of REFUSED) {
      for (const $options of ['', 'm']) {
        t.throws(() => matcher({ a: { $regex: pattern, $options } }), /no such regular expression/, pattern)
      }
    }
    t.done()
  },

  'what patterns match': function (t) {
    for (const [$regex, $options, those, others] of READ) {
      const matches = matcher({ a: { $regex, $options } })
      t.deepStrictEqual([...those, ...others].filter(text => matches(document(text))), those, `/${$regex}/${$options}`)
    }
    t.done()
  }
}
