'use strict'

/** Runs checks, and prints what came of them. @param {Record<string, () => any>} checks */
module.exports = async function report(checks) {
  const result = { passed: 0, failed: 0, failures: [], digest: null }
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check()
      result.passed++
    } catch (error) {
      result.failed++
      result.failures.push(`${name}: ${error.message.split('\n')[0]}`)
    }
  }
  console.log(JSON.stringify(result))
}
