'use strict'

// How the types print themselves without util.inspect, and how they are coloured with it.

/** @typedef {(value: unknown, options?: unknown) => string} InspectFn */

/** Replaces Node's util.inspect on other runtimes. @type {InspectFn} */
function defaultInspect(value) {
  return JSON.stringify(value, (_key, item) => {
    if (typeof item === 'bigint') return { $numberLong: `${item}` }
    return item?.[Symbol.toStringTag] === 'Map' ? Object.fromEntries(item) : item // also a Map from another realm
  })
}

/**
 * @param {any} options the options of util.inspect
 * @returns {(text: string, style: string) => string} adds colours if the options ask for them
 */
function stylizer(options) {
  return typeof options?.stylize === 'function' ? options.stylize : text => text
}

module.exports = { defaultInspect, stylizer }
