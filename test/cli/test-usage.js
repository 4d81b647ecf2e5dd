'use strict'

// Wrong usage is exit code 2, whenever it is found, and nothing is written.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { PassThrough } = require('node:stream')
const { bookshop, dump, folder, run, write } = require('../fixtures/cli')
const { archive, folderDump } = require('../fixtures/dumps')

const schema = path.join(path.dirname(bookshop), 'bookshop.schema.json')
const out = path.join(folder, 'usage-out')

/** What is called, and what is said. */
const rows = () => [
  [['--no-such', bookshop], /unknown option --no-such/],
  [['distinct', 'kind', '--jsonFormat', 'x', bookshop], /distinct has no option --jsonFormat: it is an option of print, edit\n/],
  [['count', '-', bookshop, '-'], /standard input can be read only once\n/],
  [['compile', '--layout', 'array', '--upgrade', '-', '-'], /standard input can be read only once\n/],
  [['--match', '@-', bookshop], /--match: -: standard input cannot be read here\n/],
  [['--match', '@-'], /--match: -: standard input cannot be read here\n/],
  [['to-csv', '--schema', '-', bookshop], /--schema: -: standard input cannot be read here\n/],
  [['edit', '--hash', 'title', '--key-file', '-', bookshop], /--key-file: -: standard input cannot be read here\n/],
  ...[['distinct', 'a,b'], ['edit', '--unset', 'a,b'], ['edit', '--set', 'a,b=1'], ['to-csv', '--unwind', 'a,b']].map(args =>
    [[...args, bookshop], /one field is needed, not a,b \(a name with a comma is in brackets: \["a,b"\]\)\n/]),
  [['edit', '--unset', 'a,b["c.d"]', bookshop], /one field is needed, not a,b\["c.d"\] /],
  ...['a.["b.c"]', 'a["b.c"]x', '.a["c.d"]', '["a"]["b"].'].map(path => [['--fields', path, bookshop], /is not a path such as a\["b.c"\].d\n/]),
  [['--match', '@', bookshop], /--match needs the name of a file after @\n/],
  [['check', '--pretty', bookshop], /check has no option --pretty/],
  [['nosuch.bson'], /^qbson: no such file: nosuch\.bson\n$/],
  [['mongodb+srv://a:b@c/d'], /^qbson: qbson talks to no server: mongodump --archive \| qbson\n$/],
  [['count', path.join(bookshop, 'x')], /bookshop\.bson[\\/]x: not a directory\n$/],
  [['chekc', bookshop], /no such file or command: chekc\. Did you mean check\?\n/],
  [['distinct-values', 'city', bookshop], /no such file or command: distinct-values\n/],
  [[bookshop, 'to-csv'], /the command comes first: qbson to-csv\n/],
  [['--field', 'title', bookshop], /print has no option --field\. Did you mean --fields\?\nTry 'qbson print --help'/],
  [['--out', `${out}.BSON`, bookshop], /out\.BSON would not hold BSON: qbson --to bson writes it\n/],
  [['--out', `${out}.bson`, bookshop], /out\.bson would not hold BSON: qbson --to bson writes it\n/],
  [['--to', 'bson', '--out', `${out}.json.gz`, bookshop], /out\.json\.gz would not hold JSON: qbson --to relaxed writes it\n/],
  [['edit', '--set', 'a=1', '--out', `${out}.csv`, bookshop], /out\.csv would not hold CSV: qbson to-csv writes it\n/],
  [['to-csv', '--out', `${out}.parquet`, bookshop], /out\.parquet would not hold Parquet: qbson to-parquet writes it\n/],
  [['json', '--help'], /no such file or command: json/],
  [['--limit', 'x', bookshop], /--limit needs a whole number/],
  [['--match', '{"a":1}', '--match', '{"b":1}', bookshop], /--match is given twice, with different values/],
  [['to-csv', '--fields', 'a', '-o', out, '--fields', 'b', bookshop], /--fields is given twice/],
  [['--out', out, bookshop, '-o', `${out}2`], /--out is given twice/],
  [['--range', '0:315', '--range', '315:302', bookshop], /--range is given twice/],
  [['--keep-going', '--rejects', out, '--rejects', `${out}2`, bookshop], /--rejects is given twice/],
  [['--limit', '-1', bookshop], /--limit needs a whole number, not "-1"\n/],
  [['--sort', '-pages', bookshop], /--sort needs fields such as name,price:-1, not "-pages"\n/],
  [['--match', '-1', bookshop], /--match is not a query such as /],
  [['-f', '-x', bookshop], /qbson: --fields needs a value: one that begins with a dash is given as --fields=-x\n/],
  [['--query', '-x', bookshop], /qbson: --query is not a query such as .*: unexpected "-"/],
  [['--limit'], /--limit needs a value\n/],
  [['--fields', 'count', '--limit', 'x', bookshop], /\nTry 'qbson print --help'/],
  [['--fields', 'count', '--no-such', bookshop], /\nTry 'qbson print --help'/],
  [['distinct', 'count', '--limit', '-x', bookshop], /\nTry 'qbson distinct --help'/],
  [['--sort=-pages', bookshop], /--sort needs fields such as name,price:-1, not "-pages"\n/],
  [['--sort', 'pages:desc', bookshop], /--sort: the order of "pages" must be 1 or -1, not "desc"\n/],
  [['--sort', "{pages: 'desc'}", bookshop], /--sort: the order of "pages" must be 1 or -1, not "desc"\n/],
  [['--sort', '{pages: true}', bookshop], /--sort: the order of "pages" must be 1 or -1, not true\n/],
  [['--sort', '{pages: {a: 1}}', bookshop], /--sort: the order of "pages" must be 1 or -1, not an object\n/],
  [['-x', bookshop], /unknown option -x\n/],
  [['--gzip=5', bookshop], /--gzip takes no value\n/],
  [['--fields', '--limit', '1', bookshop], /--fields needs a value: .*--fields=--limit\n/],
  [['--json', bookshop], /print has no option --json: it is an option of to-arrow, to-parquet, to-csv/],
  [['--collection', 'a', bookshop], /--db and --collection go together; or use --ns DB\.COLL\n/],
  [['--to', 'csv', bookshop], /--to must be one of .*, not "csv": qbson to-csv FILE writes it\n/],
  [['--fields', '{title: 1, pages: 1}', bookshop], /--fields needs names such as a,b\.c, not "\{title: 1, pages: 1\}"/],
  [['to-csv', '--json', '$.title', bookshop], /--json needs names such as a,b\.c, not "\$\.title"/],
  [['--limit=-1', bookshop], /--limit needs a whole number/],
  [['--sample', '1', '--seed', 'x', bookshop], /--seed needs/],
  [['--sample', '1', '--tail', '1', bookshop], /cannot be combined/],
  [['--workers', '0', bookshop], /--workers needs at least 1/],
  [['split', '--parts', '0', bookshop], /--parts needs at least 1, not 0\nTry 'qbson split --help'/],
  [['--max-document-size', '0', bookshop], /--max-document-size needs a size such as 64MB/],
  [['--max-document-size', '64 apples', bookshop], /--max-document-size needs a size/],
  [['--range', '5', bookshop], /--range needs OFFSET:LENGTH/],
  [['--range', '0:99999999', bookshop], /the file has 1689 bytes, the range ends at 99999999/],
  [['--range', '0:10', folderDump()], /a range needs a file, not a folder/],
  [['--range', '0:10', write('usage.archive', archive())], /the ranges of an archive begin at a collection/],
  [['--range', '0:10', write('usage.gz', zlib.gzipSync(dump))], /a compressed file has one range/],
  [['--range', `${bookshop}:0:10`, folderDump()], /--range is of .*bookshop\.bson, which is not read/],
  ...['nosuch', 'check'].map(file => [['--range', `${file}:0:10`, bookshop], new RegExp(`^qbson: no such file: ${file}\n$`)]),
  [['split', '--size', '0', bookshop], /--size needs a size/],
  [['distinct', bookshop], /distinct needs FIELD before FILE, not only .*bookshop\.bson/],
  [['distinct', '', bookshop], /distinct needs FIELD\n/],
  [['split', '-'], /split needs the names of files/],
  [['--canonical', '--relaxed', bookshop], /cannot be combined/],
  [['--canonical', '--to', 'json', bookshop], /--to and --canonical cannot be combined/],
  [['--relaxed', '--to', 'bson', bookshop], /--to and --relaxed cannot be combined/],
  [['--seed', '5', bookshop], /--seed needs --sample/],
  [['--rejects', out, bookshop], /--rejects needs --keep-going/],
  [['edit', '--unset', 'a', '--only', bookshop], /--only needs --match/],
  [['edit', '--unset', 'a', '--key-file', bookshop, bookshop], /--key-file needs --hash/],
  [['edit', '--set', 'a=1', '--allow-missing', bookshop], /--allow-missing needs --unset, --hash or --mask/],
  [['edit', '--mask', 'a.0', '--unset', 'a.p', bookshop], /conflicting edits: a\.p, a\.0/],
  [['--ns-to', 'a.*', bookshop], /--ns-to needs --ns-from/],
  ...[['print'], ['--to', 'bson', '--out', out], ['edit', '--unset', 'a'], ['to-csv'], ['to-parquet', '--out', out]].map(args => {
    return [[...args, '--ns-from', 'a.*', '--ns-to', 'b.*', bookshop], /--ns-from needs --out FOLDER\/ or --to archive/]
  }),
  ...[['count'], ['check'], ['distinct', 'title']].map(args => [[...args, '--limit', '0', bookshop], /--limit needs at least 1, not 0/]),
  [['schema', '--merge', '--limit', '1', bookshop], /--merge and --limit cannot be combined/],
  ...['no-bounds', 'no-descriptions'].map(name => {
    return [['schema', '--merge', `--${name}`, bookshop], new RegExp(`--merge and --${name} cannot be combined\n`)]
  }),
  [['schema', '--merge', path.dirname(bookshop)], /a folder, but a file is needed/],
  [['to-csv', '--schema', path.dirname(bookshop), bookshop], /a folder, but a file is needed/],
  [['--keep-going', '--rejects', '-', bookshop], /--rejects needs the name of a file/],
  [['--keep-going', '--rejects', 'x/', bookshop], /--rejects needs the name of a file/],
  [['--to', 'xml', bookshop], /--to must be one of/],
  [['--to', 'bson', '--array', bookshop], /--array is for JSON/],
  [['--to', 'archive', '-', bookshop], /from standard input or from files/],
  [['--to', 'archive'], /an archive needs the database and the collection/],
  [['split', '--parts', '0', bookshop], /--parts needs at least 1/],
  [['split', '--parts', '2', '--size', '1k', bookshop], /cannot be combined/],
  [['head', '--largest', '2', '--tail', '2', bookshop], /cannot be combined/],
  [['--rejects', 'x', 'nosuch.bson'], /no such file/],
  [['--match', '{', bookshop], /--match/],
  [['--match', '{"a":{"$nosuch":1}}', bookshop], /--match.*\$nosuch/],
  [['--fields', ',', bookshop], /--fields needs names/],
  [['edit', bookshop], /edit needs --set/],
  [['edit', '--set', 'a', bookshop], /--set needs PATH=JSON/],
  [['edit', '--set', 'a=x', bookshop], /--set a=x/],
  [['edit', '--hash', 'a', '--key-file', 'nosuch', bookshop], /nosuch: no such file/],
  [['to-csv', '--schema', 'nosuch.json', bookshop], /nosuch\.json: no such file/],
  [['to-csv', '--schema', write('no-json', '{'), bookshop], /no-json: invalid JSON: /],
  [['schema', '--merge', write('no-json', '{')], /no-json: invalid JSON: /],
  [['to-csv', '--schema', bookshop, bookshop], /bookshop.bson: this is not JSON: qbson schema FILE prints that of BSON documents\n/],
  [['to-csv', '--schema', write('no-schema', '{"a":1}'), bookshop], /schema at #\/a/],
  [['to-csv', '--schema', write('null.json', 'null'), bookshop], /schema at #: must be an object/],
  [['to-csv', '--fields', ',', bookshop], /--fields needs names/],
  [['to-parquet', '--compression', 'rar', bookshop], /--compression must be one of none/],
  [['to-parquet', '--row-group', '0', bookshop], /--row-group needs at least 1/],
  [['compile', schema, schema], /compile takes one schema/],
  [['compile', '--layout', 'x', schema], /--layout must be one of array/],
  [['bench', bookshop, bookshop], /bench needs the name of one file/],
  [['completion', 'tcsh'], /completion needs a shell: bash, zsh or fish/],
  [['completion', 'bash', 'fish'], /completion needs a shell: bash, zsh or fish/],
  [['compile', '--upgrade', schema, schema], /--upgrade needs --layout array/],
  [['head', '--largest', 'x', bookshop], /--largest needs a whole number/],
  [['--range', '99999999999999999999:5', bookshop], /--range 9+:5 is beyond any file/],
  [['to-csv', '--unwind', '', bookshop], /--unwind needs a name/],
  [['--ns', '', bookshop], /--ns needs a name/],
  [['schema', '--statistics', '--no-bounds', bookshop], /--statistics and --no-bounds cannot be combined/]
]

module.exports = {
  '--search without --keep-going': async t => {
    const { code, err } = await run(['--search', '1MB', bookshop])
    t.ok(code === 2 && err.startsWith('qbson: --search needs --keep-going\n'), err)
    t.done()
  },

  'exit code 2, before anything is written': async t => {
    for (const [args, message] of rows()) {
      const { code, out: said, err } = await run(args, { input: dump })
      t.ok(code === 2 && said === '' && message.test(err), `${args}: ${code} ${err}${said}`)
      t.ok(/^qbson: [^\n]*\n(Try 'qbson .*--help'\.\n)?$/.test(err), `one line: ${err}`)
      for (const more of [[], ['--keep-going']]) {
        const own = await run([...args, ...more, '--out', out], { input: dump })
        t.ok(own.code === 2 && !fs.existsSync(out), `${args} ${more} --out`)
      }
    }
    t.done()
  },

  'binary data are not written to a terminal': async t => {
    const terminal = () => Object.assign(new PassThrough(), { isTTY: true })
    for (const args of [['--to', 'bson'], ['--to', 'archive'], ['edit', '--unset', 'cover'], ['to-arrow'], ['to-parquet'], ['--gzip'], ['count', '--gzip']]) {
      const { code, out: said, err } = await run([...args, bookshop], { stdout: terminal() })
      t.ok(code === 2 && said === '' && /binary data are not written to a terminal/.test(err), `${args}: ${err}`)
      t.strictEqual((await run([...args, '--out', out, bookshop], { stdout: terminal() })).code, 0)
    }
    const text = await run(['to-bson'], { input: '{"a":1}', stdout: terminal() })
    t.strictEqual(text.code, 2)
    for (const args of [[], ['to-csv'], ['head', '--table'], ['schema']]) t.strictEqual((await run([...args, bookshop], { stdout: terminal() })).code, 0)
    t.done()
  }
}
