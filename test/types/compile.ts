// What TypeScript knows of compiled codecs.

import { compile, type Infer } from 'qbson/compile'
import { Binary, BSONRegExp, BSONSymbol, DBRef, Decimal128, Double, Int32, Long, ObjectId } from 'qbson'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const sure = <T extends true>(): T => true as T

const schema = {
  bsonType: 'object',
  required: ['_id', 'total', 'items', 'state'],
  properties: {
    _id: { bsonType: 'objectId' },
    total: { bsonType: 'decimal' },
    state: { enum: ['new', 'paid'] },
    note: { bsonType: ['string', 'null'] },
    big: { bsonType: 'long', as: 'bigint' },
    size: { bsonType: 'long' },
    raw: { bsonType: 'binData' },
    items: {
      bsonType: 'array',
      items: { bsonType: 'object', required: ['sku'], properties: { sku: { bsonType: 'string' }, n: { bsonType: 'int' } } }
    },
    scores: { bsonType: 'object', additionalProperties: { type: 'number' } },
    either: { anyOf: [{ bsonType: 'date' }, { bsonType: 'null' }] }
  }
} as const

type Order = Infer<typeof schema>

sure<Same<Order, {
  _id: ObjectId
  total: Decimal128
  items: { sku: string, n?: number }[]
  state: 'new' | 'paid'
  note?: string | null
  big?: bigint
  size?: number | Long
  raw?: Binary
  scores?: Record<string, number | Long | Decimal128>
  either?: Date | null
}>>()

const order = compile(schema)
const doc: Order = order.decode(order.encode({ _id: new ObjectId(), total: 5, items: [{ sku: 'a' }], state: 'new' }))
const ids: string[] = doc.items.map(item => item.sku)

// @ts-expect-error: there is no such state
order.encode({ _id: new ObjectId(), total: 5, items: [], state: 'lost' })

// @ts-expect-error: total is missing
order.encode({ _id: new ObjectId(), items: [], state: 'new' })

// a schema that is written in place needs no `as const`
const point = compile({ bsonType: 'object', required: ['x'], properties: { x: { bsonType: 'double' } } })
const x: number = point.decode(point.encode({ x: 1 })).x

// one that is not, or comes from a .json, says nothing: TypeScript has forgotten its words
const loose = { bsonType: 'object', required: ['x'], properties: { x: { bsonType: 'double' } } }
const anything = compile(loose)
const y: string = anything.decode(anything.encode({ y: 'y' })).y
const some = { required: ['a'], properties: { a: { bsonType: 'int' }, b: { bsonType: 'int' } } }
sure<Same<Infer<typeof some>, { a?: any, b?: any }>>()

// options of decode change what decoding gives; where `as` says something, that holds
const all = {
  required: ['i', 'd', 'l', 'b', 'r', 's', 'as'],
  properties: {
    i: { bsonType: 'int' }, d: { bsonType: 'double' }, l: { bsonType: 'long' }, b: { bsonType: 'binData' },
    r: { bsonType: 'regex' }, s: { bsonType: 'symbol' }, as: { bsonType: 'long', as: 'long' }, n: { bsonType: 'number' }
  }
} as const
const boxed = compile(all, { promoteValues: false, bsonRegExp: true }).decode(new Uint8Array())
sure<Same<typeof boxed, {
  i: Int32, d: Double, l: Long, b: Binary, r: BSONRegExp, s: BSONSymbol, as: Long, n?: Int32 | Double | Long | Decimal128
}>>()
sure<Same<Infer<typeof all, { useBigInt64: true, promoteBuffers: true }>, {
  i: number, d: number, l: bigint, b: Uint8Array, r: RegExp | BSONRegExp, s: string, as: Long, n?: number | bigint | Decimal128
}>>()

// an enum holds values, not types: a number may be an int32, a double, an int64 or a decimal, and options apply to all
const enums = {
  required: ['i', 'l', 'n', 'd', 's', 'b', 'big', 'as', 'mixed', 'o'],
  properties: {
    i: { bsonType: 'int', enum: [1, 2] }, l: { bsonType: 'long', enum: [1, 2] }, n: { enum: [1, 2] },
    d: { bsonType: ['double', 'decimal'], enum: [1, 2] }, s: { enum: ['a', 'b', null, true] }, b: { enum: [new Uint8Array(1), /x/] },
    big: { enum: [1n, new Int32(5)] }, as: { type: 'number', enum: [1], as: 'bigint' }, mixed: { bsonType: ['string', 'int'], enum: ['a', 1] },
    o: { enum: [{ n: 1 }, [1]] }
  }
} as const
sure<Same<Infer<typeof enums>, {
  i: 1 | 2, l: 1 | 2 | Long, n: 1 | 2 | Long | Decimal128, d: 1 | 2 | Decimal128, s: 'a' | 'b' | null | true, b: Binary | RegExp | BSONRegExp,
  big: number | Long | Decimal128, as: 1 | bigint | Decimal128, mixed: 'a' | 1, o: any
}>>()
sure<Same<Infer<typeof enums, { useBigInt64: true, promoteBuffers: true, bsonRegExp: true }>, {
  i: 1 | 2, l: bigint, n: 1 | 2 | bigint | Decimal128, d: 1 | 2 | Decimal128, s: 'a' | 'b' | null | true, b: Uint8Array | BSONRegExp,
  big: number | bigint | Decimal128, as: 1 | bigint | Decimal128, mixed: 'a' | 1, o: any
}>>()
sure<Same<Infer<typeof enums, { promoteValues: false }>, {
  i: Int32, l: Long, n: Int32 | Double | Long | Decimal128, d: Double | Decimal128, s: 'a' | 'b' | null | true, b: Binary | RegExp | BSONRegExp,
  big: Int32 | Double | Long | Decimal128, as: Int32 | Double | bigint | Decimal128, mixed: 'a' | Int32, o: any
}>>()
const chosen = compile(enums)
chosen.encode(chosen.decode(new Uint8Array()))

// @ts-expect-error: there is no 3
chosen.encode({ ...chosen.decode(new Uint8Array()), i: 3 })

// references: what has $ref and $id is decoded as a DBRef, unless another name begins with $
const reference = { properties: { $ref: { bsonType: 'string' }, $id: { bsonType: 'objectId' }, x: { bsonType: 'int' } } } as const
type Fields = { $ref: string, $id: ObjectId, x?: number }
sure<Same<Infer<typeof reference>, DBRef | Partial<Fields>>>()
const link = { required: ['$ref', '$id'], ...reference } as const
sure<Same<Infer<typeof link>, DBRef>>()
sure<Same<Infer<{ properties: { to: typeof link } }>, { to?: DBRef }>>()
compile(link).encode({ $ref: 'c', $id: new ObjectId(), x: 1 })
compile(link).encode(new DBRef('c', new ObjectId()))
sure<Same<Infer<{ required: ['$ref', '$id'], properties: { $ref: {}, $id: {}, $y: {} } }>, DBRef | { $ref: any, $id: any, $y?: any }>>()
sure<Same<Infer<{ required: ['$y'], properties: { $ref: {}, $id: {}, $y: {} } }>, { $ref?: any, $id?: any, $y: any }>>()
sure<Same<Infer<{ properties: { $ref: { bsonType: 'string' } } }>, { $ref?: string }>>()

const flags = { useBigInt64: Math.random() < 0.5, maxDepth: 5 }
sure<Same<ReturnType<ReturnType<typeof compile<typeof all, typeof flags>>['decode']>['l'], bigint | number | Long>>()
const packed = compile(all, { layout: 'array', upgrade: [point] })
const long: Long | number = packed.decode(packed.encode({ i: 1, d: 1, l: 1n, b: new Uint8Array(), r: /x/, s: boxed.s, as: 1 })).l

// @ts-expect-error: there is no such option
compile(all, { layuot: 'array', maxDepth: 5 })

// @ts-expect-error: a schema is an object
compile('x')

// @ts-expect-error: nor such a layout
compile(all, { layout: 'rows' })

// trees
const tree = compile({
  $ref: '#/definitions/tree',
  definitions: {
    tree: {
      bsonType: 'object',
      required: ['name', 'children'],
      properties: { name: { bsonType: 'string' }, children: { bsonType: 'array', items: { $ref: '#/definitions/tree' } } }
    }
  }
})
const name: string = tree.decode(new Uint8Array()).children[0].children[0].name
const maps = compile({
  properties: { a: { $ref: '#/definitions/map' } },
  definitions: { map: { bsonType: 'object', additionalProperties: { $ref: '#/definitions/map' } } }
})
maps.encode({ a: { b: { c: {} } } })
sure<Same<keyof NonNullable<ReturnType<typeof maps.decode>['a']>, string | number>>()

const size: number = order.sizeOf({ _id: new ObjectId(), total: 5, items: [], state: 'paid' }, { check: false })

export { ids, x, y, long, name, size }
