'use strict'

// The characters of ASCII that mean something in JSON, CSV, numbers and times.

module.exports = {
  LINE_FEED: 0x0a,
  SPACE: 0x20,
  QUOTE: 0x22,
  DOLLAR: 0x24,
  APOSTROPHE: 0x27,
  PLUS: 0x2b,
  COMMA: 0x2c,
  MINUS: 0x2d,
  POINT: 0x2e,
  ZERO: 0x30,
  NINE: 0x39,
  COLON: 0x3a,
  OPEN_ARRAY: 0x5b,
  BACKSLASH: 0x5c,
  CLOSE_ARRAY: 0x5d,
  OPEN_DOCUMENT: 0x7b,
  CLOSE_DOCUMENT: 0x7d
}
