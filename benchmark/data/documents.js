'use strict'

// Realistic documents of fourteen kinds.

const { mark, objectId, date, hex, maybe, times, money, collectionOf } = require('./marked')

const COUNT = 500

/** Kinds whose documents are large: 4 kB and more. */
const LARGE = ['ints', 'doubles', 'answer', 'geometry', 'catalogue']

/** Of these kinds there are only COUNT_FEW documents, which have as many fields as 500 others. */
const FEW = ['answer', 'geometry', 'catalogue']
const COUNT_FEW = 100

function address(faker) {
  return {
    name: faker.person.fullName(),
    street: faker.location.streetAddress(),
    ...maybe(faker, 0.3, () => ({ extra: faker.location.secondaryAddress() })),
    city: faker.location.city(),
    zip: faker.location.zipCode(),
    country: faker.location.countryCode()
  }
}

function order(faker) {
  const items = times(faker.number.int({ min: 1, max: 6 }), () => ({
    sku: faker.string.alphanumeric(10),
    productId: objectId(faker),
    name: faker.commerce.productName(),
    quantity: faker.number.int({ min: 1, max: 5 }),
    price: money(faker),
    taxable: faker.datatype.boolean()
  }))
  return {
    _id: objectId(faker),
    number: faker.number.int({ min: 100000, max: 999999 }),
    customerId: objectId(faker),
    status: faker.helpers.arrayElement(['new', 'paid', 'packed', 'sent', 'returned']),
    createdAt: date(faker),
    updatedAt: date(faker),
    currency: faker.finance.currencyCode(),
    items,
    shipping: address(faker),
    ...maybe(faker, 0.4, () => ({ billing: address(faker) })),
    ...maybe(faker, 0.3, () => ({ coupon: faker.string.alphanumeric(8) })),
    subtotal: items.reduce((sum, item) => sum + item.quantity * item.price, 0),
    tax: money(faker, 100),
    total: money(faker, 3000),
    paid: faker.datatype.boolean(),
    note: faker.datatype.boolean(0.2) ? faker.lorem.sentence() : null
  }
}

const SCRIPTS = [
  'Příliš žluťoučký kůň úpěl ďábelské ódy. ', 'Съешь же ещё этих мягких французских булок. ',
  '色は匂へど散りぬるを我が世誰ぞ常ならむ。', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ', 'Größe, Maß und Übermut. ',
  '𝒳 marks the spot 🎉🚀 — naïve café, “quoted”. ', 'دع سمعا فإنما السمع للأذن. ', '키스의 고유조건은 입술끼리 만나야 하고. '
]

function unicodeText(faker, sentences) {
  return times(sentences, () => faker.datatype.boolean(0.4)
    ? faker.helpers.arrayElement(SCRIPTS)
    : faker.lorem.sentence() + ' ').join('')
}

function post(faker) {
  return {
    _id: objectId(faker),
    author: {
      id: objectId(faker),
      name: faker.person.fullName() + faker.helpers.arrayElement(['', ' é', ' ø', ' 王']),
      ...maybe(faker, 0.5, () => ({ avatar: faker.internet.url() }))
    },
    title: unicodeText(faker, 1),
    ...maybe(faker, 0.3, () => ({ subtitle: faker.lorem.sentence() })),
    body: unicodeText(faker, faker.number.int({ min: 2, max: 12 })),
    tags: times(faker.number.int({ min: 0, max: 5 }), () => faker.lorem.word()),
    likes: faker.number.int(5000),
    publishedAt: faker.datatype.boolean(0.9) ? date(faker) : null,
    ...maybe(faker, 0.4, () => ({ editedAt: date(faker) })),
    ...maybe(faker, 0.3, () => ({ location: { type: 'Point', coordinates: [faker.location.longitude(), faker.location.latitude()] } })),
    comments: times(faker.number.int({ min: 0, max: 4 }), () => ({
      by: faker.internet.username(),
      text: unicodeText(faker, 1),
      at: date(faker),
      ...maybe(faker, 0.3, () => ({ likes: faker.number.int(50) }))
    }))
  }
}

function sensor(faker) {
  return {
    _id: objectId(faker),
    device: faker.string.alphanumeric(8),
    time: date(faker),
    sequence: faker.number.int(2 ** 31 - 1),
    temperature: faker.number.float({ min: -20, max: 45 }),
    humidity: faker.number.float({ min: 0, max: 100 }),
    pressure: faker.number.float({ min: 950, max: 1050 }),
    battery: faker.number.int(100),
    position: { lat: faker.location.latitude({ precision: 6 }), lon: faker.location.longitude({ precision: 6 }) },
    ok: faker.datatype.boolean(0.95)
  }
}

function log(faker) {
  return {
    time: date(faker),
    level: faker.helpers.arrayElement(['debug', 'info', 'info', 'info', 'warn', 'error']),
    host: faker.internet.domainWord() + '-' + faker.number.int(99),
    pid: faker.number.int(65535),
    message: `${faker.hacker.verb()} ${faker.hacker.noun()}: ${faker.lorem.sentence()}`,
    request: {
      method: faker.internet.httpMethod(),
      path: '/' + faker.lorem.words(3).replaceAll(' ', '/'),
      ip: faker.internet.ipv4(),
      agent: faker.internet.userAgent()
    },
    status: faker.internet.httpStatusCode(),
    bytes: faker.number.int(200000),
    ms: faker.number.float({ min: 0.1, max: 900, fractionDigits: 3 })
  }
}

const FIELDS = ['page', 'button', 'amount', 'reason', 'referrer', 'duration', 'itemId', 'query', 'results', 'score',
  'plan', 'seats', 'error', 'stack', 'fileName', 'size', 'latency', 'region', 'version', 'flags', 'email', 'ok']

const VALUES = [
  faker => faker.lorem.word(), faker => faker.number.int(100000), faker => faker.number.float({ max: 1 }),
  faker => faker.datatype.boolean(), faker => objectId(faker), faker => date(faker), () => null,
  faker => times(3, () => faker.lorem.word()), faker => ({ x: faker.number.int(99), y: faker.number.int(99) })
]

// 64 kinds of events: each has its own fields in its own order, and each field one type.
function eventShapes(faker) {
  return times(64, () => {
    const fields = faker.helpers.arrayElements(FIELDS, { min: 3, max: 9 })
    return fields.map(field => [field, faker.helpers.arrayElement(VALUES)])
  })
}

function event(faker, shapes) {
  const type = faker.number.int(shapes.length - 1)
  const data = Object.fromEntries(shapes[type].map(([field, make]) => [field, make(faker)]))
  const head = { _id: objectId(faker), type: `event.${type}`, at: date(faker), user: objectId(faker) }
  return type % 2 === 0 ? { ...head, data } : { ...head, ...data, session: faker.string.alphanumeric(16) }
}

function dictionary(faker) {
  return {
    _id: objectId(faker),
    counts: Object.fromEntries(times(faker.number.int({ min: 10, max: 60 }), () => {
      return [hex(faker, 12), { views: faker.number.int(10000), last: date(faker) }]
    }))
  }
}

const WIDE = times(150, i => [`${'field attr metric label flag'.split(' ')[i % 5]}_${i}`, i % 5])

function wide(faker) {
  const values = [
    () => faker.number.int(1e6), () => faker.lorem.word(), () => faker.number.float({ max: 1000 }),
    () => faker.datatype.boolean(0.1) ? null : faker.lorem.word(), () => faker.datatype.boolean()
  ]
  return Object.fromEntries(WIDE.map(([name, type]) => [name, values[type]()]))
}

function tree(faker, depth = 0) {
  const children = depth < 5 ? faker.number.int({ min: depth === 0 ? 2 : 0, max: depth < 2 ? 3 : 2 }) : 0
  return {
    name: faker.lorem.word(),
    value: faker.number.int(1000),
    ...maybe(faker, 0.3, () => ({ color: faker.color.human() })),
    children: times(children, () => tree(faker, depth + 1))
  }
}

const ints = faker => ({ _id: objectId(faker), values: times(1000, () => faker.number.int({ min: -100000, max: 100000 })) })
const doubles = faker => ({ _id: objectId(faker), values: times(1000, () => faker.number.float({ min: -1000, max: 1000 })) })

const person = faker => ({
  login: faker.internet.username(),
  id: faker.number.int(1e7),
  url: faker.internet.url(),
  type: faker.helpers.arrayElement(['User', 'User', 'Organization']),
  ...maybe(faker, 0.2, () => ({ name: faker.person.fullName() })),
  admin: false
})

// The response of a web API: one document with fifty objects, of which no two have the same fields.
function answer(faker) {
  const project = () => ({
    id: faker.number.int(1e9),
    name: faker.lorem.slug(2),
    private: faker.datatype.boolean(0.1),
    owner: person(faker),
    description: faker.datatype.boolean(0.8) ? faker.lorem.sentence() : null,
    ...maybe(faker, 0.4, () => ({ homepage: faker.internet.url() })),
    created_at: date(faker),
    ...maybe(faker, 0.9, () => ({ pushed_at: date(faker) })),
    size: faker.number.int(100000),
    stars: faker.number.int(50000),
    ...maybe(faker, 0.7, () => ({ language: faker.helpers.arrayElement(['JavaScript', 'Rust', 'Go', 'C', 'Python']) })),
    ...maybe(faker, 0.5, () => ({ topics: times(faker.number.int({ min: 1, max: 5 }), () => faker.lorem.word()) })),
    ...maybe(faker, 0.6, () => ({ license: { key: faker.lorem.word(), name: faker.lorem.words(3), url: null } })),
    ...maybe(faker, 0.2, () => ({ parent: { id: faker.number.int(1e9), owner: person(faker) } })),
    score: faker.number.float({ max: 100 })
  })
  return { total: faker.number.int(100000), incomplete: false, next: faker.internet.url(), items: times(50, project) }
}

// Shapes on a map as GeoJSON: rings of points, which are arrays of two doubles.
function geometry(faker) {
  const lon = faker.location.longitude()
  const lat = faker.location.latitude()
  const near = middle => middle + faker.number.float({ min: -1, max: 1 })
  const ring = () => times(faker.number.int({ min: 8, max: 60 }), () => [near(lon), near(lat)])
  const polygon = () => times(faker.number.int({ min: 1, max: 3 }), ring)
  const isOne = faker.datatype.boolean(0.6)
  return {
    _id: objectId(faker),
    type: 'Feature',
    properties: { name: faker.location.city(), code: faker.location.zipCode(), area: faker.number.float({ max: 1e4 }) },
    geometry: isOne
      ? { type: 'Polygon', coordinates: polygon() }
      : { type: 'MultiPolygon', coordinates: times(faker.number.int({ min: 2, max: 5 }), polygon) }
  }
}

// A catalogue whose keys are numbers: JavaScript stores such properties as elements, in ascending order.
function catalogue(faker) {
  const product = () => ({
    name: faker.commerce.productName(),
    price: money(faker),
    stock: faker.number.int(1000),
    ...maybe(faker, 0.3, () => ({ discount: faker.number.float({ max: 1 }) })),
    sizes: times(faker.number.int({ min: 0, max: 4 }), () => faker.number.int({ min: 30, max: 50 }))
  })
  return {
    _id: objectId(faker),
    updated: date(faker),
    products: Object.fromEntries(times(faker.number.int({ min: 20, max: 80 }), () => [faker.number.int(1e6), product()]))
  }
}

function types(faker) {
  return {
    double: faker.number.float({ max: 100 }),
    string: faker.lorem.words(3),
    document: { a: faker.number.int(100), b: faker.lorem.word() },
    array: [1, 'two', null],
    binary: mark('binary', hex(faker, 20)),
    userBinary: mark('binary', hex(faker, 12), 128),
    uuid: mark('uuid', faker.string.uuid().replaceAll('-', '')),
    objectId: objectId(faker),
    boolean: faker.datatype.boolean(),
    date: date(faker),
    nothing: null,
    regex: mark('regexp', faker.lorem.word() + '.*', 'i'),
    code: mark('code', 'function() { return 1 }'),
    scoped: mark('code', 'function() { return x }', { x: faker.number.int(100) }),
    int32: faker.number.int(2 ** 31 - 1),
    timestamp: mark('timestamp', faker.number.int(2 ** 31 - 1), faker.number.int(1000)),
    long: mark('long', String(faker.number.bigInt({ min: 2n ** 53n, max: 2n ** 62n }))),
    decimal: mark('decimal', `${faker.number.int(1e9)}.${faker.number.int(99999)}`),
    reference: mark('dbref', faker.lorem.word(), hex(faker, 12)),
    min: mark('minKey'),
    max: mark('maxKey')
  }
}

/** Kinds by name; each gets the seeded faker and, if needed, the result of its `before`, which runs once. */
const kinds = {
  order, post, sensor, log, event, dictionary, wide, tree, ints, doubles, types, answer, geometry, catalogue
}
const before = { event: eventShapes }

/** Kinds with types that only BSON has. */
const BSON_ONLY = ['types']

const { generate, prepare, load } = collectionOf({
  name: 'documents', kinds, before, countOf: kind => FEW.includes(kind) ? COUNT_FEW : COUNT
})

module.exports = { kinds: Object.keys(kinds), BSON_ONLY, generate, prepare, load, COUNT, COUNT_FEW, LARGE }
