'use strict'

// Runs programs in the folder where the package is installed.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

/** ms */
const LONGEST = 300_000

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<string>} its standard output
 * @throws {Error} with the end of its standard error
 */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST, killSignal: 'SIGKILL', ...options })
    const [out, err] = [[], []]
    child.stdout.on('data', chunk => out.push(chunk))
    child.stderr.on('data', chunk => err.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const [stdout, stderr] = [out, err].map(list => Buffer.concat(list).toString())
      if (code === 0) return resolve(stdout)
      reject(new Error(signal ? `ended by ${signal}` : `exit code ${code}: ${(stderr || stdout).trim().slice(-600)}`))
    })
  })
}

/** The result that a host prints in its last line. @param {string} output */
function resultOf(output) {
  return JSON.parse(output.trim().split('\n').at(-1))
}

/** @param {string} folder @param {string} name of a package @returns {string | null} its folder, when it is installed */
function packageOf(folder, name) {
  const found = path.join(folder, 'node_modules', name)
  return fs.existsSync(found) ? found : null
}

module.exports = { LONGEST, run, resultOf, packageOf }
