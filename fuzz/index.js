'use strict'

// `npm run fuzz -- --help`. README.md in this folder describes what is checked.

const path = require('node:path')
const { parse, USAGE } = require('./args')
const { fuzz, minimise, Found } = require('./run')
const { save, read } = require('./save')
const { targets } = require('./targets')

const log = text => console.log(text)

/** Prints a finding and the command that repeats it. */
async function report(found, plan) {
  const target = targets[found.target]
  log(`\nFAIL ${found.target}, seed ${found.seed}\n  ${found.message.split('\n').join('\n  ')}`)
  if (found.input === null) return log(`  npm run fuzz -- --target ${found.target} --seed ${found.seed} --runs 1`)
  const { input, isAlone } = await minimise(target, found.input, found.history)
  for (const [key, value] of Object.entries(input)) if (value instanceof Uint8Array) log(`  ${key}: ${Buffer.from(value).toString('hex')}`)
  log(`  npm run fuzz -- --target ${found.target} --seed ${found.seed} --runs 1`)
  if (!isAlone) return log('  it does not fail by itself: it needs what came before')
  const file = save({ target: found.target, input, message: found.message }, plan.keep)
  log(`  npm run fuzz -- --replay ${path.relative(process.cwd(), file)}`)
}

async function replay(file) {
  const { target, input } = read(file)
  const { check, checkAlone = check } = targets[target]
  log(`${target}: ${await checkAlone(input)}`)
}

async function runTarget(name, plan) {
  try {
    const runs = plan.fixed ? targets[name].rounds ?? plan.runs : plan.runs
    const { text, isGood = true } = await (targets[name].run ?? fuzz)(targets[name], { ...plan, runs }, log)
    log(`${isGood ? 'ok  ' : 'FAIL'} ${text}`)
    return isGood
  } catch (error) {
    if (!(error instanceof Found)) throw error
    await report(error, plan)
    return false
  }
}

async function main(argv) {
  // stack traces would take most of the time, though errors are only compared
  const plan = parse(argv, Object.keys(targets))
  if (plan.help) return console.log(USAGE)
  if (plan.list) return console.log(Object.keys(targets).join('\n'))
  if (plan.replay) return replay(plan.replay)
  Error.stackTraceLimit = 0
  log(`seed ${plan.seed}`)
  let isGood = true
  for (const name of plan.targets) isGood = await runTarget(name, plan) && isGood
  process.exitCode = isGood ? 0 : 1
}

if (require.main === module) {
  main(process.argv.slice(2)).catch(error => {
    console.error(error)
    process.exitCode = 2
  })
}

module.exports = { main }
