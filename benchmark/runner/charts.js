'use strict'

/**
 * @param {any} suite
 * @param {any[]} results
 * @returns {Promise<{file: string, svg: string}[]>}
 */
async function charts(suite, results) {
  return suite.charts ? [] : []
}

module.exports = { charts }
