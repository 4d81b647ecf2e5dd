'use strict'

const { distinct, figure } = require('./tables')

// Middle tones, legible on white and on near black (contrast at least 4.3 to 1 on both): the background of the picture
// is not known.
const INK = '#717b85'
const PALE = '#8b949e66'
const OTHER = '#8b949e'
const OWN = '#d9730d'

const CONFIG = {
  background: 'transparent',
  padding: 8,
  font: 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif',
  view: { stroke: null },
  title: { color: INK, subtitleColor: INK, anchor: 'start', fontSize: 15, subtitleFontSize: 12, offset: 12 },
  header: { labelColor: INK, labelFontSize: 13, labelFontWeight: 'bold', labelAnchor: 'start', title: null },
  axis: {
    labelColor: INK, titleColor: INK, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal', labelLimit: 300,
    domain: false, ticks: false, gridColor: PALE, gridDash: [1, 3]
  },
  text: { fontSize: 12, color: INK }
}

const isOwn = name => name.startsWith('qbson')

/** Each contender has its own shape, also in the legend: Vega's names, and characters for the text. */
const SHAPES = [['circle', '●'], ['square', '■'], ['triangle-up', '▲'], ['diamond', '◆'], ['triangle-down', '▼'], ['cross', '✚']]
const VARIANTS = { 'qbson (no codegen)': ['circle', '○'], 'qbson compiled': ['diamond', '◇'] }
const NAMES = { 'qbson (no codegen)': 'qbson without code generation' }

/** @param {string} contender @param {string[]} others in grey @returns {string[]} the shape and its character */
function shapeOf(contender, others) {
  return VARIANTS[contender] ?? SHAPES[Math.max(0, others.indexOf(contender)) % SHAPES.length]
}

/** @param {string[]} contenders @param {string[]} others @returns {string} */
function legendOf(contenders, others) {
  const named = names => names.map(name => `${shapeOf(name, others)[1]} ${NAMES[name] ?? name}`).join(', ')
  return `grey: ${named(others)}; orange: ${named(contenders.filter(isOwn))}`
}

/**
 * Marks on a logarithmic scale: one row per subject, one mark per contender, one panel per operation. The labelled marks
 * are qbson, the best of the others, and the limit if there is one.
 * @param {import('./results').Result[]} results
 * @param {{name: string, title: string}} chart
 * @returns {{name: string, spec: any}[]}
 */
function relativeCharts(results, { name, title }) {
  const rated = results.filter(result => result.relative !== undefined && result.contender !== 'bson')
  const values = rated.map(result => dot(result, rated))
  const others = distinct(values.filter(value => value.role === 'other' || value.role === 'best'), 'contender')
  for (const value of values) value.shape = shapeOf(value.contender, others)[0]
  const legend = legendOf(distinct(values, 'contender'), others)
  const panel = (op, i) => panelOf(op, values.filter(value => value.op === op), distinct(results, 'subject'), i === 0)
  return [{
    name,
    spec: {
      title: { text: title, subtitle: lines(`rate, bson = 100, more is faster; ${legend}`) },
      hconcat: distinct(rated, 'op').map(panel),
      spacing: 30
    }
  }]
}

/** Splits a text into lines of at most 90 characters. */
const lines = text => text.match(/.{1,90}( |$)/g).map(line => line.trim())

function dot(result, all) {
  const { subject, op, contender, relative } = result
  const rivals = all.filter(one => {
    return one.subject === subject && one.op === op && !isOwn(one.contender) && one.contender !== 'limit'
  })
  const best = rivals.every(one => one.relative <= relative)
  const role = contender === 'qbson' ? 'qbson' : isOwn(contender) ? 'variant' : contender === 'limit' ? 'limit'
    : best ? 'best' : 'other'
  const rate = figure(Math.round(relative))
  const label = { qbson: `qbson ${rate}`, best: `${contender} ${rate}`, limit: `limit ${rate}` }[role] ?? ''
  return { subject, op, contender, relative, role, label }
}

function panelOf(op, values, subjects, labelled) {
  const axis = { grid: true, labelPadding: 12, labels: labelled }
  const y = { field: 'subject', type: 'nominal', sort: subjects, title: null, axis }
  const x = {
    field: 'relative', type: 'quantitative', title: null, scale: { type: 'log', nice: false, domain: domainOf(values) },
    axis: { values: [10, 20, 50, 100, 200, 500, 1000, 2000, 5000], grid: false, format: 'd' }
  }
  const shape = { field: 'shape', type: 'nominal', scale: null }
  const points = (role, mark) => ({
    transform: [{ filter: `datum.role == '${role}'` }], mark, encoding: { x, y, ...(mark.type === 'point' ? { shape } : {}) }
  })
  const labels = (role, mark) => points(role, { type: 'text', ...mark })
  const text = layer => ({ ...layer, encoding: { ...layer.encoding, text: { field: 'label' } } })
  return {
    title: { text: op, fontSize: 13 },
    width: 430,
    height: { step: 40 },
    data: { values },
    layer: [
      { data: { values: [{}] }, mark: { type: 'rule', color: OTHER, strokeWidth: 1.5 }, encoding: { x: { datum: 100 } } },
      points('other', { type: 'point', filled: true, color: OTHER, size: 45, opacity: 0.6 }),
      points('best', { type: 'point', filled: true, color: OTHER, size: 60, opacity: 1 }),
      points('variant', { type: 'point', filled: false, color: OWN, size: 60, opacity: 1 }),
      points('limit', { type: 'tick', color: INK, thickness: 2, height: 16, opacity: 1 }),
      points('qbson', { type: 'point', filled: true, color: OWN, size: 110, opacity: 1 }),
      text(labels('best', { dy: 13, fontSize: 11 })),
      text(labels('limit', { dx: 6, align: 'left', fontSize: 11 })),
      text(labels('qbson', { dy: -13, color: OWN, fontWeight: 'bold' }))
    ]
  }
}

/** A little wider than the values, with room for the label of the last mark. */
function domainOf(values) {
  const rates = values.map(value => value.relative).filter(rate => rate > 0)
  return [Math.min(80, ...rates) / 1.1, Math.max(120, ...rates) * 1.8]
}

/**
 * Charts are part of the package, so they are kept small. Screen readers do not read the description of a mark in an
 * image.
 *
 * @type {import('svgo').Config}
 */
const SMALL = {
  floatPrecision: 1,
  multipass: true,
  plugins: ['preset-default', { name: 'removeAttrs', params: { attrs: ['aria-.*', 'role', 'class', 'pointer-events'] } }]
}

/**
 * The charts of a suite as SVG.
 * @param {any} suite
 * @param {import('./results').Result[]} results of one suite on one Node version
 * @returns {Promise<{file: string, svg: string}[]>}
 */
async function charts(suite, results) {
  const wanted = suite.charts?.(results) ?? []
  if (wanted.length === 0) return []
  const vega = await import('vega')
  const { compile } = await import('vega-lite')
  const { optimize } = await import('svgo')
  return Promise.all(wanted.map(async ({ name, spec }) => {
    const view = new vega.View(vega.parse(compile(spec, { config: CONFIG }).spec), { renderer: 'none' })
    const { data: svg } = optimize(await view.toSVG(), SMALL)
    return { file: `${suite.name}-${name}.svg`, svg: `${svg}\n` }
  }))
}

module.exports = { charts, relativeCharts }
