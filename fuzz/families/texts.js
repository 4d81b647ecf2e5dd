'use strict'

// Families of texts that are hostile to readers.

const repeat = (text, n) => text.repeat(Math.ceil(n))
const join = (n, make) => Array.from({ length: Math.ceil(n) }, (_, i) => make(i)).join()

/** Extended JSON. @type {Record<string, {make: (n: number) => string, size?: number}>} */
const families = {
  'many keys': { make: n => `{${join(n, i => `"k${i}":${i}`)}}` },
  'many types': { make: n => `{${join(n, i => `"k${i}":{"$numberLong":"${i}"}`)}}` },
  'many ids': { make: n => `[${join(n, i => `{"$oid":"${String(i).padStart(24, '0')}"}`)}]` },
  'the same key': { make: n => `{${join(n, i => `"k":${i}`)}}` },
  'keys with a dollar': { make: n => `{${join(n, i => `"$k${i}":1`)}}` },
  'deep objects': { make: n => `${repeat('{"a":', n)}1${repeat('}', n)}` },
  'deep arrays': { make: n => `${repeat('[', n)}1.0${repeat(']', n)}` },
  'deep and not closed': { make: n => repeat('{"a":[', n) },
  'deep wrappers': { make: n => `${repeat('{"$date":', n)}1${repeat('}', n)}` },
  'a wrong wrapper around much': { make: n => `{"a":{"$maxKey":2,"x":[${join(n, i => i)}]}}` },
  'deep scopes': { make: n => `${repeat('{"$code":"f","$scope":{"a":', n)}1${repeat('}}', n)}` },
  'a long string': { make: n => `{"a":"${repeat('x', 20 * n)}","b":{"$numberInt":"1"}}` },
  'a string of escapes': { make: n => `{"b":9007199254740993,"a":"${repeat('\\\\', 10 * n)}"}` },
  'a string that does not end': { make: n => `{"a":"${repeat('\\"', 10 * n)}` },
  'a long integer': { make: n => `{"b":1.0,"a":${repeat('7', 20 * n)}}` },
  'a long integer, negative, in a document of types': { make: n => `{"$a":{"$oid":"0123456789abcdef01234567"},"a":-${repeat('7', 20 * n)}}` },
  'a long fraction': { make: n => `{"b":1.0,"a":0.${repeat('7', 20 * n)}}` },
  'a long fraction of zeros': { make: n => `{"b":1.0,"a":0.${repeat('0', 20 * n)}1}` },
  'a long exponent': { make: n => `{"b":1.0,"a":1e${repeat('1', 20 * n)}}` },
  'many long integers': { make: n => `[1.0,${join(n / 10, () => repeat('7', 400))}]` },
  'white space': { make: n => `{"a":${repeat(' \n\t', 10 * n)}1.0}` },
  'white space at the end': { make: n => `{"a":1.0}${repeat(' \n\t', 10 * n)}x` },
  'commas': { make: n => `[1.0,${repeat(',', 20 * n)}]` },
  ...Object.fromEntries(['$numberDecimal', '$numberDouble', '$numberInt', '$numberLong', '$date', '$oid', '$uuid'].flatMap(name => [
    [`a long ${name}`, { make: n => `{"a":{"${name}":"${repeat('1', 20 * n)}"}}` }],
    [`a long ${name}, wrong at the end`, { make: n => `{"a":{"${name}":"${repeat('1', 20 * n)}x"}}` }],
    [`a long ${name} of zeros`, { make: n => `{"a":{"${name}":"0.${repeat('0', 20 * n)}1"}}` }]
  ])),
  'long base64': { make: n => `{"a":{"$binary":{"base64":"${repeat('AAAA', 10 * n)}","subType":"00"}}}` },
  'long base64, wrong at the end': { make: n => `{"a":{"$binary":{"base64":"${repeat('AAAA', 10 * n)}=A","subType":"00"}}}` },
  'long regular expression options': { make: n => `{"a":{"$regularExpression":{"pattern":"","options":"${repeat('imx', 10 * n)}"}}}` }
}

/** Strings that the classes parse. */
const strings = {
  digits: { make: n => repeat('7', 20 * n) },
  'digits and a letter': { make: n => `${repeat('7', 20 * n)}x` },
  zeros: { make: n => `${repeat('0', 20 * n)}1` },
  'a fraction of zeros': { make: n => `0.${repeat('0', 20 * n)}1` },
  'zeros at the end': { make: n => `1${repeat('0', 20 * n)}` },
  'a long exponent': { make: n => `1e${repeat('9', 20 * n)}` },
  'signs': { make: n => repeat('-', 20 * n) },
  'white space': { make: n => `${repeat(' ', 20 * n)}1` },
  'hexadecimal digits': { make: n => repeat('ab', 10 * n) },
  'dashes': { make: n => repeat('a-', 10 * n) }
}

module.exports = { families, strings }
