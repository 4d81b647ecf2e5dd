'use strict'

// The characters of ASCII that mean something in JSON, CSV, numbers and times.

const LINE_FEED = 0x0a
const SPACE = 0x20
const QUOTE = 0x22
const DOLLAR = 0x24
const APOSTROPHE = 0x27
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_DOCUMENT = 0x7b
const CLOSE_DOCUMENT = 0x7d

module.exports = {
  LINE_FEED, SPACE, QUOTE, DOLLAR, APOSTROPHE, PLUS, COMMA, MINUS, POINT, ZERO, NINE, COLON, OPEN_ARRAY, BACKSLASH,
  CLOSE_ARRAY, OPEN_DOCUMENT, CLOSE_DOCUMENT
}
