'use strict'

// Writes the values of rare types as JSON.stringify does, and other types as options ask.

const { ELEMENT, SUBTYPE } = require('../spec')
const { getInt32, getUint32, copyOf, toHex } = require('../bytes')
const { getRegex, getText, promoted } = require('../decode')
const { binaryOverhead, DBRef, UUID } = require('../types')
const { forms, fromBytes, putDecimalAt, putInt64At } = require('../text')

const { int64At, putDecimal, putUtf8, scopedForm, textForm } = fromBytes

/** Room for the digits of an int64. */
const DIGITS = 32

/** @type {Record<number, import('../text').Form>} */
const FORMS = {
  [ELEMENT.BINARY]: putBinary,
  [ELEMENT.REGEX]: putRegex,
  [ELEMENT.DB_POINTER]: putDBPointer,
  [ELEMENT.CODE]: textForm('{"code":'),
  [ELEMENT.SYMBOL]: (w, start, next, pos) => putUtf8(w, start + 4, next - 1, pos),
  [ELEMENT.CODE_WITH_SCOPE]: scopedForm('{"code":', ',"scope":'),
  [ELEMENT.TIMESTAMP]: putTimestamp,
  [ELEMENT.INT64]: putLong,
  [ELEMENT.DECIMAL128]: putDecimal,
  [ELEMENT.MIN_KEY]: ({ out }, start, next, pos) => forms.putText('{}', out, pos),
  [ELEMENT.MAX_KEY]: ({ out }, start, next, pos) => forms.putText('{}', out, pos)
}

/** @type {import('../text').Form} */
function putBinary({ buf, out }, start, next, pos) {
  const subtype = buf[start + 4]
  const first = start + binaryOverhead(subtype)
  if (subtype === SUBTYPE.UUID && next - first === 16) {
    return forms.putText(`"${new UUID(copyOf(buf, first, next)).toHexString()}"`, out, pos)
  }
  return forms.putText('"', out, forms.putAnyBase64(buf, first, next, out, forms.putText('"', out, pos)))
}

/** A RegExp has no fields; what only a BSONRegExp can say has two. @type {import('../text').Form} */
function putRegex({ buf, plan, out }, start, next, pos) {
  const how = { utf8Names: plan.utf8, bsonRegExp: false, isLenient: false }
  return out.append(pos, JSON.stringify(getRegex(buf, start, next, how)))
}

/** As the DBRef that it becomes. @type {import('../text').Form} */
function putDBPointer(w, start, next, pos) {
  const { buf, plan, out } = w
  const { collection, db } = new DBRef(getText(buf, start + 4, next - 13, plan.utf8), null)
  pos = putId(w, next - 12, out.append(pos, `{"$ref":${JSON.stringify(collection)},"$id":`))
  return out.append(pos, db === undefined ? '}' : `,"$db":${JSON.stringify(db)}}`)
}

function putId(w, start, pos) {
  const { buf, plan, out } = w
  const form = plan.forms[ELEMENT.OBJECT_ID]
  if (form !== undefined) return form(w, start, start + 12, pos)
  return forms.putText(`"${toHex(buf.subarray(start, start + 12))}"`, out, pos)
}

/** @type {import('../text').Form} */
function putTimestamp({ buf, view, out }, start, next, pos) {
  pos = out.reserve(forms.putText('{"$timestamp":"', out, pos), DIGITS)
  if (getInt32(buf, start + 4) >= 0) return forms.putText('"}', out, putInt64At(view, start, out.view, pos))
  const value = (BigInt(getUint32(buf, start + 4)) << 32n) | BigInt(getUint32(buf, start))
  return forms.putText(`${value}"}`, out, pos)
}

/** Beyond 2^53 as the Long that it becomes. @type {import('../text').Form} */
function putLong({ buf, out }, start, next, pos) {
  const low = getInt32(buf, start)
  const high = getInt32(buf, start + 4)
  const value = promoted(low, high)
  if (typeof value === 'number') return forms.putInteger(value, out, pos)
  return out.append(pos, JSON.stringify(value))
}

/** All digits of an int64, and of a time in ms. @type {import('../text').Form} */
function putDigits({ buf, out }, start, next, pos) {
  return forms.putInteger(int64At(buf, start), out, pos)
}

/** The same in quotes. @type {import('../text').Form} */
function putQuotedDigits(w, start, next, pos) {
  return forms.putText('"', w.out, putDigits(w, start, next, forms.putText('"', w.out, pos)))
}

/** @type {import('../text').Form} */
function putDecimalText({ buf, view, out }, start, next, pos) {
  pos = out.reserve(forms.putText('"', out, pos), 64)
  return forms.putText('"', out, putDecimalAt(buf, view, start, out.view, pos))
}

/** The digits as a number, and null for NaN and the infinities, as of doubles. @type {import('../text').Form} */
function putDecimalNumber({ buf, view, out }, start, next, pos) {
  if ((buf[start + 15] & 0x78) === 0x78) return forms.putForm(forms.NULL, out, pos)
  pos = out.reserve(pos, 64)
  return putDecimalAt(buf, view, start, out.view, pos)
}

module.exports = { FORMS, putDigits, putQuotedDigits, putDecimalText, putDecimalNumber }
