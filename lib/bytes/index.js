'use strict'

// Bytes, and text and numbers in them, independent of BSON.

const {
  NodeBuffer, BufferView, getInt32, getUint32, getInt64, isExactInt64, getInt24, putInt32, putInt64, putInt24,
  adviceForText, getterOf, isUint8Array, checkRange, isAnyArrayBuffer, isMemory, memoryBytes, toBytes, isResizable,
  allocate, allocateCopy, copyOf, copyBytes, getLatin1, concat, compareBytes, equals, BASE64, toBase64,
  fromBase64
} = require('./memory')
const { DIGIT, NIBBLE, hexByte, hexInt24, toHex, fromHex } = require('./hex')
const { POWERS_OF_TEN, getDouble, doubleOf, setDouble, putDouble } = require('./float')
const { utf8Length, putUtf8, utf8Bytes, getUtf8, getUtf8Lossy, checkUtf8, findInvalidUtf8 } = require('./utf8')
const { SHORT, MIDDLE, getMiddle, getText } = require('./utf8/text')
const { sequenceLength, wrongLength } = require('./utf8/sequences')
const { putIndexName } = require('./index-names')
const { FrameQueue } = require('./frame-queue')
const { GrowingBytes } = require('./growing')

module.exports = {
  NodeBuffer, BufferView, getInt32, getUint32, getInt64, isExactInt64, getInt24, putInt32, putInt64, putInt24,
  adviceForText, getterOf, isUint8Array, checkRange, isAnyArrayBuffer, isMemory, memoryBytes, toBytes, isResizable,
  allocate, allocateCopy, copyOf, copyBytes, getLatin1, concat, compareBytes, equals, BASE64, toBase64, fromBase64,
  DIGIT, NIBBLE, hexByte, hexInt24, toHex, fromHex, POWERS_OF_TEN, getDouble, doubleOf, setDouble, putDouble,
  utf8Length, putUtf8, utf8Bytes, getUtf8, getUtf8Lossy, checkUtf8, findInvalidUtf8, SHORT, MIDDLE, getMiddle, getText,
  sequenceLength, wrongLength, putIndexName, FrameQueue, GrowingBytes
}
