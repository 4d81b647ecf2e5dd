// What `import` of a library costs, and its first document, in a process that is an ES module: as bare.js does for
// `require`. An import is looked for from the file that asks: this one is copied to where the packages are.

const [name, encode] = process.argv.slice(2)

function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

const doc = { name: 'first', number: 1, list: [1.5, 2.5], at: new Date(0), nested: { ok: true, none: null } }
const start = processorTime()
const library = await import(name)
const loaded = processorTime()
library[encode](doc)
console.log(JSON.stringify({ imported: loaded - start, encoded: processorTime() - loaded }))
