'use strict'

const { BSONValue, defaultInspect } = require('./bson-value')

/** JavaScript code, with or without a scope. */
class Code extends BSONValue {
  /** @returns {'Code'} */ get _bsontype() { return 'Code' }

  /**
   * @param {string | Function} code a function is replaced by its source
   * @param {Document | null} [scope] values for the code's free variables
   */
  constructor(code, scope) {
    super()
    this.code = code.toString()
    /** @type {Document | null} */
    this.scope = scope ?? null
  }

  /** What `JSON.stringify` writes. @returns {{code: string, scope?: Document}} */
  toJSON() {
    const { code, scope } = this
    return scope === null || scope === undefined ? { code } : { code, scope }
  }

  /** @returns {CodeExtended} @internal */
  toExtendedJSON() {
    return this.scope ? { $code: this.code, $scope: this.scope } : { $code: this.code }
  }

  /** @param {CodeExtended} doc @returns {Code} @internal */
  static fromExtendedJSON(doc) {
    return new Code(doc.$code, doc.$scope)
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    const code = inspect(this.code, options)
    const line = code.includes('\n') ? '\n' : ''
    if (this.scope === null || this.scope === undefined) return `new Code(${line}${code}${this.scope === null ? line : ''})`
    return `new Code(${line}${code},${line || ' '}${inspect(this.scope, options)})`
  }
}

/** @typedef {import('./bson-value').Document} Document */
/** @typedef {{$code: string, $scope?: Document}} CodeExtended */

module.exports = { Code }
