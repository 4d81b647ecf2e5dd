'use strict'

// The examples of docs/driver.md.

const assert = require('assert')
const fs = require('fs')
const path = require('path')
const vm = require('vm')
const { once } = require('events')
const { format } = require('util')

const page = fs.readFileSync(path.join(__dirname, '..', '..', '..', 'docs', 'driver.md'), 'utf8')
const examples = [...page.matchAll(/^<!-- not run: test\/driver runs it, with a server -->\n```js\n([^]*?)^```$/gm)].map(match => match[1])

/** Runs an example, and then `code` after it: what that returns, and what was printed. */
async function run(context, example, code) {
  const lines = []
  const log = (...values) => lines.push(format(...values))
  const requireFor = name => (/^qbson(\/|$)/.test(name) ? require(name) : context.requireHere(name))
  const process = { env: { MONGODB_URI: context.uri } }
  const main = vm.runInThisContext(`(require, console, process) => {\n${example}\n${code}\n}`)
  return { result: await main(requireFor, { log, error: log }, process), lines }
}

/** What the comments of an example say that it prints. */
const stated = example => [...example.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(match => match[1])

const people = context => context.client.db('docs').collection('people')

const documents = [{ _id: 1, name: 'Ada', born: 1815 }, { _id: 2, name: 'Alan', born: 1912 }]

module.exports = {
  'docs/driver.md: batches': async context => {
    assert.strictEqual(examples.length, 3)
    const { lines } = await run(context, examples[0], 'return main()')
    assert.deepStrictEqual(lines, stated(examples[0]))
    assert.ok(lines.length === 3)
  },

  'docs/driver.md: an HTTP server': async context => {
    await people(context).deleteMany({})
    await people(context).insertMany(documents)
    const example = examples[1].replace('listen(8080)', 'listen(0)')
    assert.ok(example !== examples[1] && example.trim().split('\n').length <= 25)
    const { result: { server, client }, lines } = await run(context, example, 'return { server, client }')
    try {
      await once(server, 'listening')
      const url = `http://localhost:${server.address().port}/`
      const response = await fetch(url)
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get('content-type'), 'application/json')
      assert.strictEqual(await response.text(), JSON.stringify(documents))
      await client.close()
      const failed = await fetch(url)
      assert.strictEqual(failed.status, 500)
      assert.strictEqual(lines.length, 1)
    } finally {
      server.close()
      await client.close()
    }
  },

  'docs/driver.md: a Response': async context => {
    await people(context).deleteMany({})
    await people(context).insertMany(documents)
    const { result: respond } = await run(context, examples[2], 'return respond')
    const response = await respond(new Request('http://localhost/'), people(context))
    assert.deepStrictEqual(await response.json(), documents)
    const controller = new AbortController()
    const aborted = respond(new Request('http://localhost/', { signal: controller.signal }), people(context))
    controller.abort()
    await assert.rejects(aborted, { name: 'AbortError' })
    const unreachable = new context.mongodb.MongoClient('mongodb://localhost:1', { serverSelectionTimeoutMS: 100 })
    await assert.rejects(respond(new Request('http://localhost/'), people({ client: unreachable })), { name: 'MongoServerSelectionError' })
  }
}
