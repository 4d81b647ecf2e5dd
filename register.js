'use strict'

// node --import qbson/register app.js

require('./lib/register').register()
