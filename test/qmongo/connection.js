'use strict'

const { connect } = require('../../examples/qmongo')

/** Runs `use` on a connection of the example client, which is closed afterwards. */
async function withConnection(uri, use) {
  const connection = await connect(uri)
  try {
    return await use(connection)
  } finally {
    connection.close()
  }
}

/** What a promise is rejected with. */
async function rejection(promise) {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it was not rejected')
}

module.exports = { withConnection, rejection }
