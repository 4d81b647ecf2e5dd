'use strict'

// The schemas of the suites' documents, as $jsonSchema.

const object = (properties, optional = []) => ({
  bsonType: 'object', required: Object.keys(properties).filter(name => !optional.includes(name)), properties
})
const array = items => ({ bsonType: 'array', items })
const [int, long, double, string, bool, date, decimal, objectId, binData] =
  ['int', 'long', 'double', 'string', 'bool', 'date', 'decimal', 'objectId', 'binData'].map(bsonType => ({ bsonType }))
const number = { bsonType: ['int', 'double'] }
const orNull = ({ bsonType }) => ({ bsonType: [bsonType, 'null'] })

/** In the order of the small documents. */
const small = [
  object({ a: int }),
  object({ a: double }),
  object({ a: array(int) }),
  object({ a: object({ a: int, b: int, c: int, d: int, e: int }) }),
  object({ a: array({ bsonType: ['int', 'array'], items: { bsonType: ['int', 'array'],
    items: { bsonType: ['int', 'array'], items: { bsonType: ['int', 'array'], items: int } } } }) }),
  object({ a: object({ a: object({ b: object({ c: object({ d: object({ e: int }) }) }) }) }) }),
  object({ a: object({ a: string, b: int, c: string, d: double, e: { bsonType: 'null' } }) })
]

const media = object({
  images: array(object({
    height: int,
    size: { bsonType: 'string', enum: ['SMALL', 'LARGE'] },
    title: string,
    uri: string,
    width: int
  })),
  media: object({
    bitrate: int,
    duration: int,
    format: string,
    height: int,
    persons: array(string),
    player: { bsonType: 'string', enum: ['JAVA', 'FLASH'] },
    size: int,
    title: string,
    uri: string,
    width: int
  })
})

const record = object({ ids: array(long), strings: array(string) })

const test = object({
  Gn: orNull(binData), A: int, B: long, C: date, D: int, E: decimal, F: long, G: binData, H: int, I: orNull(string)
})

const address = object({ name: string, street: string, extra: string, city: string, zip: string, country: string }, ['extra'])

const order = object({
  _id: objectId,
  number: int,
  customerId: objectId,
  status: { bsonType: 'string', enum: ['new', 'paid', 'packed', 'sent', 'returned'] },
  createdAt: date,
  updatedAt: date,
  currency: string,
  items: array(object({ sku: string, productId: objectId, name: string, quantity: int, price: number, taxable: bool })),
  shipping: address,
  billing: address,
  coupon: string,
  subtotal: number,
  tax: number,
  total: number,
  paid: bool,
  note: orNull(string)
}, ['billing', 'coupon'])

const post = object({
  _id: objectId,
  author: object({ id: objectId, name: string, avatar: string }, ['avatar']),
  title: string,
  subtitle: string,
  body: string,
  tags: array(string),
  likes: int,
  publishedAt: orNull(date),
  editedAt: date,
  location: object({ type: string, coordinates: array(number) }),
  comments: array(object({ by: string, text: string, at: date, likes: int }, ['likes']))
}, ['subtitle', 'editedAt', 'location'])

const sensor = object({
  _id: objectId,
  device: string,
  time: date,
  sequence: int,
  temperature: number,
  humidity: number,
  pressure: number,
  battery: int,
  position: object({ lat: number, lon: number }),
  ok: bool
})

const log = object({
  time: date,
  level: string,
  host: string,
  pid: int,
  message: string,
  request: object({ method: string, path: string, ip: string, agent: string }),
  status: int,
  bytes: int,
  ms: number
})

const tree = { $ref: '#/definitions/tree', definitions: {
  tree: object({ name: string, value: int, color: string, children: array({ $ref: '#/definitions/tree' }) }, ['color'])
} }

module.exports = { small, media, record, test, documents: { order, post, sensor, log, tree } }
