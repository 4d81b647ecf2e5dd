'use strict'

// Whether the keys of documents are data, such as ids, so that the documents are maps.

/** With at least MAP_NAMES names, documents are maps if the mean name is in less than MAP_SHARE of them. */
const MAP_NAMES = 12
const MAP_SHARE = 0.25

/** Numbers, ObjectIds, UUIDs. */
const DATA_KEY = /^(\d+|[0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** @param {string[]} names @returns {boolean} whether each says that it is data */
function areDataKeys(names) {
  return names.length > 1 && names.every(name => DATA_KEY.test(name))
}

/** Whether names are too rare for fields. @param {number} names @param {number} seen in how many documents */
function areRare(names, seen, documents) {
  return names >= MAP_NAMES && seen / names < MAP_SHARE * documents
}

module.exports = { areDataKeys, areRare }
