'use strict'

// Inputs as JSON files: bytes are `{"$hex": "…"}`, everything else is JSON already.

const crypto = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')

/** Where `npm test` looks for them. */
const REGRESSIONS = path.join(__dirname, '..', 'test', 'regressions')

/** @param {any} input @returns {any} a value for JSON.stringify */
function toJson(input) {
  if (input instanceof Uint8Array) return { $hex: Buffer.from(input).toString('hex') }
  if (Array.isArray(input)) return input.map(toJson)
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, toJson(value)]))
}

/** @param {any} json @returns {any} the input */
function fromJson(json) {
  if (Array.isArray(json)) return json.map(fromJson)
  if (typeof json !== 'object' || json === null) return json
  if (typeof json.$hex === 'string') return Buffer.from(json.$hex, 'hex')
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, fromJson(value)]))
}

/**
 * @param {{target: string, input: any, message: string}} found
 * @param {string} [directory]
 * @returns {string} the file
 */
function save({ target, input, message }, directory = REGRESSIONS) {
  const json = JSON.stringify(toJson(input))
  const name = `${target}-${crypto.createHash('sha256').update(json).digest('hex').slice(0, 10)}.json`
  const file = path.join(directory, name)
  fs.mkdirSync(directory, { recursive: true })
  const [said] = message.split('\n')
  fs.writeFileSync(file, `{\n  "target": "${target}",\n  "said": ${JSON.stringify(said.slice(0, 200))},\n  "input": ${json}\n}\n`)
  return file
}

/** @param {string} file @returns {{target: string, said: string, input: any}} */
function read(file) {
  const { target, said, input } = JSON.parse(fs.readFileSync(file, 'utf8'))
  return { target, said, input: fromJson(input) }
}

/** @returns {string[]} the saved files */
function kept(directory = REGRESSIONS) {
  return fs.readdirSync(directory).filter(name => name.endsWith('.json')).sort().map(name => path.join(directory, name))
}

module.exports = { save, read, kept, toJson, fromJson, REGRESSIONS }
