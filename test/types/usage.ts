// TypeScript as it is written for bson 7.3: compiled against bson's own declarations and against ours, in strict mode.
// Every exported name is used, and every exported type.

import { inspect } from 'node:util'
import {
  BSON, BSONError, BSONOffsetError, BSONRegExp, BSONRuntimeError, BSONSymbol, BSONType, BSONValue, BSONVersionError, Binary, ByteUtils, Code,
  DBRef, Decimal128, Double, EJSON, Int32, Long, MaxKey, MinKey, NumberUtils, ObjectId, Timestamp, UUID, bsonType, calculateObjectSize,
  deserialize, deserializeStream, onDemand, serialize, serializeWithBufferAndIndex, setInternalBufferSize
} from 'bson'
import type {
  BSONRegExpExtended, BSONRegExpExtendedLegacy, BSONSymbolExtended, BSONTypeTag, BinaryExtended, BinaryExtendedLegacy, BinarySequence,
  CalculateObjectSizeOptions, CodeExtended, DBRefLike, Decimal128Extended, DeserializeOptions, Document, DoubleExtended, EJSONOptions,
  EJSONOptionsBase, EJSONParseOptions, EJSONSerializeOptions, Int32Extended, LongExtended, LongWithoutOverrides, MaxKeyExtended,
  MinKeyExtended, ObjectIdExtended, ObjectIdLike, OnDemand, SerializeOptions, TimestampExtended, TimestampOverrides, UUIDExtended
} from 'bson'
import * as everything from 'bson'

// as Mongoose does
declare module 'bson' {
  interface ObjectId {
    _id: this
  }
}

// documents and functions

interface User extends Document {
  _id: ObjectId
  name: string
}

const user: User = { _id: new ObjectId(), name: 'Ada', anything: [1, 2] }
const serializeOptions: SerializeOptions = { checkKeys: true, serializeFunctions: false, ignoreUndefined: true, index: 0 }
const bytes: Uint8Array = serialize(user, serializeOptions)
const deserializeOptions: DeserializeOptions = {
  useBigInt64: false, promoteLongs: true, promoteBuffers: false, promoteValues: true, fieldsAsRaw: { a: true }, bsonRegExp: false,
  allowObjectSmallerThanBufferSize: true, index: 0, raw: false, validation: { utf8: { name: true, title: true } }
}
const noUtf8: DeserializeOptions = { validation: { utf8: false } }
const someUtf8: DeserializeOptions['validation'] = { utf8: { a: false } }
const back: Document = deserialize(bytes, deserializeOptions)
const typed = deserialize(bytes, noUtf8) as User
const sizeOptions: CalculateObjectSizeOptions = { serializeFunctions: true, ignoreUndefined: false }
const size: number = calculateObjectSize(user, sizeOptions) + calculateObjectSize({})
const last: number = serializeWithBufferAndIndex(user, new Uint8Array(size + 5), { index: 5 })
const list: Document[] = []
const next: number = deserializeStream(bytes, 0, 1, list, 0, { ...deserializeOptions, validation: someUtf8 })
setInternalBufferSize(1024)

// Extended JSON

const base: EJSONOptionsBase = { legacy: false, relaxed: true }
const ejsonOptions: EJSONOptions = { ...base, useBigInt64: true, ignoreUndefined: true }
const parseOptions: EJSONParseOptions = { relaxed: false, useBigInt64: true }
const stringifyOptions: EJSONSerializeOptions = { ignoreUndefined: true, legacy: true }
const texts: string[] = [
  EJSON.stringify(user), EJSON.stringify(user, { relaxed: false }), EJSON.stringify(user, stringifyOptions, 2), EJSON.stringify(user, null, 2),
  EJSON.stringify(user, ['name', 1], ejsonOptions), EJSON.stringify(user, null, '\t', { relaxed: true }), EJSON.stringify(user, undefined, 0, ejsonOptions),
  EJSON.stringify(user, function (this: any, key: string, value: any) { return key === 'name' ? undefined : value }, 2)
]
const parsed: User = EJSON.parse(texts[0], parseOptions)
const plain: Document = EJSON.serialize(user, stringifyOptions)
const rich = EJSON.deserialize(plain, parseOptions)
rich.name.length

// errors

try {
  throw new BSONError('why', { cause: new Error('because') })
} catch (error) {
  if (BSONError.isBSONError(error)) error.message.length
  if (error instanceof BSONOffsetError) error.offset.toFixed()
}
const names: string[] = [new BSONError('x').name, new BSONRuntimeError('x').name, new BSONVersionError().name]
const ownNames: ['BSONRuntimeError', 'BSONVersionError', 'BSONOffsetError'] = [new BSONRuntimeError('x').name, new BSONVersionError().name, new BSONOffsetError('x', 5).name]
const again: ObjectId = user._id._id
const offsetError: BSONError = new BSONOffsetError('x', 5, { cause: 1 })

// ObjectId

const like: ObjectIdLike = { id: '0'.repeat(24), toHexString: () => '0'.repeat(24) }
const ids: ObjectId[] = [
  new ObjectId(), new ObjectId('0'.repeat(24)), new ObjectId(new Uint8Array(12)), new ObjectId(like), new ObjectId(user._id),
  ObjectId.createFromTime(5), ObjectId.createFromHexString('0'.repeat(24)), ObjectId.createFromBase64('AAAAAAAAAAAAAAAA')
]
const unsure: string | ObjectId | undefined = Math.random() > 2 ? undefined : 'x'
ids.push(new ObjectId(unsure))
const isSame: boolean = ids[0].equals(ids[1]) || ids[0].equals('x') || ids[0].equals(null) || ids[0].equals(undefined) || ids[0].equals(like)
const hexes: string[] = [ids[0].toHexString(), ids[0].toString(), ids[0].toString('base64'), ids[0].toJSON(), ids[0].inspect()]
const idBytes: Uint8Array = ids[0].id
ids[0].id = idBytes
const when: Date = ids[0].getTimestamp()
const generated: Uint8Array = ObjectId.generate(5)
ObjectId.cacheHexString = true
const isId: boolean = ObjectId.isValid('x') || ObjectId.isValid(like) || ObjectId.isValid(new Uint8Array(12))
const map = new Map<string, ObjectId>(ids.map(id => [id.toHexString(), id]))
const idType: 'ObjectId' = ids[0]._bsontype

// Long

const longs: Long[] = [
  new Long(1), new Long(1, 2), new Long(1, 2, true), new Long(5n), new Long(5n, true), new Long('5'), new Long('5', true), Long.fromBits(1, 2, true),
  Long.fromInt(5), Long.fromInt(5, true), Long.fromNumber(5.5), Long.fromBigInt(5n, true), Long.fromString('ff', 16), Long.fromString('5', true),
  Long.fromString('5', true, 10), Long.fromStringStrict('5'), Long.fromStringStrict('5', true, 10), Long.fromBytes([1, 2, 3, 4, 5, 6, 7, 8], true, true),
  Long.fromBytesLE([1]), Long.fromBytesBE([1], true), Long.fromValue(5), Long.fromValue('5'), Long.fromValue({ low: 1, high: 2 }), Long.ZERO, Long.ONE,
  Long.NEG_ONE, Long.UZERO, Long.UONE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_UNSIGNED_VALUE, Long.TWO_PWR_24
]
const [a, b] = longs
const timestamp = new Timestamp({ t: 5, i: 6 })
longs.push(
  a.add(b), a.add(5), a.add('5'), a.add(timestamp), a.and(b), a.divide(b), a.div(b), a.modulo(b), a.mod(b), a.rem(b), a.multiply(b), a.mul(b), a.negate(),
  a.neg(), a.not(), a.or(b), a.shiftLeft(5), a.shl(b), a.shiftRight(5), a.shr(5), a.shiftRightUnsigned(5), a.shr_u(5), a.shru(5), a.subtract(b), a.sub(b),
  a.toSigned(), a.toUnsigned(), a.xor(b)
)
const order: 0 | 1 | -1 = a.compare(b)
const orders: number[] = [a.comp(b), a.compare(timestamp), a.getHighBits(), a.getHighBitsUnsigned(), a.getLowBits(), a.getLowBitsUnsigned(), a.getNumBitsAbs()]
const truths: boolean[] = [
  a.equals(b), a.eq(b), a.notEquals(b), a.neq(b), a.ne(b), a.lessThan(b), a.lt(b), a.lessThanOrEqual(b), a.lte(b), a.le(b), a.greaterThan(b), a.gt(b),
  a.greaterThanOrEqual(b), a.gte(b), a.ge(b), a.isEven(), a.isOdd(), a.isNegative(), a.isPositive(), a.isZero(), a.eqz(), a.unsigned, a.__isLong__, Long.isLong(5)
]
const numbers: number[] = [a.toInt(), a.toNumber(), a.low, a.high, ...a.toBytes(), ...a.toBytesLE(), ...a.toBytesBE()]
const big: bigint = a.toBigInt()
const longText: string = a.toString() + a.toString(16) + a.inspect()
const longExtended: number | LongExtended = a.toExtendedJSON({ relaxed: true })
const fromExtended: number | Long | bigint = Long.fromExtendedJSON({ $numberLong: '5' }, { useBigInt64: true })
const maybeLong: unknown = a
if (Long.isLong(maybeLong)) maybeLong.toInt()
const longType: 'Long' = a._bsontype

// Timestamp

const timestamps: Timestamp[] = [
  timestamp, new Timestamp(5n), new Timestamp(a), Timestamp.fromInt(5), Timestamp.fromNumber(5), Timestamp.fromBits(5, 6), Timestamp.fromString('5', 10)
]
// @ts-expect-error: of one number it is not known which half
new Timestamp(5)
const parts: number[] = [timestamp.t, timestamp.i, timestamp.compare(timestamps[1])]
const timestampJSON: { $timestamp: string } = timestamp.toJSON()
const timestampBig: bigint = timestamp.toBigInt()
const timestampTruths: boolean[] = [timestamp.equals(a), timestamp.lt(5), timestamp.gte('5'), timestamp.lessThanOrEqual(timestamps[1])]
const deprecated: Long = timestamp.add(5).subtract(timestamp.toUnsigned())
const halves: number[] = [timestamp.low, timestamp.high, timestamp.toInt(), timestamp.toNumber()]
const maximum: Long = Timestamp.MAX_VALUE
const timestampType: 'Timestamp' = timestamp._bsontype
const overridden: TimestampOverrides[] = ['_bsontype', 'inspect', bsonType]
type KeptLong = InstanceType<LongWithoutOverrides>
const kept: KeptLong = timestamp
kept.toBigInt()

// Decimal128, Double, Int32

const decimals: Decimal128[] = [
  new Decimal128('1.5'), new Decimal128(new Uint8Array(16)), Decimal128.fromString('1.5'), Decimal128.fromStringWithRounding('1.5')
]
const decimalExtended: Decimal128Extended = decimals[0].toJSON()
const decimalBytes: Uint8Array = decimals[0].bytes
const doubles: Double[] = [new Double(1.5), Double.fromString('1.5')]
const ints: Int32[] = [new Int32(1), new Int32('1'), Int32.fromString('1')]
const sum: number = doubles[0].value + doubles[0].valueOf() + doubles[0].toJSON() + ints[0].value + ints[0].valueOf() + ints[0].toJSON()
const scalarText: string = doubles[0].toString(16) + ints[0].toString(2) + decimals[0].toString() + decimals[0].inspect()

// Binary and UUID

const sequence: BinarySequence = [1, 2, 3]
const binaries: Binary[] = [
  new Binary(), new Binary(new Uint8Array(3)), new Binary(sequence, Binary.SUBTYPE_USER_DEFINED), new Binary(Buffer.from([1]), 5),
  Binary.createFromHexString('00ff', Binary.SUBTYPE_MD5), Binary.createFromBase64('AQID'), Binary.fromInt8Array(new Int8Array(2)),
  Binary.fromFloat32Array(new Float32Array(2)), Binary.fromPackedBits(new Uint8Array(2), 3), Binary.fromBits([0, 1]), new UUID()
]
const binary = binaries[0]
binary.put('a')
binary.put(5)
binary.put([5])
binary.write(sequence, 0)
const subtypes: number[] = [
  Binary.BUFFER_SIZE, Binary.SUBTYPE_DEFAULT, Binary.SUBTYPE_FUNCTION, Binary.SUBTYPE_BYTE_ARRAY, Binary.SUBTYPE_UUID_OLD, Binary.SUBTYPE_UUID,
  Binary.SUBTYPE_ENCRYPTED, Binary.SUBTYPE_COLUMN, Binary.SUBTYPE_SENSITIVE, Binary.SUBTYPE_VECTOR, Binary.VECTOR_TYPE.Int8, Binary.VECTOR_TYPE.Float32,
  Binary.VECTOR_TYPE.PackedBit, binary.sub_type, binary.position, binary.length()
]
const uuidSubtype: 4 = Binary.SUBTYPE_UUID
const int8Type: 3 = Binary.VECTOR_TYPE.Int8
const binaryBytes: Uint8Array[] = [binary.value(), binary.read(0, 1), binary.buffer, binary.toPackedBits()]
const binaryText: string = binary.toString() + binary.toString('hex') + binary.toString('utf-8') + binary.toJSON() + binary.inspect()
const vectors: [Int8Array, Float32Array, Int8Array] = [binary.toInt8Array(), binary.toFloat32Array(), binary.toBits()]
const uuids: UUID[] = [
  binary.toUUID(), new UUID('0d8f2d5c-7a51-4c0e-9b1e-3f5e6a7b8c09'), new UUID(new Uint8Array(16)), new UUID(new UUID()), UUID.createFromHexString('x'),
  UUID.createFromBase64('x')
]
const uuidBinary: Binary = uuids[0].toBinary()
const uuidTruths: boolean[] = [uuids[0].equals('x'), uuids[0].equals(new Uint8Array(16)), UUID.isValid('x'), UUID.isValid(binary)]
const uuidText: string = uuids[0].toHexString(false) + uuids[0].toString('base64') + uuids[0].toJSON() + UUID.generate().length
uuids[0].id = uuids[1].id
const binaryType: 'Binary' = uuids[0]._bsontype

// the others

const code = new Code(function () { return 1 }, { b: 1 })
code.scope = null
const codeJSON: { code: string, scope?: Document } = new Code('a', null).toJSON()
const ref = new DBRef('c', ids[0], 'd', { x: 1 })
const refLike: DBRefLike & Document = ref.toJSON()
const refDb: string | undefined = ref.db
const regexp = new BSONRegExp('a', 'i')
const regexpText: string = regexp.pattern + regexp.options + BSONRegExp.parseOptions('im')
const symbol = new BSONSymbol('a')
const symbolText: string = symbol.value + symbol.valueOf() + symbol.toString() + symbol.toJSON()
const keys: [MinKey, MaxKey] = [new MinKey(), new MaxKey()]
const keyText: string = keys[0].inspect() + keys[1].inspect()

// all of them

// @ts-expect-error: it is abstract
new BSONValue()
class Own extends BSONValue {
  get _bsontype(): 'Double' { return 'Double' }
  inspect() { return 'Own' }
}
const made: BSONValue = new Own()
const value: BSONValue = Math.random() > 2 ? a : regexp
const tag: string = value._bsontype + value.inspect(2, {}, (inner: unknown) => inspect(inner)) + value[bsonType]
const tags: BSONTypeTag[] = ['BSONRegExp', 'BSONSymbol', 'ObjectId', 'Binary', 'Decimal128', 'Double', 'Int32', 'Long', 'MaxKey', 'MinKey', 'Timestamp', 'Code', 'DBRef']
const typeNumber: BSONType = BSONType.objectId
const seven: 7 = BSONType.objectId

function narrowed(any: ObjectId | Timestamp | Double | Code | Long): string {
  switch (any._bsontype) {
    case 'ObjectId': return any.toHexString()
    case 'Timestamp': return String(any.t)
    case 'Double': return any.value.toFixed()
    case 'Code': return any.code
    case 'Long': return any.toString(16)
  }
}

// Extended JSON of each type

type Extended = [
  BinaryExtended, BinaryExtendedLegacy, UUIDExtended, CodeExtended, Decimal128Extended, DoubleExtended, Int32Extended, LongExtended, MaxKeyExtended,
  MinKeyExtended, ObjectIdExtended, BSONRegExpExtended, BSONRegExpExtendedLegacy, BSONSymbolExtended, TimestampExtended
]
const extended: Extended = [
  { $binary: { subType: '00', base64: '' } }, { $type: '00', $binary: '' }, { $uuid: '' }, { $code: '', $scope: {} }, { $numberDecimal: '' }, { $numberDouble: '' },
  { $numberInt: '' }, { $numberLong: '' }, { $maxKey: 1 }, { $minKey: 1 }, { $oid: '' }, { $regularExpression: { pattern: '', options: '' } },
  { $regex: regexp, $options: '' }, { $symbol: '' }, { $timestamp: { t: 1, i: 2 } }
]

// the namespace, as a value and as types

const inNamespace: BSON.Document = BSON.deserialize(BSON.serialize({ a: new BSON.Long(5) }))
const namespaced: BSON.ObjectId = new BSON.ObjectId()
const namespaceOptions: BSON.DeserializeOptions & BSON.EJSONOptions = { promoteLongs: false, relaxed: true }
const another: everything.Document = everything.EJSON.parse('{}')

// bytes and numbers

const utilities: ByteUtils = ByteUtils
const numeric: NumberUtils = NumberUtils
const demand: OnDemand = onDemand
const moreBytes: Uint8Array[] = [
  utilities.allocate(5), utilities.allocateUnsafe(5), utilities.toLocalBufferType(new ArrayBuffer(5)), utilities.concat([bytes]), utilities.fromNumberArray([1]),
  utilities.fromBase64(''), utilities.fromUTF8(''), utilities.fromISO88591(''), utilities.fromHex(''), utilities.randomBytes(5), utilities.swap32(bytes)
]
const compared: -1 | 0 | 1 = utilities.compare(bytes, bytes)
const byteTexts: string[] = [utilities.toBase64(bytes), utilities.toISO88591(bytes), utilities.toHex(bytes), utilities.toUTF8(bytes, 0, 1, true)]
const byteNumbers: number[] = [utilities.copy(bytes, bytes, 0, 0, 1), utilities.utf8ByteLength(''), utilities.encodeUTF8Into(bytes, '', 0)]
const maybeBytes: unknown = bytes
if (utilities.isUint8Array(maybeBytes)) maybeBytes.length
const four: 4 = numeric.setInt32LE(bytes, 0, 1)
const eight: 8 = numeric.setFloat64LE(bytes, 0, 1)
const read: number[] = [
  numeric.getNonnegativeInt32LE(bytes, 0), numeric.getInt32LE(bytes, 0), numeric.getUint32LE(bytes, 0), numeric.getUint32BE(bytes, 0), numeric.getFloat64LE(bytes, 0),
  numeric.setInt32BE(bytes, 0, 1), numeric.setBigInt64LE(bytes, 0, 1n)
]
const readBig: bigint = numeric.getBigInt64LE(bytes, 0)
const bigEndian: boolean = numeric.isBigEndian
for (const [type, nameOffset, nameLength, offset, length] of demand.parseToElements(bytes, 0)) {
  const element: number = type + nameOffset + nameLength + offset + length
}

// what else is derived from declarations

class Reference extends DBRef {
  db?: string = 'other'
}
const stringifyArguments: Parameters<typeof EJSON.stringify> = [new Reference('c', new ObjectId()), { relaxed: true }, 2]
const isRelaxed: boolean | undefined = stringifyArguments[1]?.relaxed
const timestampArguments: ConstructorParameters<typeof Timestamp> = [{ t: 1, i: 2 }]
const aliasType: BSON.BSONType = BSON.BSONType.int
const growth: 256 = Binary.BUFFER_SIZE
