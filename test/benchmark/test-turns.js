'use strict'

const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { start } = require('../../benchmark/runner/process')

module.exports = {
  'contenders take their samples in turn': async function(t) {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-turns-')), 'log')
    const script = path.join(path.dirname(file), 'child.js')
    fs.writeFileSync(script, `
      const fs = require('node:fs')
      const { name, count } = JSON.parse(process.argv[2])
      for (let i = 0; i < count; i++) {
        fs.writeSync(1, 'turn\\n')
        fs.readSync(0, Buffer.alloc(1))
        fs.appendFileSync(${JSON.stringify(file)}, name + i + ' ')
      }
      if (name === 'c') throw new Error('of c')
      console.log(JSON.stringify(name))
    `)
    const processes = []
    const turns = []
    for (const [name, count] of Object.entries({ a: 3, b: 1, c: 2 })) {
      const one = start({ path: process.execPath }, [], [], { name, count }, script)
      processes.push(one)
      turns.push(await one.goOn())
    }
    for (let round = 0; round < 3; round++) for (const one of processes) turns.push(await one.goOn())
    t.strictEqual(fs.readFileSync(file, 'utf8'), 'a0 b0 c0 a1 c1 a2 ')
    t.deepStrictEqual(turns, [true, true, true, true, false, true, true, false, false, false, false, false])
    t.strictEqual(await processes[0].answer, 'a')
    await assert.rejects(processes[2].answer, /of c/)
    fs.rmSync(path.dirname(file), { recursive: true })
    t.done()
  }
}
