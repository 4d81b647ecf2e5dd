'use strict'

/**
 * @param {any} suite
 * @param {any[]} results
 * @returns {Promise<{file: string, svg: string}[]>}
 */
async function charts(suite, results) {
  return suite.charts && results ? [] : []
}

function sizeAndTimeCharts() {
  return []
}

module.exports = { charts, sizeAndTimeCharts }
