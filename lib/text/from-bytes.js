'use strict'

// Texts and forms of Extended JSON straight from the bytes of a value, for json/ and ejson/.

const { getInt32 } = require('../bytes')
const { binaryOverhead } = require('../types')
const forms = require('./forms')
const { putDecimalAt } = require('./decimals')
const { putIdDigits } = require('./digits')
const { putText } = require('./strings')

/** @typedef {import('./writer').Writer} Writer */
/** @typedef {import('./write').Form} Form */

/** Writes a string in quotes. @param {Writer} w @param {number} start of its bytes @param {number} end */
function putUtf8(w, start, end, pos) {
  return putText(w, start, end, w.out.reserve(pos, end - start + 2))
}

/** @param {string} opening `{"$code":` @returns {Form} for code, or a symbol */
function textForm(opening) {
  return (w, start, next, pos) => {
    return forms.putText('}', w.out, putUtf8(w, start + 4, next - 1, forms.putText(opening, w.out, pos)))
  }
}

/** @param {string} opening `{"$code":` @param {string} before `,"$scope":` @returns {Form} without the scope */
function scopedForm(opening, before) {
  return (w, start, scope, pos) => {
    return forms.putText(before, w.out, putUtf8(w, start + 8, scope - 1, forms.putText(opening, w.out, pos)))
  }
}

/** @type {Form} */
function putId({ buf, out }, start, next, pos) {
  pos = forms.putForm(forms.OBJECT_ID, out, pos)
  return forms.putEnd(out.view, putIdDigits(buf, start, out.view, pos))
}

/** @type {Form} */
function putDecimal({ buf, view, out }, start, next, pos) {
  pos = out.reserve(forms.putForm(forms.NUMBER_DECIMAL, out, pos), 64)
  return forms.putEnd(out.view, putDecimalAt(buf, view, start, out.view, pos))
}

/** @param {Writer & {plan: {legacy: boolean}}} w */
function putBinary({ buf, plan: { legacy }, out }, start, next, pos) {
  const subtype = buf[start + 4]
  return forms.putBinary(buf, start + binaryOverhead(subtype), next, subtype, { legacy, out }, pos)
}

/** @returns {number | bigint} a number where that is exact */
function int64At(buf, pos) {
  return forms.int64Of(getInt32(buf, pos), getInt32(buf, pos + 4))
}

module.exports = { putUtf8, textForm, scopedForm, putId, putDecimal, putBinary, int64At }
