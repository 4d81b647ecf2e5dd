'use strict'

// What JavaScript can do at best with three kinds of the realistic documents: straight-line code, written by hand for
// exactly that kind. Keys and types are constants, and so is which fields may be missing; nothing is checked. Events have
// 64 shapes: their code is put together from the same pieces, one literal a shape.

const { ObjectId } = require('../..')

const SLAB = 65536
const RESERVE = 8192 // no document of these kinds is longer

let slab = Buffer.from(new ArrayBuffer(SLAB))
let view = new DataView(slab.buffer)
let pos = 0

/** type | name | 0x00 */
const head = (type, name) => Uint8Array.from(Buffer.from(`${String.fromCharCode(type)}${name}\0`, 'latin1'))

// ---- writing

function begin() {
  if (pos + RESERVE > SLAB) {
    slab = Buffer.from(new ArrayBuffer(SLAB))
    view = new DataView(slab.buffer)
    pos = 0
  }
  return open()
}

function open() {
  pos += 4
  return pos - 4
}

function close(start) {
  slab[pos++] = 0
  view.setInt32(start, pos - start, true)
}

/** Ends the root: its bytes, as a view. */
function finish(start) {
  close(start)
  return slab.subarray(start, pos)
}

function putHead(bytes) {
  for (let i = 0; i < bytes.length; i++) slab[pos + i] = bytes[i]
  pos += bytes.length
}

function putId(name, id) {
  putHead(name)
  pos += id.serializeInto(slab, pos)
}

function putInt(name, value) {
  putHead(name)
  view.setInt32(pos, value, true)
  pos += 4
}

const TWO_POW_32 = 4294967296

function putDate(name, date) {
  putHead(name)
  const ms = date.getTime()
  view.setInt32(pos, ms | 0, true)
  view.setInt32(pos + 4, Math.floor(ms / TWO_POW_32), true)
  pos += 8
}

function putBoolean(name, value) {
  putHead(name)
  slab[pos++] = value ? 1 : 0
}

/** Longer texts are written natively. */
const SHORT = 24

function putString(name, text) {
  putHead(name)
  const start = pos + 4
  let end = start
  if (text.length <= SHORT) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code > 0x7f) {
        end = -1
        break
      }
      slab[end++] = code
    }
  } else end = -1
  if (end === -1) end = start + slab.utf8Write(text, start)
  slab[end] = 0
  view.setInt32(pos, end + 1 - start, true)
  pos = end + 1
}

/** Numbers with a fraction are doubles, the others int32, as any number may be: the type byte comes first. */
function putNumber(name, value) {
  const at = pos
  putHead(name)
  if ((value | 0) === value && !Object.is(value, -0)) {
    slab[at] = 0x10
    view.setInt32(pos, value, true)
    pos += 4
    return
  }
  view.setFloat64(pos, value, true)
  pos += 8
}

const INDEXES = Array.from({ length: 10 }, (_, i) => ({ string: head(2, i), document: head(3, i), number: head(1, i) }))

function putList(name, list, put) {
  putHead(name)
  const start = open()
  for (let i = 0; i < list.length; i++) put(INDEXES[i], list[i])
  close(start)
}

const putText = (index, text) => putString(index.string, text)
const putDouble = (index, number) => putNumber(index.number, number)

// ---- reading: `skip` is the length of an element's type and name

let buf = slab
let input = view
let next = 0
let text = ''

function beginReading(bytes) {
  buf = bytes
  input = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  text = bytes.latin1Slice(0, bytes.length)
  next = 4
}

function id(skip) {
  next += skip + 12
  return new ObjectId(buf, next - 12)
}

function int(skip) {
  next += skip + 4
  return input.getInt32(next - 4, true)
}

function date(skip) {
  next += skip + 8
  return new Date(input.getInt32(next - 4, true) * TWO_POW_32 + input.getUint32(next - 8, true))
}

const bool = skip => {
  next += skip + 1
  return buf[next - 1] === 1
}

function number(skip) {
  const isInt = buf[next] === 0x10
  next += skip
  if (isInt) {
    next += 4
    return input.getInt32(next - 4, true)
  }
  next += 8
  return input.getFloat64(next - 8, true)
}

function string(skip) {
  const start = next + skip + 4
  const end = start + input.getInt32(start - 4, true) - 1
  next = end + 1
  let bits = 0
  for (let i = start; i < end; i++) bits |= buf[i]
  return bits < 0x80 ? text.slice(start, end) : buf.utf8Slice(start, end)
}

function orNull(skip, read) {
  if (buf[next] !== 10) return read(skip)
  next += skip
  return null
}

function list(skip, read) {
  next += skip + 4
  const items = []
  while (buf[next] !== 0) items.push(read(3))
  next++
  return items
}

/** Whether the next element's name begins so. */
const isNext = letter => buf[next + 1] === letter

// ---- orders

const K = Object.fromEntries(Object.entries({
  _id: 7, number: 16, customerId: 7, status: 2, createdAt: 9, updatedAt: 9, currency: 2, items: 4, shipping: 3, billing: 3, coupon: 2,
  subtotal: 1, tax: 1, total: 1, paid: 8, note: 2, noNote: 10, sku: 2, productId: 7, name: 2, quantity: 16, price: 1, taxable: 8,
  street: 2, extra: 2, city: 2, zip: 2, country: 2, author: 3, id: 7, avatar: 2, title: 2, subtitle: 2, body: 2, tags: 4, likes: 16,
  publishedAt: 9, editedAt: 9, location: 3, type: 2, coordinates: 4, comments: 4, by: 2, text: 2, at: 9
}).map(([name, type]) => [name, head(type, name === 'noNote' ? 'note' : name)]))
const NOT_PUBLISHED = head(10, 'publishedAt')

function putAddress(name, address) {
  putHead(name)
  const start = open()
  putString(K.name, address.name)
  putString(K.street, address.street)
  if (address.extra !== undefined) putString(K.extra, address.extra)
  putString(K.city, address.city)
  putString(K.zip, address.zip)
  putString(K.country, address.country)
  close(start)
}

function putItem(index, item) {
  putHead(index.document)
  const start = open()
  putString(K.sku, item.sku)
  putId(K.productId, item.productId)
  putString(K.name, item.name)
  putInt(K.quantity, item.quantity)
  putNumber(K.price, item.price)
  putBoolean(K.taxable, item.taxable)
  close(start)
}

function encodeOrder(doc) {
  const start = begin()
  putId(K._id, doc._id)
  putInt(K.number, doc.number)
  putId(K.customerId, doc.customerId)
  putString(K.status, doc.status)
  putDate(K.createdAt, doc.createdAt)
  putDate(K.updatedAt, doc.updatedAt)
  putString(K.currency, doc.currency)
  putList(K.items, doc.items, putItem)
  putAddress(K.shipping, doc.shipping)
  if (doc.billing !== undefined) putAddress(K.billing, doc.billing)
  if (doc.coupon !== undefined) putString(K.coupon, doc.coupon)
  putNumber(K.subtotal, doc.subtotal)
  putNumber(K.tax, doc.tax)
  putNumber(K.total, doc.total)
  putBoolean(K.paid, doc.paid)
  if (doc.note === null) putHead(K.noNote)
  else putString(K.note, doc.note)
  return finish(start)
}

function address(skip) {
  next += skip + 4
  const name = string(6)
  const street = string(8)
  const read = isNext(0x65) // extra
    ? { name, street, extra: string(7), city: string(6), zip: string(5), country: string(9) }
    : { name, street, city: string(6), zip: string(5), country: string(9) }
  next++
  return read
}

function item(skip) {
  next += skip + 4
  const read = { sku: string(5), productId: id(11), name: string(6), quantity: int(10), price: number(7), taxable: bool(9) }
  next++
  return read
}

function decodeOrder(bytes) {
  beginReading(bytes)
  const doc = {
    _id: id(5), number: int(8), customerId: id(12), status: string(8), createdAt: date(11), updatedAt: date(11), currency: string(10),
    items: list(7, item), shipping: address(10)
  }
  if (isNext(0x62)) doc.billing = address(9)
  if (isNext(0x63)) doc.coupon = string(8)
  doc.subtotal = number(10)
  doc.tax = number(5)
  doc.total = number(7)
  doc.paid = bool(6)
  doc.note = orNull(6, string)
  return doc
}

// ---- posts

function putComment(index, comment) {
  putHead(index.document)
  const start = open()
  putString(K.by, comment.by)
  putString(K.text, comment.text)
  putDate(K.at, comment.at)
  if (comment.likes !== undefined) putInt(K.likes, comment.likes)
  close(start)
}

function encodePost(doc) {
  const start = begin()
  putId(K._id, doc._id)
  putHead(K.author)
  const author = open()
  putId(K.id, doc.author.id)
  putString(K.name, doc.author.name)
  if (doc.author.avatar !== undefined) putString(K.avatar, doc.author.avatar)
  close(author)
  putString(K.title, doc.title)
  if (doc.subtitle !== undefined) putString(K.subtitle, doc.subtitle)
  putString(K.body, doc.body)
  putList(K.tags, doc.tags, putText)
  putInt(K.likes, doc.likes)
  if (doc.publishedAt === null) putHead(NOT_PUBLISHED)
  else putDate(K.publishedAt, doc.publishedAt)
  if (doc.editedAt !== undefined) putDate(K.editedAt, doc.editedAt)
  if (doc.location !== undefined) {
    putHead(K.location)
    const location = open()
    putString(K.type, doc.location.type)
    putList(K.coordinates, doc.location.coordinates, putDouble)
    close(location)
  }
  putList(K.comments, doc.comments, putComment)
  return finish(start)
}

function author(skip) {
  next += skip + 4
  const read = { id: id(4), name: string(6) }
  if (buf[next] !== 0) read.avatar = string(8)
  next++
  return read
}

function comment(skip) {
  next += skip + 4
  const read = { by: string(4), text: string(6), at: date(4) }
  if (buf[next] !== 0) read.likes = int(7)
  next++
  return read
}

function location(skip) {
  next += skip + 4
  const read = { type: string(6), coordinates: list(13, number) }
  next++
  return read
}

function decodePost(bytes) {
  beginReading(bytes)
  const doc = { _id: id(5), author: author(8), title: string(7) }
  if (isNext(0x73)) doc.subtitle = string(10)
  doc.body = string(6)
  doc.tags = list(6, string)
  doc.likes = int(7)
  doc.publishedAt = orNull(13, date)
  if (isNext(0x65)) doc.editedAt = date(10)
  if (isNext(0x6c)) doc.location = location(10)
  doc.comments = list(10, comment)
  return doc
}

module.exports = {
  limits: { order: { encode: encodeOrder, decode: decodeOrder }, post: { encode: encodePost, decode: decodePost } },
  pieces: {
    begin, open, close, finish, beginReading, head, putHead, putId, putInt, putDate, putBoolean, putString, putNumber, putList, putText,
    id, int, date, bool, number, string, list, skip: count => { next += count }
  }
}
