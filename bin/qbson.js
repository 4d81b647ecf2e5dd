#!/usr/bin/env node
'use strict'

require('../dist/node/cli.cjs').main().then(code => {
  process.exitCode = code
})
