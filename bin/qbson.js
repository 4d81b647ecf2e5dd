#!/usr/bin/env node
'use strict'

require('../lib/cli').main().then(code => {
  process.exitCode = code
})
