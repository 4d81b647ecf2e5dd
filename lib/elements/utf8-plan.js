'use strict'

const { BSONError } = require('../errors')

/** Checks all text. */
const ALL_UTF8 = { utf8: true, utf8Except: null }

/**
 * @param {import('./validate').ValidateOptions['validation']} [validation]
 * @returns {{utf8: boolean, utf8Except: Set<string> | null}} whether text is checked to be UTF-8, and the top-level
 *   fields for which the opposite applies
 * @throws {BSONError} on an invalid setting
 */
function utf8Plan(validation) {
  const setting = validation === undefined || validation === null ? true : validation.utf8
  if (typeof setting === 'boolean') return { utf8: setting, utf8Except: null }
  const values = Object.values(setting ?? { setting })
  if (values.length === 0) throw new BSONError('UTF-8 validation setting cannot be empty')
  if (typeof values[0] !== 'boolean') throw new BSONError('Invalid UTF-8 validation option, must specify boolean values')
  if (!values.every(value => value === values[0])) {
    throw new BSONError('Invalid UTF-8 validation option - keys must be all true or all false')
  }
  return { utf8: !values[0], utf8Except: new Set(Object.keys(setting)) }
}

module.exports = { utf8Plan, ALL_UTF8 }
