'use strict'

// The documents of a server: twelve kinds, none of which is in documents.js.

const { mark, objectId, date, hex, maybe, times, money, collectionOf } = require('./marked')

const COUNT = 200

const small = faker => ({ _id: objectId(faker), n: faker.number.int(1e6) })

const ACTIONS = ['view', 'click', 'search', 'login', 'logout', 'purchase', 'share', 'upload', 'error', 'rate']

const PAYLOADS = [
  faker => ({ url: faker.internet.url(), ms: faker.number.int(5000) }),
  faker => ({ url: faker.internet.url(), x: faker.number.int(1920), y: faker.number.int(1080), target: faker.lorem.slug(2) }),
  faker => ({ words: times(faker.number.int({ min: 1, max: 4 }), () => faker.lorem.word()), hits: faker.number.int(900) }),
  faker => ({ ip: faker.internet.ipv4(), agent: faker.internet.userAgent(), trusted: faker.datatype.boolean() }),
  () => ({}),
  faker => ({ cart: objectId(faker), total: money(faker), currency: faker.finance.currencyCode() }),
  faker => ({ to: faker.internet.username(), network: faker.company.name() }),
  faker => ({ file: faker.system.fileName(), size: faker.number.int(1e8), type: faker.system.mimeType() }),
  faker => ({ code: faker.number.int(999), message: faker.hacker.phrase(), fatal: faker.datatype.boolean(0.1) }),
  faker => ({ item: objectId(faker), stars: faker.number.int({ min: 1, max: 5 }), text: faker.lorem.sentence() })
]

function event(faker) {
  const kind = faker.number.int(ACTIONS.length - 1)
  return {
    _id: objectId(faker),
    action: ACTIONS[kind],
    ts: date(faker),
    ...maybe(faker, 0.8, () => ({ user: objectId(faker) })),
    ...maybe(faker, 0.3, () => ({ experiment: faker.lorem.word() })),
    payload: PAYLOADS[kind](faker)
  }
}

function order(faker) {
  const lines = times(faker.number.int({ min: 1, max: 8 }), i => ({
    line: i + 1,
    article: faker.string.numeric(13),
    title: faker.commerce.productName(),
    amount: faker.number.int({ min: 1, max: 9 }),
    unit: money(faker),
    ...maybe(faker, 0.2, () => ({ discount: faker.number.float({ max: 0.5, fractionDigits: 2 }) }))
  }))
  return {
    _id: objectId(faker),
    shop: faker.company.name(),
    buyer: { id: objectId(faker), email: faker.internet.email(), phone: faker.phone.number() },
    state: faker.helpers.arrayElement(['open', 'paid', 'shipped', 'closed']),
    placed: date(faker),
    ...maybe(faker, 0.6, () => ({ shipped: date(faker), carrier: faker.company.name() })),
    lines,
    net: money(faker, 2000),
    vat: money(faker, 400),
    gift: faker.datatype.boolean(0.1)
  }
}

function post(faker) {
  return {
    _id: objectId(faker),
    slug: faker.lorem.slug(),
    headline: faker.lorem.sentence(),
    html: times(faker.number.int({ min: 1, max: 5 }), () => `<p>${faker.lorem.paragraph()}</p>`).join('\n'),
    written: date(faker),
    by: faker.internet.username(),
    topics: times(faker.number.int(6), () => faker.lorem.word()),
    replies: times(faker.number.int(5), () => ({ by: faker.internet.username(), at: date(faker), text: faker.lorem.sentences(2) }))
  }
}

function user(faker) {
  return {
    _id: objectId(faker),
    login: faker.internet.username(),
    email: faker.internet.email(),
    name: { first: faker.person.firstName(), last: faker.person.lastName() },
    ...maybe(faker, 0.7, () => ({ born: date(faker) })),
    joined: date(faker),
    roles: faker.helpers.arrayElements(['reader', 'writer', 'editor', 'admin'], { min: 1, max: 3 }),
    home: {
      street: faker.location.streetAddress(), city: faker.location.city(), at: [faker.location.longitude(), faker.location.latitude()]
    },
    settings: { theme: faker.helpers.arrayElement(['dark', 'light']), mail: faker.datatype.boolean(), size: faker.number.int(30) },
    logins: faker.number.int(5000),
    __v: faker.number.int(9)
  }
}

/** Folders and files. */
function tree(faker, depth = 0) {
  const isFolder = depth === 0 || (depth < 5 && faker.datatype.boolean(0.4))
  if (!isFolder) return { name: faker.system.fileName(), bytes: faker.number.int(1e7), changed: date(faker) }
  return { name: faker.lorem.word(), entries: times(faker.number.int({ min: 1, max: 4 }), () => tree(faker, depth + 1)) }
}

const sensor = faker => ({
  _id: objectId(faker),
  station: faker.string.alphanumeric(6),
  from: date(faker),
  hz: faker.helpers.arrayElement([10, 50, 100]),
  samples: times(faker.number.int({ min: 40, max: 160 }), () => faker.number.float({ min: -5, max: 5 }))
})

const dictionary = faker => ({
  _id: objectId(faker),
  day: date(faker),
  byUser: Object.fromEntries(times(faker.number.int({ min: 5, max: 40 }), () => [hex(faker, 12), faker.number.int(500)]))
})

const COLUMNS = times(120, i => `${['measure', 'answer', 'code', 'share', 'flag', 'note'][i % 6]}${i}`)

function wide(faker) {
  const makers = [
    () => faker.number.float({ max: 1e4 }), () => faker.lorem.word(), () => faker.string.alphanumeric(4),
    () => faker.number.int(100), () => faker.datatype.boolean(), () => faker.datatype.boolean(0.7) ? null : faker.lorem.words(3)
  ]
  return Object.fromEntries(COLUMNS.map((name, i) => [name, makers[i % 6]()]))
}

/** An account's postings, with a signature and a proof of their state. */
const ledger = faker => ({
  _id: mark('uuid', faker.string.uuid().replaceAll('-', '')),
  account: objectId(faker),
  sequence: mark('long', String(faker.number.bigInt({ min: 2n ** 40n, max: 2n ** 52n }))),
  balance: mark('decimal', `${faker.number.int(1e8)}.${faker.string.numeric(2)}`),
  postings: times(faker.number.int({ min: 1, max: 4 }), () => ({
    amount: mark('decimal', `${faker.number.int({ min: -1e6, max: 1e6 })}.${faker.string.numeric(2)}`), on: date(faker)
  })),
  signature: mark('binary', hex(faker, 64)),
  proof: mark('binary', hex(faker, faker.number.int({ min: 100, max: 800 })))
})

const SENTENCES = [
  'Съёмка началась ровно в полдень, и никто не опоздал. ', '会議は午後三時から始まります。資料を確認してください。',
  'Η παράδοση θα γίνει αύριο το πρωί. ', 'Żółta łódź płynęła cicho po jeziorze. ', 'सभी यात्री समय पर पहुँच गए। ',
  'Die Größe überraschte selbst die Prüfer. ', '오늘은 비가 오지 않았습니다. ', 'أرسل الطلب قبل نهاية اليوم. ', 'Crème brûlée 🍮, s’il vous plaît! '
]

const text = faker => ({
  _id: objectId(faker),
  заголовок: faker.helpers.arrayElement(SENTENCES),
  language: faker.location.language().alpha2,
  paragraphs: times(faker.number.int({ min: 1, max: 6 }), () => faker.helpers.arrayElements(SENTENCES, { min: 1, max: 5 }).join('')),
  quelle: faker.internet.url()
})

const log = faker => ({
  t: date(faker),
  severity: faker.helpers.arrayElement(['INFO', 'INFO', 'INFO', 'WARN', 'ERROR']),
  service: faker.lorem.slug(2),
  trace: hex(faker, 16),
  message: faker.hacker.phrase(),
  http: { method: faker.internet.httpMethod(), route: `/${faker.lorem.slug(3)}`, status: faker.internet.httpStatusCode() },
  took: faker.number.float({ max: 400, fractionDigits: 2 }),
  ...maybe(faker, 0.1, () => ({ stack: faker.lorem.sentences(6, '\n  at ') }))
})

const kinds = { small, event, order, post, user, tree, sensor, dictionary, wide, ledger, text, log }

module.exports = { kinds: Object.keys(kinds), COUNT, ...collectionOf({ name: 'server', kinds, countOf: () => COUNT }) }
