// @ts-check
/**
 * One search as a picture: the query, what was decided, what each leg found, and the fused list with the share that each
 * leg has in every score. It has no times in it: the same search gives the same bytes.
 *
 *     querent search "…" --index <dir> --json | node scripts/draw-search.mjs [--qrels FILE --qid ID] > search.svg
 *     node scripts/draw-search.mjs search.json …
 *
 * With judgments (three columns, parted by tabs) the documents that the query is judged to need are marked.
 */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

/** @typedef {import('../src/types.ts').SearchResult} SearchResult */
/** @typedef {import('../src/types.ts').Hit} Hit */
/** @typedef {import('../src/types.ts').LegTrace} LegTrace */
/** @typedef {import('../src/types.ts').Trace} Trace */

const width = 900
const margin = 30
const legsWidth = 544
const gap = 12
const rowHeight = 118
const hitHeight = 46
/** Hits of a leg that are shown. */
const shownOfLeg = 3
/** Fused hits that are shown. */
const shownFused = 6

const ink = '#1f2328'
const faint = '#59636e'
const line = '#d1d9e0'
const unused = '#c4ccd4'
const green = '#1a7f37'
/** One hue a sub-query; a retriever is a shade of it. */
const hues = [214, 26, 272, 168, 340]
const shades = [44, 66, 80]

/**
 * The picture as SVG.
 *
 * @param {SearchResult} result What `querent search --json` prints.
 * @param {ReadonlySet<string>} [needed] The docids to mark.
 * @returns {string}
 */
export function drawSearch({ hits, trace }, needed = new Set()) {
  const legs = trace.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  const retrievers = [...new Set(legs.map(({ retriever }) => retriever))]
  const own = trace.query.text
  const others = trace.subQueries.map(({ text }) => text).filter((text) => text !== own)
  const fusedTexts = new Set(
    hits.flatMap(({ provenance = [] }) => provenance.map(({ subQuery }) => subQuery.text)),
  )
  const color = colors([own, ...others], retrievers, fusedTexts)

  const question = wrapped(own, width - 2 * margin, 18)
  const top = 90 + 26 * question.length
  const rows = [own, ...others].map((text, row) => {
    const heading =
      row > 0
        ? text
        : fusedTexts.has(own)
          ? 'the original query'
          : 'the original query: searched at once, not fused'
    return subQueryRow(
      { heading, used: fusedTexts.has(text), y: top + 26 + row * rowHeight, first: row === 0 },
      () =>
        retrievers.map((retriever, column) =>
          legBox({
            leg: legs.find((leg) => leg.retriever === retriever && leg.subQuery.text === text),
            ...columnAt(column, retrievers.length),
            color: color(text, retriever),
            used: fusedTexts.has(text),
            needed,
          }),
        ),
    )
  })

  const fused = hits.slice(0, shownFused)
  const right = margin + legsWidth + 36
  const fusedHeight = 30 + fused.length * hitHeight
  const legsHeight = 26 + rows.length * rowHeight - 14
  const bottom = top + Math.max(legsHeight, fusedHeight) + 22
  const height = bottom + 34
  const best = Math.max(...fused.map(({ score }) => score))

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="13" fill="${ink}">`,
    `<title>${escaped(`A search: ${own}`)}</title>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="12" fill="#fff" stroke="${line}"/>`,
    ...question.map((part, index) => text(margin, 42 + 26 * index, part, { size: 18, weight: 600 })),
    decision(trace, 58 + 26 * (question.length - 1)),
    ...retrievers.map((name, column) =>
      text(columnAt(column, retrievers.length).x, top + 10, name, { color: faint, weight: 600 }),
    ),
    ...rows,
    arrow(margin + legsWidth + 8, right - 10, top + 26 + rowHeight * (rows.length > 1 ? 1 : 0) + 50),
    text(right, top + 10, `fused: ${methodOf(trace)}`, { color: faint, weight: 600 }),
    ...fused.map((hit, index) =>
      fusedHit(hit, {
        x: right,
        y: top + 26 + index * hitHeight,
        width: width - margin - right,
        best,
        color,
        needed,
      }),
    ),
    footnote(bottom, needed, fused),
    '</svg>',
    '',
  ].join('\n')
}

/**
 * @param {readonly string[]} texts
 * @param {readonly string[]} retrievers
 * @param {ReadonlySet<string>} used
 * @returns {(text: string, retriever: string) => string}
 */
function colors(texts, retrievers, used) {
  const colored = texts.filter((text) => used.has(text))
  return (text, retriever) => {
    const hue = hues[colored.indexOf(text) % hues.length]
    const shade = shades[Math.min(retrievers.indexOf(retriever), shades.length - 1)]
    return used.has(text) ? `hsl(${hue}, 78%, ${shade}%)` : unused
  }
}

/** @type {(column: number, columns: number) => { x: number, width: number }} */
function columnAt(column, columns) {
  const left = margin + 22
  const each = (margin + legsWidth - left - (columns - 1) * gap) / columns
  return { x: left + column * (each + gap), width: each }
}

/** @type {(trace: Trace, y: number) => string} */
function decision({ kind, reason }, y) {
  const pill = 24 + kind.length * 8.2
  return [
    `<rect x="${margin}" y="${y}" width="${pill}" height="24" rx="12" fill="${ink}"/>`,
    text(margin + pill / 2, y + 16.5, kind, { color: '#fff', weight: 600, anchor: 'middle' }),
    text(margin + pill + 10, y + 16.5, clipped(reason, width - 2 * margin - pill - 10, 13), { color: faint }),
  ].join('\n')
}

/**
 * @param {{ readonly heading: string, readonly used: boolean, readonly y: number, readonly first: boolean }} row
 * @param {() => string[]} boxes
 */
function subQueryRow({ heading, used, y, first }, boxes) {
  const trunk = margin + 8
  return [
    `<path d="M${trunk} ${first ? y - 60 : y - rowHeight + 10}V${y + 10}H${margin + 16}" stroke="${line}" stroke-width="1.5" fill="none"/>`,
    text(margin + 22, y + 14, clipped(heading, legsWidth - 22, 13.5), {
      size: 13.5,
      weight: used ? 600 : 400,
      color: used ? ink : faint,
    }),
    `<g transform="translate(0 ${y + 24})">`,
    ...boxes(),
    '</g>',
  ].join('\n')
}

/**
 * @param {{ readonly leg: LegTrace | undefined, readonly x: number, readonly width: number, readonly color: string,
 *   readonly used: boolean, readonly needed: ReadonlySet<string> }} box
 */
function legBox({ leg, x, width, color, used, needed }) {
  const lines = leg?.hits
    ?.slice(0, shownOfLeg)
    .map(({ docid }, index) => ({ docid, rank: String(index + 1) }))
  const none = leg === undefined ? 'not asked' : leg.hits === undefined ? leg.status : 'nothing found'
  return [
    `<rect x="${x}" y="0" width="${width}" height="74" rx="6" fill="${used ? '#f6f8fa' : '#fff'}" stroke="${line}"/>`,
    `<path d="M${x + 5} 1.5v71" stroke="${color}" stroke-width="5" stroke-linecap="round"/>`,
    ...(lines?.length
      ? lines.flatMap(({ docid, rank }, index) => [
          text(x + 24, 20 + 22 * index, rank, { color: faint, anchor: 'middle' }),
          docidText(
            x + 38,
            20 + 22 * index,
            clipped(docid, width - 70, 13),
            needed.has(docid),
            used ? ink : faint,
          ),
        ])
      : [text(x + 18, 42, none, { color: faint })]),
  ].join('\n')
}

/**
 * @param {Hit} hit
 * @param {{ readonly x: number, readonly y: number, readonly width: number, readonly best: number,
 *   readonly color: (text: string, retriever: string) => string, readonly needed: ReadonlySet<string> }} place
 */
function fusedHit({ docid, rank, score, provenance = [] }, { x, y, width, best, color, needed }) {
  const length = best > 0 ? (Math.max(score, 0) / best) * (width - 20) : 0
  let start = x + 20
  const segments = provenance.map(({ retriever, subQuery, share = 1 / provenance.length, rank: place }) => {
    const part = share * length
    const segment = `<rect x="${round(start)}" y="${y + 23}" width="${round(Math.max(part - 1, 0.6))}" height="10" fill="${color(subQuery.text, retriever)}"><title>${escaped(`${retriever}, rank ${place} for “${subQuery.text}”: ${Math.round(share * 100)} %`)}</title></rect>`
    start += part
    return segment
  })
  return [
    text(x + 6, y + 14, String(rank), { color: faint, anchor: 'middle' }),
    docidText(x + 20, y + 14, clipped(docid, width - 90, 13.5), needed.has(docid), ink, 600),
    text(x + width, y + 14, score.toFixed(3), { color: faint, anchor: 'end' }),
    ...segments,
  ].join('\n')
}

/** @type {(x: number, y: number, docid: string, marked: boolean, color: string, weight?: number) => string} */
function docidText(x, y, docid, marked, color, weight = 400) {
  const tick = marked ? `<tspan fill="${green}" font-weight="700"> ✓</tspan>` : ''
  return `<text x="${round(x)}" y="${y}" fill="${marked ? green : color}" font-weight="${weight}">${escaped(docid)}${tick}</text>`
}

/** @type {(from: number, to: number, y: number) => string} */
function arrow(from, to, y) {
  return `<path d="M${from} ${y}H${to}m-6 -5l6 5l-6 5" stroke="${faint}" stroke-width="1.5" fill="none" stroke-linecap="round" stroke-linejoin="round"/>`
}

/** @type {(y: number, needed: ReadonlySet<string>, fused: readonly Hit[]) => string} */
function footnote(y, needed, fused) {
  const found = fused.filter(({ docid }) => needed.has(docid)).length
  const bars = 'Each bar is a fused score, in the colors of its lists.'
  const ticks = needed.size === 0 ? '' : ` ✓ needed for the answer: ${found} of ${needed.size} are shown.`
  return [
    `<path d="M${margin} ${y - 6}H${width - margin}" stroke="${line}"/>`,
    text(margin, y + 15, bars + ticks, { color: faint, size: 12.5 }),
  ].join('\n')
}

/** @type {(trace: Trace) => string} */
function methodOf({ steps }) {
  const step = steps.findLast(({ type }) => type === 'fuse')
  return step?.type === 'fuse' ? step.method : 'nothing'
}

/** @type {(x: number, y: number, content: string, style?: { size?: number, weight?: number, color?: string, anchor?: string }) => string} */
function text(x, y, content, { size, weight, color, anchor } = {}) {
  const attributes = Object.entries({
    'font-size': size,
    'font-weight': weight,
    fill: color,
    'text-anchor': anchor,
  })
  const set = attributes.flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${value}"`]))
  return `<text x="${round(x)}" y="${y}"${set.join('')}>${escaped(content)}</text>`
}

/** Nobody measures text here: hardly a font is wider on average, as a part of its size. */
const charWidth = 0.61

const widthOf = (/** @type {string} */ content, /** @type {number} */ size) =>
  content.length * size * charWidth

/** @type {(content: string, width: number, size: number) => string} */
function clipped(content, width, size) {
  if (widthOf(content, size) <= width) return content
  return `${content.slice(0, Math.max(1, Math.floor(width / (size * charWidth)) - 1)).trimEnd()}…`
}

/**
 * Two lines at the most.
 *
 * @type {(content: string, width: number, size: number) => string[]}
 */
function wrapped(content, width, size) {
  if (widthOf(content, size) <= width) return [content]
  const most = Math.floor(width / (size * charWidth))
  const space = content.lastIndexOf(' ', most)
  const end = space > 0 ? space : most
  return [content.slice(0, end), clipped(content.slice(end).trim(), width, size)]
}

/**
 * For XML, and without the characters that it cannot hold.
 *
 * @type {(content: string) => string}
 */
function escaped(content) {
  const entities = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }))
  return content
    .replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ' ')
    .replace(/[&<>"]/g, (sign) => entities.get(sign) ?? sign)
}

const round = (/** @type {number} */ value) => Math.round(value * 10) / 10

/** @type {(file: string, qid: string) => Set<string>} */
function neededBy(file, qid) {
  const rows = readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .map((row) => row.split('\t'))
  return new Set(
    rows.flatMap(([id, docid, grade]) =>
      id === qid && docid !== undefined && Number(grade) > 0 ? [docid] : [],
    ),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { qrels: { type: 'string' }, qid: { type: 'string' } },
  })
  // 0 is standard input.
  const result = JSON.parse(readFileSync(positionals[0] ?? 0, 'utf8'))
  const needed =
    values.qrels !== undefined && values.qid !== undefined ? neededBy(values.qrels, values.qid) : undefined
  process.stdout.write(drawSearch(result, needed))
}
