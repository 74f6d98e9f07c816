// @ts-check
/**
 * The picture of a search in `docs/search.svg`: what the words of a question find alone, what Querent searches, and what it
 * finds. It shows the search that `querent serve --sample` proposes, asked of that server. The same search gives the same bytes.
 * Below the picture, README.md has what all questions of the sample find: these lines are written here, too.
 *
 *     npm run build && node scripts/draw-search.mjs
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { sampleIndex } from '../dist/src/cli/open/sample-index.js'
import { readBeir } from '../dist/src/evaluation/beir-folder.js'
import { shortened } from '../dist/src/text/cut.js'
import { originOf, originWords } from '../dist/src/text/search-origin.js'
import { root } from './steps.mjs'

/** @typedef {import('../adapters/apps/http/answer.ts').SearchAnswer} Answer */
/** @typedef {import('../src/types.ts').Hit} Hit */
/** @typedef {import('../src/types.ts').Trace} Trace */

/**
 * @typedef {object} SampleSearch
 * @property {Trace} trace
 * @property {readonly Hit[]} alone the hits of the question's own words, with documents
 * @property {readonly Hit[]} found the hits with Querent, with documents
 * @property {ReadonlySet<string>} needed docids of the documents that the answer needs
 */

const cli = join(root, 'dist/src/cli/main.js')
const sample = join(root, 'src/sample')
/** Places of a list that are drawn. */
const places = 5

/**
 * Starts `querent serve --sample` for as long as `use` takes.
 *
 * @template Result
 * @param {(proposed: URL) => Promise<Result>} use takes the address of the search that the server proposes
 */
export async function withSample(use) {
  const command = [cli, 'serve', '--sample', '--port', '0']
  const server = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(server, 'exit')
  try {
    for await (const line of createInterface(server.stderr)) {
      const [address] = line.match(/http:\S+\/\?q=\S+/) ?? []
      if (address !== undefined) return await use(new URL(address))
    }
    throw new Error('serve --sample proposed no search')
  } finally {
    server.kill()
    await ended
  }
}

/**
 * Asks `querent serve --sample` what it proposes.
 *
 * @returns {Promise<SampleSearch>}
 */
export const searchOfSample = () =>
  withSample(async ({ origin, searchParams }) => {
    const text = searchParams.get('q') ?? ''
    const ask = async (/** @type {string} */ system, /** @type {number} */ k) => {
      const body = JSON.stringify({ text, k, explain: true })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${origin}/${system}`, { method: 'POST', headers, body })
      return /** @type {Promise<Answer>} */ (response.json())
    }
    const [alone, optimized] = [await ask('?system=none', 100), await ask('', 10)]
    if (optimized.trace === undefined) throw new Error('serve --sample explained nothing')
    const { queries, qrels } = await readBeir(sample)
    const { qid = '' } = queries.find((query) => query.text === text) ?? {}
    const needed = new Set(qrels.get(qid)?.keys())
    return { trace: optimized.trace, alone: alone.hits, found: optimized.hits, needed }
  })

const [width, margin, rowHeight, top] = [900, 28, 66, 248]
const height = top + places * rowHeight + 62
/** Left edges and widths of the columns. */
const columns = /** @type {const} */ ({ alone: [margin, 252], searched: [302, 264], found: [602, 270] })

const style = `
text { font-family: ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; font-size: 23px; fill: #1f2328; }
.card { fill: #fff; stroke: #d1d9e0; } .line { stroke: #d1d9e0; } .tint { fill: #e2f5e7; } .search { fill: #f6f8fa; stroke: #d1d9e0; }
.soft { fill: #59636e; } .good { fill: #1a7f37; } .way { fill: none; stroke: #1a7f37; stroke-width: 3; } .bar { fill: #0969da; }
.glass { fill: none; stroke: #59636e; stroke-width: 3.5; stroke-linecap: round; }
.bold { font-weight: 650; } .small { font-size: 19.5px; } .count { font-size: 37px; font-weight: 700; } .tick { font-size: 30px; font-weight: 700; } .question { font-size: 28px; font-weight: 650; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; } .card { fill: #0d1117; stroke: #3d444d; } .line { stroke: #3d444d; } .tint { fill: #12281b; } .search { fill: #161b22; stroke: #3d444d; }
.soft { fill: #9ba4ae; } .good { fill: #4ac26b; } .way { stroke: #4ac26b; } .bar { fill: #58a6ff; } .glass { stroke: #9ba4ae; }
}`

/** @param {SampleSearch} search */
export function drawSearch(search) {
  const { trace, alone, needed } = search
  const [before, after] = [alone.slice(0, places), search.found.slice(0, places)]
  const titles = new Map([...alone, ...after].map(({ docid, document }) => [docid, document?.title]))
  /** `The Leopard (novel)` is `The Leopard`. */
  const titleOf = (docid = '') => (titles.get(docid) ?? docid).replace(/ \([^)]*\)$/, '')
  const brought = broughtBy(trace, after, needed)
  const others = trace.subQueries.length - brought.filter((one) => one !== undefined).length
  const texts = trace.steps.flatMap((step) =>
    step.type === 'retrieve' ? step.subQueries.map(({ text }) => text) : [],
  )
  const onlyRead = new Set(texts).size - 1 - trace.subQueries.length
  const amount = `${trace.subQueries.length} ${trace.subQueries.length === 1 ? 'search' : 'searches'}`
  const hasModel = trace.steps.some(({ type }) => type === 'ask')
  const row = (/** @type {Hit} */ { docid, rank }, below = '') => ({
    title: titleOf(docid),
    rank,
    isNeeded: needed.has(docid),
    below,
  })
  const parts = [
    `<rect class="card" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="14"/>`,
    `<rect class="search" x="${margin}" y="22" width="${width - 2 * margin}" height="98" rx="50"/>`,
    '<path class="glass" d="M84 80l13 13M89 68a16 16 0 1 1-32 0a16 16 0 0 1 32 0"/>',
    ...broken(trace.query.text, 46).map((line, at, { length }) =>
      word(118, 81 + (at - (length - 1) / 2) * 36, line, 'question'),
    ),
    ...heading(columns.alone[0], 'Your words alone', `${neededIn(before, needed)} of ${needed.size}`, 'soft'),
    ...heading(columns.searched[0], 'Querent adds', amount, ''),
    ...heading(columns.found[0], 'With Querent', `${neededIn(after, needed)} of ${needed.size}`, 'good'),
    ...listOf(
      columns.alone,
      before.map((hit) => row(hit)),
    ),
    ...brought.flatMap((one, at) =>
      one ? searchCard(at, one.text, originWords(originOf(one, trace.query), titleOf(one.from))) : [],
    ),
    ...moreSearches(brought.length, others, onlyRead),
    ...listOf(
      columns.found,
      after.map((hit) => row(hit, cameFrom(hit, alone))),
    ),
    `<text class="small soft" x="${margin}" y="${height - 24}"><tspan class="good bold">✓</tspan> a document that the answer needs${hasModel ? '' : ' · no language model'}</text>`,
  ]
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n<title>${escaped(sentenceOf(search))}</title>\n<style>${style}\n</style>\n${parts.join('\n')}\n</svg>\n`
}

/**
 * For each needed hit, the search that found it best, each once; the question's own words do not count.
 *
 * @param {Trace} trace
 * @param {readonly Hit[]} hits
 * @param {ReadonlySet<string>} needed
 */
function broughtBy({ subQueries }, hits, needed) {
  const drawn = new Set()
  return hits
    .filter(({ docid }) => needed.has(docid))
    .map(({ provenance = [] }) => {
      const ranks = new Map(provenance.map(({ subQuery, rank }) => [subQuery.text, rank]))
      const [best] = subQueries
        .filter(({ text }) => ranks.has(text) && !drawn.has(text))
        .sort((a, b) => (ranks.get(a.text) ?? 0) - (ranks.get(b.text) ?? 0))
      drawn.add(best?.text)
      return best
    })
}

/** @type {(hit: Hit, alone: readonly Hit[]) => string} */
function cameFrom({ docid, rank }, alone) {
  const before = alone.findIndex((hit) => hit.docid === docid) + 1
  if (before === 0) return '▲ new'
  return before > rank ? `▲ up from ${before}` : before < rank ? `▼ down from ${before}` : ''
}

const middle = (/** @type {number} */ place) => top + (place + 0.5) * rowHeight

/** @type {(x: number, title: string, count: string, color: string) => string[]} */
const heading = (x, title, count, color) => [
  word(x, 172, title, 'small soft'),
  word(x, 218, count, `count ${color}`),
]

/**
 * @param {readonly [number, number]} column
 * @param {readonly { readonly title: string, readonly rank: number, readonly below: string, readonly isNeeded: boolean }[]} rows
 */
function listOf([x, wide], rows) {
  const box = `x="${x}" y="${top}" width="${wide}" height="${places * rowHeight}" rx="10"`
  return [
    `<rect class="card" ${box}/>`,
    `<clipPath id="at${x}"><rect ${box}/></clipPath>`,
    ...rows.flatMap(({ title, rank, below, isNeeded }, place) => {
      const [y, line] = [top + place * rowHeight, middle(place) + 8]
      const color = isNeeded ? 'good bold' : 'soft'
      const shown = below !== '' && isNeeded
      const first = shown ? line - 12 : line
      const needed = `<rect class="tint" clip-path="url(#at${x})" x="${x}" y="${y}" width="${wide}" height="${rowHeight}"/>`
      return [
        ...(isNeeded ? [needed] : []),
        ...(place > 0 ? [`<path class="line" d="M${x} ${y}h${wide}"/>`] : []),
        word(x + 14, first, `${rank}`, color),
        word(x + 40, first, shortened(title, isNeeded ? 14 : 16), color),
        ...(isNeeded ? [word(x + wide - 38, line + 2, '✓', 'good tick')] : []),
        ...(shown ? [word(x + 40, line + 15, below, 'small good')] : []),
      ]
    }),
    `<rect class="card" style="fill: none" ${box}/>`,
  ]
}

/** @type {(place: number, text: string, origin: string) => string[]} */
function searchCard(place, text, origin) {
  const [x, wide] = columns.searched
  const [y, line] = [top + place * rowHeight + 4, middle(place) - 4]
  return [
    `<rect class="search" x="${x}" y="${y}" width="${wide}" height="${rowHeight - 8}" rx="8"/>`,
    `<rect class="bar" x="${x}" y="${y}" width="7" height="${rowHeight - 8}" rx="3.5"/>`,
    word(x + 22, line, shortened(text, 20), 'bold'),
    word(x + 22, line + 25, shortened(origin, 26), 'small soft'),
    `<path class="way" d="M${x + wide + 5} ${middle(place)}h20m-8 -7l8 7l-8 7"/>`,
  ]
}

/** Those that are not drawn. @type {(place: number, others: number, onlyRead: number) => string[]} */
function moreSearches(place, others, onlyRead) {
  const lines = [
    ...(others > 0 ? [`and ${others} more`] : []),
    ...(onlyRead > 0 ? [`${onlyRead} only for re-ranking`] : []),
  ]
  const first = middle(place) + 8 - (lines.length - 1) * 14
  return lines.map((line, at) => word(columns.searched[0] + 22, first + at * 28, line, 'small soft'))
}

/** @type {(x: number, y: number, words: string, names: string) => string} */
const word = (x, y, words, names) =>
  `<text class="${names.trim()}" x="${x}" y="${y}">${escaped(words)}</text>`

/** Lines of at most so many characters, about equally long. @type {(text: string, most: number) => string[]} */
function broken(text, most) {
  const longest = text.length / Math.ceil(text.length / most) + 4
  const lines = ['']
  for (const one of text.split(' ')) {
    const last = lines.pop() ?? ''
    if (last.length + one.length > longest) lines.push(last, one)
    else lines.push(`${last} ${one}`.trim())
  }
  return lines
}

const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** How many of the first hits are needed. @type {(hits: readonly Hit[], needed: ReadonlySet<string>) => number} */
const neededIn = (hits, needed) => hits.slice(0, places).filter(({ docid }) => needed.has(docid)).length

/** What the words of a picture say, in a sentence. @param {SampleSearch} search */
const sentenceOf = ({ trace, alone, found, needed }) =>
  `${trace.query.text} Its words alone bring ${neededIn(alone, needed)} of the ${needed.size} documents that the answer needs into the first five; with Querent there are ${neededIn(found, needed)}.`

/** What `querent compare` says of all questions of the sample. */
export async function figureOfSample() {
  const { folder, remove } = await sampleIndex(new AbortController().signal)
  try {
    const options = ['--index', folder, '--policies', 'none,local', '--metrics', 'recall@5', '--json']
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'compare', sample, ...options])
    const { systems, queries } = JSON.parse(stdout)
    const [before, after] = systems.map((/** @type {{ scores: [{ mean: number }] }} */ { scores }) =>
      Math.round(100 * scores[0].mean),
    )
    return `On average, the first five hits hold ${before} % of the documents that a question of the sample needs without Querent, and **${after} %** with it (${queries.length} questions, \`querent compare src/sample\`).`
  } finally {
    await remove()
  }
}

/** The picture and the figure in README.md. @param {SampleSearch} search @param {string} figure */
export const readmeLines = (search, figure) => `![${sentenceOf(search)}](docs/search.svg)\n\n${figure}\n`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const search = await searchOfSample()
  writeFileSync(join(root, 'docs/search.svg'), drawSearch(search))
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const lines = readmeLines(search, await figureOfSample())
  const old = /^!\[.*\]\(docs\/search\.svg\)\n\n.*\n/m
  writeFileSync(
    join(root, 'README.md'),
    readme.replace(old, () => lines),
  )
}
