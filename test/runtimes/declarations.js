'use strict'

// The declarations of the packed package, and those that its `qbson compile` writes, checked by many versions of TypeScript
// and two package linters.

const fs = require('node:fs')
const path = require('node:path')
const { run, packageOf } = require('./tools')
const { PUBLIC } = require('../../scripts/entries')

const root = path.join(__dirname, '..', '..')

/** All names that can be imported. */
const ENTRY_POINTS = ['.', ...PUBLIC.filter(name => name !== 'qbson').map(name => `./${name}`), './register']

const STRICT = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, target: 'es2022' }

const SOURCE = `
  import { BSON, Binary, EJSON, Long, ObjectId, RawDocument, decode, deserialize, encode, serialize } from 'qbson'
  import { compile } from 'qbson/compile'
  import { EJSON as SameEJSON } from 'qbson/ejson'
  import { ObjectId as SameId } from 'qbson/object-id'
  import { crc32c, MessageSplitter } from 'qbson/wire'
  import * as people from './people.js'

  const bytes: Uint8Array = encode({ _id: new ObjectId(), n: Long.fromInt(5), b: new Binary(new Uint8Array(3)) }, { checkKeys: true })
  const doc: Record<string, any> = decode(bytes, { promoteValues: false })
  const same: BSON.Document = deserialize(serialize(doc), { promoteLongs: true })
  const id: ObjectId = new SameId()
  const text: string = SameEJSON.stringify(same, { relaxed: false }) + EJSON.stringify(same, null, 2)
  const raw: RawDocument = new RawDocument(bytes)
  for (const { name } of raw) name.length
  const sum: number = crc32c(bytes)
  const codec = compile({ required: ['n'], properties: { n: { bsonType: 'long' } } }, { useBigInt64: true })
  const big: bigint = codec.decode(codec.encode({ n: 5 })).n
  const person: people.Person = people.decode(people.encode({ _id: id, name: text, born: 5 }))
  const place: [number, ...number[]] | undefined = [1, ...(person.places?.map(({ at }) => at) ?? [])]
  // @ts-expect-error: bytes, never any
  const wrong: number = encode({})
  // @ts-expect-error: text
  const name: number = person.name
  export { wrong, id, text, sum, big, place, name, MessageSplitter }
`

/** For `qbson compile`: a field of each type. */
const SCHEMA = {
  title: 'person',
  required: ['_id', 'name'],
  properties: {
    _id: { bsonType: 'objectId' },
    name: { bsonType: 'string' },
    born: { bsonType: ['long', 'null'], as: 'bigint' },
    places: { bsonType: 'array', items: { bsonType: 'object', required: ['at'], properties: { at: { bsonType: 'double' } } } },
    ...Object.fromEntries(['date', 'decimal', 'binData', 'timestamp', 'regex', 'javascript'].map(type => [type, { bsonType: type }]))
  }
}

const RESOLUTIONS = {
  node10: { module: 'commonjs', moduleResolution: 'node' },
  node16: { module: 'node16', moduleResolution: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' }
}

/**
 * A strict consumer, with @types/node and without, for each way to find a package.
 *
 * @param {string} project
 * @param {string | null} typescript folder of the compiler
 */
async function compilesWith(project, typescript) {
  if (!typescript) return 'not installed'
  const folder = path.join(project, 'typescript')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'consumer.ts'), SOURCE)
  fs.writeFileSync(path.join(folder, 'people.json'), JSON.stringify(SCHEMA))
  const command = path.join(packageOf(project, 'qbson'), 'bin', 'qbson.js')
  await run(process.execPath, [command, 'compile', '--out', 'people.js', 'people.json'], { cwd: folder })
  const result = { passed: 0, failed: 0, failures: [], digest: null }
  for (const [name, options] of Object.entries(RESOLUTIONS)) {
    if (name === 'node10' && major(typescript) >= 6) continue // deprecated there
    for (const types of [[], ['node']]) await compile(typescript, folder, { ...STRICT, ...options, types }, name, result)
  }
  return result
}

function major(typescript) {
  return parseInt(JSON.parse(fs.readFileSync(path.join(typescript, 'package.json'), 'utf8')).version, 10)
}

async function compile(typescript, folder, options, name, result) {
  const what = `${name}, ${options.types.length > 0 ? 'with' : 'without'} @types/node`
  // the newest @types/node is for newer compilers than some of these
  const compilerOptions = { ...options, typeRoots: [path.join(root, 'node_modules', '@types')], skipLibCheck: options.types.length > 0 }
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  try {
    await run(process.execPath, [path.join(typescript, 'lib', 'tsc.js'), '--project', folder])
    result.passed++
  } catch (error) {
    result.failed++
    result.failures.push(`${what}: ${error.message}`)
  }
}

/** What publint and Are The Types Wrong report about the tarball. */
async function lints(project) {
  const tarball = fs.readdirSync(project).find(file => file.endsWith('.tgz'))
  const result = { passed: 0, failed: 0, failures: [], digest: null }
  const tools = {
    publint: ['src/cli.js', file => ['run', '--strict', file]],
    '@arethetypeswrong/cli': ['dist/index.js', file => [file, '--entrypoints', ...ENTRY_POINTS]]
  }
  for (const [name, [file, args]] of Object.entries(tools)) {
    try {
      await run(process.execPath, [path.join(packageOf(root, name), file), ...args(path.join(project, tarball))])
      result.passed++
    } catch (error) {
      result.failed++
      result.failures.push(`${name}: ${error.message}`)
    }
  }
  return result
}

module.exports = { compilesWith, lints }
