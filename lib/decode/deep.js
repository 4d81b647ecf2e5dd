'use strict'

// Documents deeper than the stack would hold: the same elements, with the levels in a chain of frames.

const { isInherited, setOwn } = require('../properties')
const { ELEMENT } = require('../spec')
const { errorAtOffset } = require('../errors')
const { scanName, scanElement, innerDocument, tooDeep } = require('./scan')
const { Code } = require('../types')
const get = require('./get')
const { lookUp } = require('./keys')
const { FIELDS, SCOPE, ITEMS, RAW_ITEMS, read, itemsOf, asDBRef } = require('./read')

/**
 * The document at `pos`, behind which is `next`; `depth` is that of the document that holds it, 0 for the root: then
 * its keys may say whether text is checked.
 */
function readDeep(r, pos, next, kind, depth) {
  const { buf, plan } = r
  let frame = openFrame(plan, { pos, next, kind, depth: depth + 1, parent: null, text: '', code: null })
  const exceptions = depth === 0 ? plan.utf8Except : null
  pos += 4
  while (true) {
    if (pos === frame.end) {
      const value = closeFrame(frame)
      if (frame.parent === null) return value
      put(frame.parent, frame.text, value)
      pos = frame.next
      frame = frame.parent
      continue
    }
    const isRoot = exceptions !== null && frame.depth === 1
    if (isRoot) r.plan = plan
    const type = buf[pos]
    const nameEnd = scanName(buf, pos + 1, frame.end)
    const text = frame.kind >= ITEMS ? '' : nameOf(r, frame, pos + 1)
    if (isRoot && exceptions.has(text)) r.plan = uncheck(plan)
    const after = scanElement(type, buf, pos, nameEnd, frame.end)
    const inner = isOpened(type, frame, plan) ? innerDocument(type, buf, nameEnd + 1) : -1
    if (inner === -1) {
      put(frame, text, read(r, null, pos, after, frame.kind >= ITEMS ? frame.kind : ITEMS, frame.depth)[0])
      pos = after
      continue
    }
    const code = type === ELEMENT.CODE_WITH_SCOPE ? get.getString(buf, nameEnd + 5, inner, r.plan.utf8) : null
    const kind = kindOf(type, frame, text, plan)
    frame = openFrame(plan, { pos: inner, next: after, kind, depth: frame.depth + 1, parent: frame, text, code })
    pos = inner + 4
  }
}

/** The plan for a field for which the opposite holds. */
function uncheck(plan) {
  return { ...plan, utf8: !plan.utf8, utf8Names: !plan.utf8 && !plan.isLenient }
}

function kindOf(type, frame, text, plan) {
  if (type === ELEMENT.DOCUMENT) return FIELDS
  if (type === ELEMENT.CODE_WITH_SCOPE) return SCOPE
  return plan.fieldsAsRaw === null ? ITEMS : itemsOf(plan, frame.kind, frame.kind >= ITEMS ? frame.doc.length : text)
}

/** Whether a value is a document to go into, not one that stays bytes. */
function isOpened(type, frame, plan) {
  if (type === ELEMENT.DOCUMENT) return !plan.raw && frame.kind !== RAW_ITEMS
  return type === ELEMENT.ARRAY || type === ELEMENT.CODE_WITH_SCOPE
}

function openFrame({ maxDepth }, { pos, next, kind, depth, parent, text, code }) {
  if (depth > maxDepth) throw errorAtOffset(tooDeep(maxDepth), pos)
  return { doc: kind >= ITEMS ? [] : {}, kind, end: next - 1, next, parent, text, depth, code, specials: 0 }
}

/** The name of a field, and what is special about it. */
function nameOf(r, frame, start) {
  const { text, special } = lookUp(r, r.site, false, start, frame.end)
  frame.specials |= special
  return text
}

function closeFrame({ doc, kind, code, specials }) {
  if (code !== null) return new Code(code, doc)
  return kind === FIELDS && specials !== 0 ? asDBRef(doc, specials) : doc
}

function put({ doc, kind }, text, value) {
  if (kind >= ITEMS) doc.push(value)
  else if (isInherited(text)) setOwn(doc, text, value)
  else doc[text] = value
}

module.exports = { readDeep }
