// Written by `qbson compile`. Change the schema, not this.

import type { ObjectId, Long, Decimal128, Binary, Timestamp, BSONRegExp, Code, MinKey, MaxKey, DBRef } from 'qbson'
import type { Codec } from 'qbson/compile'

export interface Cover {
  type: string
  bytes: Binary
  thumbnail: null
  [key: string]: any
}

export interface Customer {
  '$ref': string
  '$id': ObjectId
  [key: string]: any
}

export interface Lines {
  book: ObjectId
  count: number
  note?: string
  [key: string]: any
}

export interface Document {
  _id: ObjectId
  kind: string
  title?: string
  authors?: Array<string>
  pages?: number
  price?: Decimal128
  rating?: number
  inPrint?: boolean
  language?: string
  published?: Date
  sold?: number | Long
  cover?: Cover
  shelf?: Binary
  customer?: Customer | DBRef
  lines?: Array<Lines>
  total?: Decimal128
  weight?: number
  at?: Timestamp
  pattern?: RegExp | BSONRegExp
  advanced?: RegExp | BSONRegExp
  embedding?: Binary
  score?: Code
  range?: Array<MinKey | MaxKey>
  [key: string]: any
}

export const encode: Codec<Document>['encode']
export const encodeInto: Codec<Document>['encodeInto']
export const sizeOf: Codec<Document>['sizeOf']
export const decode: Codec<Document>['decode']
export const validate: Codec<Document>['validate']
