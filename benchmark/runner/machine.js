'use strict'

const os = require('node:os')
const { execFileSync } = require('node:child_process')
const path = require('node:path')
const { versions } = require('../contenders')
const { BROWSERS, browser } = require('../browser')

/** Other runtimes that run the same script, as installed by test/runtimes. */
const RUNTIMES = {
  bun: { file: '@oven/bun-linux-x64/bin/bun', args: [], engine: 'JavaScriptCore' },
  deno: { file: '@deno/linux-x64-glibc/deno', args: ['run', '--allow-all', '--node-modules-dir=manual'], engine: 'V8' }
}

/** A command that keeps a process on the last core that this one may use, if the system has one. */
const pin = (() => {
  try {
    const mine = execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8', stdio: 'pipe' })
    return ['taskset', '-c', /\d+$/.exec(mine.trim())[0]]
  } catch {
    return []
  }
})()

/**
 * @param {string} node path of a Node binary
 * @returns {{path: string, version: string, v8: string}} `version` without the v
 */
function nodeVersion(node) {
  const script = 'process.stdout.write(JSON.stringify([process.versions.node, process.versions.v8]))'
  const [version, v8] = JSON.parse(execFileSync(node, ['-e', script], { encoding: 'utf8' }))
  return { path: node, version, v8 }
}

/**
 * @param {string} name bun, deno, chromium or firefox
 * @returns {any} `version` with the name; `v8`, its engine; `path` and `args` of a program, or the `contenders` and a
 *   function `ask`
 * @throws {Error} when it is not installed
 */
function runtimeVersion(name) {
  if (BROWSERS.includes(name)) return browser(name)
  const runtime = RUNTIMES[name]
  if (!runtime) throw new Error(`no runtime ${name}; there are ${[...Object.keys(RUNTIMES), ...BROWSERS].join(', ')}`)
  const file = path.join(__dirname, '..', '..', 'test', 'runtimes', 'node_modules', runtime.file)
  const [version] = /\d+\.\d+\.\d+/.exec(execFileSync(file, ['--version'], { encoding: 'utf8' }))
  return { path: file, args: runtime.args, version: `${name} ${version}`, v8: runtime.engine }
}

/** @param {string} version of Node, or with a name before it */
function titleOf(version) {
  return /^\d/.test(version) ? `Node ${version}` : version
}

/**
 * @returns {{cpu: string, cores: number, os: string, packages: string[]}}
 */
function machine() {
  const [cpu] = os.cpus()
  const speed = cpu.speed > 0 ? ` at ${(cpu.speed / 1000).toFixed(1)} GHz` : ''
  return {
    cpu: cpu.model.trim() + speed,
    cores: os.cpus().length,
    os: `${os.type()} ${os.release()} ${os.arch()}`,
    packages: versions()
  }
}

/**
 * One line that names everything the figures depend on.
 * @param {ReturnType<typeof machine>} host
 * @param {{version: string, v8: string}} node
 * @returns {string}
 */
function machineLine(host, node) {
  return `${host.cpu}, ${host.cores} cores, ${host.os}, ${titleOf(node.version)} (${/^\d/.test(node.v8) ? 'V8 ' : ''}${node.v8}), ` +
    host.packages.join(', ')
}

module.exports = { pin, machine, machineLine, nodeVersion, runtimeVersion, titleOf }
