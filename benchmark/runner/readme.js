'use strict'

function writeReadme() {}

module.exports = { writeReadme }
