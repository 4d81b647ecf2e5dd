'use strict'

const os = require('node:os')
const { execFileSync } = require('node:child_process')
const { versions } = require('../contenders')

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
 * @param {string} date
 * @returns {string}
 */
function machineLine(host, node, date) {
  return `${host.cpu}, ${host.cores} cores, ${host.os}, Node ${node.version} (V8 ${node.v8}), ` +
    `${host.packages.join(', ')}; ${date}`
}

module.exports = { machine, machineLine, nodeVersion }
