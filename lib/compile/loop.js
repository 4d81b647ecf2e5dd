'use strict'

// `decode`'s own loop, entered where a generated reader stopped.

const { noKey } = require('../decode/keys')
const { scanElement } = require('../decode/scan')
const { FIELDS, REST, ITEMS, read, readItems } = require('../decode/read')
const { Reader } = require('../decode/reader')

/** @type {Reader | null} the one that is not in use */
let idle = null

/** @param {import('../decode/decode').DecodePlan} plan @param {any} site the key under which what is read stands */
function enter(plan, site, buf, view) {
  const r = idle ?? new Reader()
  idle = null
  r.plan = plan
  r.buf = buf
  r.view = view ?? new DataView(buf.buffer, buf.byteOffset, buf.length)
  r.site = site
  return r
}

function exit(r, value) {
  r.buf = r.scratch
  r.view = r.scratchView
  idle = r
  return value
}

module.exports = { FIELDS, REST, ITEMS, noKey, enter, exit, read, readItems, scanElement }
