'use strict'

// GeoJSON geometry as Well-Known Binary, as GeoParquet holds it: byte order 1 | uint32 type | counts and doubles. A
// geometry whose positions have a height has a type 1,000 higher. https://geoparquet.org

const { ELEMENT } = require('../../spec')
const { concat } = require('../../bytes')
const { decodeElement } = require('../../decode')

/** The types by name: their number, and the levels of lists around a position. */
const TYPES = new Map([
  ['Point', { code: 1, levels: 0 }],
  ['LineString', { code: 2, levels: 1 }],
  ['Polygon', { code: 3, levels: 2 }],
  ['MultiPoint', { code: 4, levels: 1, part: 1 }],
  ['MultiLineString', { code: 5, levels: 2, part: 2 }],
  ['MultiPolygon', { code: 6, levels: 3, part: 3 }]
])

const COLLECTION = 7

/** The most levels of collections in collections. */
const MAX_LEVELS = 30

const ORDER = 1
const Z = 1000

/** Of the element from `at` to `next`. @param {Uint8Array} buf @returns {Uint8Array | null} null: it is no geometry */
function geometryOf(buf, at, next) {
  return buf[at] === ELEMENT.DOCUMENT ? partOf(decodeElement(buf, at, next), 0) : null
}

/** @returns {Uint8Array | null} */
function partOf(geometry, level) {
  const { type, coordinates, geometries } = geometry ?? {}
  if (type === 'GeometryCollection' && Array.isArray(geometries) && level < MAX_LEVELS) {
    const parts = geometries.map(part => partOf(part, level + 1))
    const isHigh = parts.some(part => part !== null && hasHeight(part))
    return parts.includes(null) ? null : concat([headOf(COLLECTION, isHigh), countOf(parts.length), ...parts])
  }
  const known = TYPES.get(type)
  const width = known === undefined ? 0 : widthOf(coordinates, known.levels)
  return width === 0 ? null : concat(bytesOf(known, coordinates, width, []))
}

function hasHeight(part) {
  return new DataView(part.buffer, part.byteOffset).getUint32(1, true) > Z
}

function headOf(code, isHigh) {
  const head = new DataView(new ArrayBuffer(5))
  head.setUint8(0, ORDER)
  head.setUint32(1, code + (isHigh ? Z : 0), true)
  return new Uint8Array(head.buffer)
}

function countOf(count) {
  return new Uint8Array(Uint32Array.of(count).buffer)
}

/** How many numbers each position has: 2 or 3 (2 if there are no positions); 0 if these are not coordinates. */
function widthOf(coordinates, levels) {
  const [width = 2, ...others] = new Set(widthsIn(coordinates, levels))
  return others.length > 0 ? 0 : width
}

/** @returns {number[]} how many numbers each position has; 0 for anything else, and nothing for an empty list */
function widthsIn(coordinates, levels) {
  if (!Array.isArray(coordinates)) return [0]
  if (levels > 0) return coordinates.flatMap(inner => widthsIn(inner, levels - 1))
  const { length } = coordinates
  return [(length === 2 || length === 3) && coordinates.every(number => Number.isFinite(number)) ? length : 0]
}

/** @param {{code: number, levels: number, part?: number}} type @param {Uint8Array[]} parts */
function bytesOf({ code, levels, part }, coordinates, width, parts) {
  parts.push(headOf(code, width === 3))
  if (part === undefined) return putLists(coordinates, levels, parts)
  parts.push(countOf(coordinates.length))
  for (const inner of coordinates) bytesOf({ code: part, levels: levels - 1 }, inner, width, parts)
  return parts
}

function putLists(coordinates, levels, parts) {
  if (levels === 0) parts.push(new Uint8Array(Float64Array.from(coordinates).buffer))
  else {
    parts.push(countOf(coordinates.length))
    for (const inner of coordinates) putLists(inner, levels - 1, parts)
  }
  return parts
}

/** The metadata of a file with geometry. @param {string[]} names of the columns @returns {string} JSON */
function geoMetadata(names) {
  const columns = Object.fromEntries(names.map(name => [name, { encoding: 'WKB', geometry_types: [] }]))
  return JSON.stringify({ version: '1.1.0', primary_column: names[0], columns })
}

module.exports = { geometryOf, geoMetadata }
