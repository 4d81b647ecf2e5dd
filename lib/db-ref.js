'use strict'

// A DBRef is written as a document: https://www.mongodb.com/docs/manual/reference/database-references/

const { dbRefDocument } = require('./types/db-ref')

/**
 * Its keys start with `$`, and an id that is undefined is left out, whatever the options say.
 *
 * @param {import('./encode-plan').EncodePlan} plan
 * @returns {import('./encode-plan').EncodePlan}
 */
function dbRefPlan(plan) {
  return plan.checkKeys || !plan.ignoreUndefined ? { ...plan, checkKeys: false, ignoreUndefined: true } : plan
}

module.exports = { dbRefDocument, dbRefPlan }
