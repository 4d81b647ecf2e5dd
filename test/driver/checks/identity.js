'use strict'

const assert = require('assert')
const { execFileSync } = require('child_process')
const fs = require('fs')
const path = require('path')

const projectFolder = path.join(__dirname, '..', '..', '..')
const libraryFiles = {
  'with-bson': file => file.includes(`${path.sep}with-bson${path.sep}node_modules${path.sep}bson${path.sep}`),
  'with-qbson': file => ['lib', 'dist'].some(folder => file.startsWith(path.join(projectFolder, folder) + path.sep)) ||
    file === path.join(projectFolder, 'qbson.js')
}

/** Whether a file belongs to the library that this run is about. */
function isOfLibrary(context, file) {
  return libraryFiles[path.basename(context.folder)](file)
}

module.exports = {
  'the driver requires the library under test, and no other': async context => {
    const driverFile = context.requireHere.resolve('mongodb')
    const bsonFile = require.cache[path.join(path.dirname(driverFile), 'bson.js')]
    const children = bsonFile.children.map(child => fs.realpathSync(child.filename))
    assert.strictEqual(children.length, 1)
    assert.ok(isOfLibrary(context, children[0]), children[0])

    const loadedBson = Object.keys(require.cache).filter(file => /[/\\]bson[/\\]lib[/\\]/.test(file))
    assert.ok(loadedBson.every(file => isOfLibrary(context, file)), loadedBson.join())
    for (const name of Object.keys(context.mongodb.BSON)) {
      if (name in context.bson) assert.strictEqual(context.mongodb.BSON[name], context.bson[name], name)
    }
  },

  'what is sent is written by the library under test': async context => {
    let stack = ''
    const collection = await context.fresh('identity')
    await collection.insertOne({ _id: 1, value: { toBSON: () => { stack = new Error().stack; return 7 } } })
    const caller = stack.split('\n')[2]
    const file = fs.realpathSync(/([^( ]+):\d+:\d+\)?$/.exec(caller)[1].replace(/^file:\/\//, ''))
    assert.ok(isOfLibrary(context, file), caller)
    return collection.findOne()
  },

  'what is received is made of the classes of the library under test': async context => {
    const { ObjectId, Long } = context.bson
    const collection = await context.fresh('identity')
    await collection.insertOne({ long: Long.fromString('9007199254740993') })
    const found = await collection.findOne({}, { promoteLongs: false })
    assert.ok(found._id instanceof ObjectId)
    assert.ok(found.long instanceof Long)
    return found.long
  },

  'ES modules get the same classes as the driver': async context => {
    if (path.basename(context.folder) === 'with-bson') return // has one copy for require and another for import
    const script = 'import { ObjectId as a } from "bson"; import { ObjectId as b } from "mongodb"; console.log(a === b)'
    const args = ['--input-type=module', '-e', script]
    assert.strictEqual(execFileSync(process.execPath, args, { cwd: context.folder, encoding: 'utf8' }), 'true\n')
  }
}
