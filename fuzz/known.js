'use strict'

/**
 * Known faults that are not fixed yet. Findings that they explain are counted, not reported. It is meant to be empty.
 *
 * @type {{target: string, name: string, isIt: (input: any, message: string) => boolean}[]}
 */
const known = []

/** @returns {string | undefined} the name of the known fault that explains a failure */
function knownFault(target, input, error) {
  const fault = known.find(each => each.target === target && each.isIt(input, String(error?.message)))
  return fault && `known: ${fault.name}`
}

module.exports = { known, knownFault }
