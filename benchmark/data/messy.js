'use strict'

// Documents as they lie in real collections, from a seed: optional fields, values of different types under one name,
// maps, decimals, geometry, and texts in all scripts. Each kind is an endless generator of documents.

const { encode, ObjectId, Decimal128, Double, Int32, Long, UUID } = require('../../qbson')
const { random: seeded } = require('./random')

const WORDS = [
  'water', 'organic', 'sugar', 'milk', 'cocoa', 'paste', 'vegetable', 'oil', 'salt', 'flour', 'wheat', 'palm', 'natural', 'flavour', 'soy',
  'lecithin', 'crème brûlée', 'Größe', 'наливной', '有機豆腐', 'café', 'maïs'
]
const EMOJI = ['😀', '👍🏽', '🎉', '👩‍👩‍👧', '🇳🇴', '❤️', '🤷‍♂️', '🔥']
const LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'nl', 'pl', 'pt', 'ru', 'zh', 'ja', 'ar', 'sv', 'da', 'fi']

/** Draws from a seed. */
class Dice {
  /** @param {number} seed */
  constructor(seed) {
    this.next = seeded(seed)
  }

  /** @returns {number} from 0 to below `most` */
  below(most) {
    return this.next() % most
  }

  share(share) {
    return this.next() < share * 2 ** 32
  }

  real(most) {
    return this.next() / 2 ** 32 * most
  }

  of(list) {
    return list[this.below(list.length)]
  }

  words(count) {
    return Array.from({ length: count }, () => this.of(WORDS)).join(' ')
  }

  /** @param {number} most items, exclusive */
  list(most, make) {
    return Array.from({ length: this.below(most) }, make)
  }

  bytes(size) {
    return Uint8Array.from({ length: size }, () => this.below(256))
  }
}

const STATES = ['new', 'paid', 'sent', 'lost']

const money = cents => Decimal128.fromString(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`)
const idAt = (n, dice) => ObjectId.createFromTime(1.6e9 + n).toHexString().slice(0, 8) + Buffer.from(dice.bytes(8)).toString('hex')

function* orders(dice) {
  for (let n = 0; ; n++) {
    const order = {
      _id: new ObjectId(idAt(n, dice)), number: Long.fromNumber(5e9 + n), at: new Date(1.6e12 + n * 61_000), status: dice.of(STATES)
    }
    const optional = {
      coupon: `C-${dice.of(['A', 'B', 'C'])}${dice.below(1000)}`,
      note: dice.words(6),
      paidAt: new Date(1.6e12 + n * 62_000),
      gift: dice.share(0.5),
      tracking: new UUID(dice.bytes(16)),
      address: {
        street: dice.words(2),
        zip: String(10000 + dice.below(90000)),
        at: { lat: new Double(dice.real(90)), lon: new Double(dice.real(180)) }
      }
    }
    for (const [name, value] of Object.entries(optional)) if (!dice.share(0.3)) order[name] = value
    yield {
      ...order,
      customer: new ObjectId(idAt(dice.below(5000), dice)),
      total: money(dice.below(400_000)),
      tax: money(dice.below(9000)),
      items: Array.from({ length: 1 + dice.below(8) }, () => item(dice)),
      tags: dice.list(4, () => dice.of(WORDS))
    }
  }
}

function item(dice) {
  const [sku, qty, price] = [`SKU-${10000 + dice.below(90000)}`, new Int32(1 + dice.below(9)), money(100 + dice.below(49900))]
  return { sku, name: dice.words(2), qty, price, ...(dice.share(0.3) ? { discount: new Double(dice.below(50) / 100) } : {}) }
}

/** Of 203 fields, as in Open Food Facts. @param {number} i */
function productField(i) {
  const group = ['_tags', '_100g', '_t', '_text', '_count', '_by_language', '_mixed', '_value'][i % 8]
  return `${WORDS[(i * 7) % 14].replace(/\W/g, '')}_${dashed(i)}${group}`
}

const dashed = i => ['nutrition', 'score', 'packaging', 'label', 'origin', 'image', 'category', 'brand'][(i >> 3) % 8] + (i >> 3)

/** A value of the field number `i`. */
function productValue(i, dice) {
  switch (i % 8) {
    case 0: return dice.list(5, () => `${dice.of(LANGUAGES)}:${dice.of(WORDS)}`)
    case 1: return dice.share(0.4) ? new Int32(dice.below(100)) : new Double(dice.below(10000) / 100)
    case 2: return new Int32(1.5e9 + dice.below(1e8))
    case 3: return dice.words(1 + dice.below(12))
    case 4: return new Int32(dice.below(50))
    case 5: return { en: dice.words(2), ...Object.fromEntries(dice.list(3, () => [dice.of(LANGUAGES), dice.words(3)])) }
    case 6: return dice.of([new Int32(dice.below(1000)), String(dice.below(1000)), new Double(dice.real(100))])
    default: return dice.share(0.02) ? null : new Double(dice.below(1e6) / 1000)
  }
}

function* products(dice) {
  const shareOf = i => 0.03 + (0.9 * ((i * 37) % 100) * ((i * 13) % 7)) / 600
  const fields = Array.from({ length: 200 }, (_, i) => ({ name: productField(i), share: shareOf(i) }))
  for (let n = 0; ; n++) {
    const code = dice.share(0.05) ? new Double(n) : String(n)
    const product = { _id: String(3_000_000_000_000 + n * 7), code, product_name: dice.words(3) }
    fields.forEach(({ name, share }, i) => { if (dice.share(share)) product[name] = productValue(i, dice) })
    yield product
  }
}

function* buckets(dice) {
  for (let n = 0; ; n++) {
    const count = 20 + dice.below(60)
    const column = make => Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i), make(i)]))
    const start = 1.6e12 + n * 3.6e6
    yield {
      _id: new ObjectId(idAt(n, dice)),
      meta: { sensor: `s-${dice.below(200)}`, site: dice.below(20), unit: new UUID(dice.bytes(16)) },
      control: {
        version: 1, min: { t: new Date(start), temp: new Double(-20) }, max: { t: new Date(start + 3.6e6), temp: new Double(45) }
      },
      data: {
        t: column(i => new Date(start + i * 60_000)),
        temp: column(() => new Double(dice.below(6500) / 100 - 20)),
        hum: column(() => new Int32(dice.below(100)))
      }
    }
  }
}

/** To seven decimals, about a centimetre. */
const degrees = (dice, most) => new Double(Math.round((dice.real(2 * most) - most) * 1e7) / 1e7)
const position = dice => [degrees(dice, 180), degrees(dice, 90)]

/** A closed ring. */
function ring(dice) {
  const points = Array.from({ length: 4 + dice.below(20) }, () => position(dice))
  return [...points, points[0]]
}

function geometry(dice) {
  switch (dice.below(20)) {
    case 17: return { type: 'Point', coordinates: position(dice) }
    case 18: return { type: 'LineString', coordinates: [position(dice), position(dice), ...dice.list(30, () => position(dice))] }
    case 19: return { type: 'MultiPolygon', coordinates: [[ring(dice)], ...dice.list(3, () => [ring(dice)])] }
    default: return { type: 'Polygon', coordinates: dice.share(0.2) ? [ring(dice), ring(dice)] : [ring(dice)] }
  }
}

function* geojson(dice) {
  for (let n = 0; ; n++) {
    const properties = { name: dice.words(2), population: new Int32(dice.below(1e6)) }
    if (dice.share(0.5)) properties.wikidata = `Q${dice.below(1e6)}`
    const bbox = [...position(dice), ...position(dice)]
    yield { _id: new ObjectId(idAt(n, dice)), type: 'Feature', bbox, properties, geometry: geometry(dice) }
  }
}

function* chat(dice) {
  for (let n = 0; ; n++) {
    const text = `${dice.words(1 + dice.below(20))} ${dice.share(0.6) ? dice.of(EMOJI).repeat(1 + dice.below(3)) : ''}`
    const someone = () => Long.fromNumber(dice.below(1e6))
    const message = {
      _id: new UUID(dice.bytes(16)),
      room: new ObjectId(idAt(dice.below(50), dice)),
      from: { id: someone(), name: dice.of(['Åsa', 'Bob', '小明', 'Юлия', '🦊']) },
      at: new Date(1.7e12 + n * 900),
      text
    }
    if (dice.share(0.2)) message.replyTo = new UUID(dice.bytes(16))
    if (dice.share(0.3)) message.reactions = Object.fromEntries(dice.list(5, () => [dice.of(EMOJI), dice.list(4, someone)]))
    if (dice.share(0.1)) message.edited = new Date(1.7e12 + n * 1000)
    yield message
  }
}

const KINDS = { orders, products, buckets, geojson, chat }

/**
 * @param {keyof typeof KINDS} kind
 * @param {{documents?: number, size?: number, seed?: number}} how ends after so many documents or bytes
 * @returns {Buffer} a dump
 */
function messy(kind, { documents = Infinity, size = Infinity, seed = 1 }) {
  const parts = []
  let length = 0
  for (const document of KINDS[kind](new Dice(seed))) {
    if (parts.length >= documents || length >= size) break
    const bytes = encode(document)
    parts.push(bytes)
    length += bytes.length
  }
  return Buffer.concat(parts)
}

module.exports = { KINDS: Object.keys(KINDS), messy }
