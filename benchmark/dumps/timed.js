'use strict'

// Runs a program, discards its output, and returns the time it took.

const { spawnSync } = require('node:child_process')

/** The shell prints the time of its children: `0m1.25s 0m0.04s` in the second line. */
const SCRIPT = '"$@" > /dev/null; code=$?; times; exit $code'

/** @returns {{wall: number, processor: number}} ms; `processor` is the sum over all cores */
function timed([command, ...args]) {
  const start = process.hrtime.bigint()
  const { status, stdout, stderr } = spawnSync('sh', ['-c', SCRIPT, 'sh', command, ...args], { encoding: 'utf8' })
  const wall = Number(process.hrtime.bigint() - start) / 1e6
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  const [user, system] = [...stdout.split('\n')[1].matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s))
  return { wall, processor: (user + system) * 1000 }
}

/** @returns {Buffer} what it prints */
function outputOf([command, ...args]) {
  const { status, stdout, stderr } = spawnSync(command, args, { maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  return stdout
}

module.exports = { timed, outputOf }
