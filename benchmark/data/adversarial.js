'use strict'

// Documents for which learning shapes cannot help, and must not cost much.

const { random } = require('./random')

const key = (next, length = 8) => Array.from({ length }, () => String.fromCharCode(97 + next() % 26)).join('')

const object = keys => Object.fromEntries(keys.map((name, i) => [name, i % 3 === 0 ? `text ${i}` : i]))

/** Takes seconds. */
const LONGEST = '100,000 keys'

const subjects = {
  'different keys': next => Array.from({ length: 10000 }, () => object(Array.from({ length: 6 }, () => key(next)))),
  'a thousand shapes': next => {
    const shapes = Array.from({ length: 1000 }, () => Array.from({ length: 4 + next() % 6 }, () => key(next, 3)))
    return Array.from({ length: 10000 }, () => object(shapes[next() % shapes.length]))
  },
  'long prefixes': next => {
    const prefix = 'a.long.common.prefix.of.all.keys.'
    const common = Array.from({ length: 12 }, (_, i) => prefix + i)
    return Array.from({ length: 10000 }, () => object([...common, prefix + key(next, 4), prefix + key(next, 4)]))
  },
  'ids as keys': next => Array.from({ length: 3000 }, () => object(Array.from({ length: 40 }, () => key(next, 24)))),
  'types that change': next => Array.from({ length: 10000 }, () => {
    const values = [1, 'text', null, 2.5, true, { a: 1 }, [1, 2], new Date(0)]
    return Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`field${i}`, values[next() % values.length]]))
  }),
  [LONGEST]: next => Array.from({ length: 2 }, () => object(Array.from({ length: 100000 }, () => key(next))))
}

/**
 * @param {string} subject
 * @returns {any[]} the same documents every time
 */
const adversarial = subject => subjects[subject](random(11))

module.exports = { subjects: Object.keys(subjects), adversarial, LONGEST }
