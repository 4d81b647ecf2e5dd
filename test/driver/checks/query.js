'use strict'

// The table of the query operators on a server: it finds the documents that qbson/query finds, or its error is known.

const assert = require('assert')
const { EJSON } = require('../../../qbson')
const { tableOf } = require('../../fixtures/query-table')

/** What mongo-java-server does otherwise than MongoDB, and the queries of the table that show it. */
const ERRORS_OF_JAVA = {
  'numbers of different types are compared as doubles, or as decimals of their shortest digits': [
    '{"a":0.1}', '{"a":0.25}', '{"a":9007199254740993}', '{"a":{"$numberDecimal":"0.1"}}',
    '{"a":{"$gt":{"$numberDecimal":"1E+400"}}}'
  ],
  'NaN is greater than all numbers': ['{"a":{"$gt":1}}', '{"a":{"$gte":1}}', '{"a":{"$gt":{"$numberDouble":"Infinity"}}}'],
  'null and a missing field are not greater than or equal to null': ['{"a":{"$gte":null}}'],
  'texts are compared by UTF-16 units': ['{"a":{"$gt":"\uffff"}}'],
  'an array that begins with another is not greater': ['{"a":{"$gt":[1,2]}}'],
  'an empty document equals an empty array and a missing field': ['{"a":{}}'],
  'an array in an array does not equal an array': ['{"a":[1,2]}', '{"a":[]}'],
  'several conditions must hold for the same item': [
    '{"a":{"$lte":5,"$gte":4}}', '{"$or":[{"a":{"$in":[1,2],"$gt":1}},{"a":{"$eq":3,"$lt":3}},{"a":9}]}'
  ],
  'a path goes through arrays in arrays': ['{"a.b":1}'],
  'what is not a document lacks the field': ['{"a.b":null}'],
  'a number in a path is only an index where there is an array': ['{"a.0":1}'],
  '$all needs an array, and does not find the array itself': ['{"a":{"$all":[1]}}', '{"a":{"$all":[[1,2]]}}'],
  'a pattern does not equal a pattern': [
    '{"a":{"$eq":{"$regularExpression":{"pattern":"x","options":"i"}}}}',
    '{"a":{"$regularExpression":{"pattern":"^x","options":"i"}}}',
    '{"a":{"$in":[1,"x",null,{"$regularExpression":{"pattern":"^y","options":""}}]}}'
  ],
  'an array does not equal one in $in, and numbers are compared as above': [
    '{"a":{"$in":[{"$oid":"65a0c0de0000000000000001"},{"$numberDecimal":"0.1"},9007199254740993,[1],{"b":1},{"$date":"1970-01-01T00:00:00.005Z"},true]}}'
  ],
  'a dot does not match a carriage return': ['{"a":{"$regex":"a.c"}}'],
  'an empty text has no line for the option m': ['{"a":{"$regex":"^\\\\s*$","$options":"m"}}'],
  'the option x passes over the white space of ASCII only': ['{"a":{"$regex":"( a )\u2028\x85\u200e\u200f\u2029\\\\1 b","$options":"x"}}'],
  'unknown operators': [
    '{"$jsonSchema":{"required":["a"],"properties":{"a":{"bsonType":"int","minimum":2}}}}', '{"a":{"$bitsAllClear":[0,3]}}',
    '{"$jsonSchema":{"properties":{"a":{"pattern":"(?i)\\\\Ax\\\\-.$"},"b":{"patternProperties":{"\\\\-$":{"bsonType":"int"}}}}}}',
    '{"a":{"$bitsAllSet":35}}', '{"a":{"$bitsAllSet":[1,5]}}', '{"a":{"$bitsAllSet":[100]}}', '{"a":{"$bitsAllSet":[40]}}',
    '{"a":{"$bitsAnyClear":35}}', '{"a":{"$bitsAnySet":{"$binary":{"base64":"MA==","subType":"00"}}}}'
  ]
}

const WRONG = { java: ERRORS_OF_JAVA, uri: {} }

/** mongo-java-server closes the connection on symbols, and on binaries of subtype 4 or 5 that are not 16 bytes long. */
const NOT_HELD = { java: /"\$symbol"|"subType":"0[45]"/ }

/** @returns {Promise<number[] | string>} the ids, or why the query was refused */
async function foundBy(collection, query) {
  try {
    const found = await collection.find(query, { projection: { _id: 1 }, sort: { _id: 1 } }).toArray()
    return found.map(({ _id }) => _id)
  } catch (error) {
    if (error.code === undefined) throw error
    return error.message
  }
}

module.exports = {
  'queries find what qbson/query finds, but for known errors of the server': async context => {
    const { kind, bson } = context
    if (WRONG[kind] === undefined) context.skip('the errors of this server are not listed')
    const collection = await context.fresh('queries')
    const wrong = []
    for (const { query, matching, others } of tableOf(bson)) {
      if (NOT_HELD[kind]?.test(EJSON.stringify(query))) continue
      const documents = [...matching, ...others].map((document, _id) => ({ _id, ...document }))
        .filter(document => !NOT_HELD[kind]?.test(EJSON.stringify(document)))
      await collection.deleteMany({})
      if (documents.length > 0) await collection.insertMany(documents)
      const wanted = documents.map(({ _id }) => _id).filter(_id => _id < matching.length)
      const found = await foundBy(collection, query)
      if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push(EJSON.stringify(query))
    }
    assert.deepStrictEqual(wrong.sort(), Object.values(WRONG[kind]).flat().sort())
    return wrong
  }
}
