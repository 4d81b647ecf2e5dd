'use strict'

// What the types print where there is no util.inspect to ask, and how they colour where there is.

/** @typedef {(value: unknown, options?: unknown) => string} InspectFn */

/** Stands in for Node's util.inspect on other runtimes. @type {InspectFn} */
function defaultInspect(value) {
  return JSON.stringify(value, (_key, item) => {
    if (typeof item === 'bigint') return { $numberLong: `${item}` }
    return item?.[Symbol.toStringTag] === 'Map' ? Object.fromEntries(item) : item // a Map of another realm too
  })
}

/**
 * @param {any} options of util.inspect
 * @returns {(text: string, style: string) => string} which colours when the caller asks for colours
 */
function stylizer(options) {
  return typeof options?.stylize === 'function' ? options.stylize : text => text
}

module.exports = { defaultInspect, stylizer }
