'use strict'

// In Jest and in Vitest.

const fs = require('node:fs')
const path = require('node:path')

require('./portable.js')

test('the portable suite', () => {
  const result = runPortable(require('qbson'), require('qbson/json'))
  fs.writeFileSync(path.join(__dirname, 'result.json'), JSON.stringify(result))
}, 300_000)
