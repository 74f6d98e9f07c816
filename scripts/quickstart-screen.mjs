// @ts-check
/** What the quickstart shows of one question: three columns of hits, and below them what was searched. */
import { styleText } from 'node:util'

/** @typedef {import('../dist/src/index.js').Hit} Hit */
/** @typedef {import('../dist/src/index.js').SearchResult} SearchResult */

/**
 * @typedef {object} Column
 * @property {string} heading
 * @property {SearchResult} result
 */

/**
 * @typedef {object} Question
 * @property {string} kind what is asked for, in a few words
 * @property {string} text
 * @property {readonly { readonly role: string, readonly text: string }[]} history
 * @property {ReadonlySet<string>} needed docids of the documents that the answer needs
 */

export const legend = [
  'without Querent the words as they were typed, searched once',
  'local           the policy that comes with the package: it decides without a language model, and re-ranks',
  'LLM             a language model writes the searches (--policy acqo), with the same re-ranking',
  '✓               a document that the answer needs (the judgments are in src/sample/qrels.tsv)',
  '0 1 2 +         the searches that found a hit, strongest first: 0 the words as they were typed, 1 2 … the',
  '                searches below (some are names from the first results), + a search only to find more',
  '                documents to re-rank; (×3) after words that count three times',
]

const maxHits = 5
/** Labels of queries that a hit has room for. */
const maxLabels = 3

/**
 * The screen of one question, line by line.
 *
 * @param {Question} question
 * @param {readonly Column[]} columns
 * @param {(docid: string) => string} titleOf
 * @param {number} width of the terminal
 */
export function questionScreen({ kind, text, history, needed }, columns, titleOf, width) {
  const cell = Math.floor((Math.min(width, 120) - 2) / columns.length) - 2
  const row = (/** @type {readonly string[]} */ cells) =>
    `  ${cells.map((value) => padded(value, cell)).join('  ')}`.trimEnd()
  const lists = columns.map(({ result }) => {
    const labels = labelsOf(result)
    return result.hits.slice(0, maxHits).map((hit) => {
      const mark = needed.has(hit.docid) ? '✓' : ' '
      const found = foundBy(hit, labels)
      const title = clipped(titleOf(hit.docid), cell - 3 - found.length)
      return `${mark} ${padded(title, cell - 3 - found.length)} ${found}`
    })
  })
  const places = Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, place) =>
    row(lists.map((list) => list[place] ?? '')),
  )
  const found = columns.map(
    ({ result: { hits } }) =>
      `${hits.slice(0, maxHits).filter(({ docid }) => needed.has(docid)).length} of ${needed.size} needed`,
  )
  return [
    styleText('bold', `${kind}: ${text}`),
    ...history.map((turn) => styleText('dim', `  after ${turn.role}: ${clipped(turn.text, width - 16)}`)),
    '',
    styleText('cyan', row(columns.map(({ heading }) => heading))),
    ...places.map((line) => (line.includes('✓') ? line.replaceAll('✓', styleText('green', '✓')) : line)),
    styleText('dim', row(found)),
    '',
    ...columns.slice(1).flatMap(({ heading, result }) => searched(heading, result, width)),
  ]
}

/**
 * @param {string} heading
 * @param {SearchResult} result
 * @param {number} width
 */
function searched(heading, { trace }, width) {
  if (trace.fallback !== undefined)
    return [`  ${heading} failed, so this is without Querent: ${trace.fallback.message}`]
  const labels = [...labelsOf({ trace })].filter(([, label]) => label !== '0')
  const others = otherTexts({ trace }).length
  const more = others > 0 ? `, and ${others} more (+) only for re-ranking` : ''
  const reranked = trace.steps.some(({ type }) => type === 'rerank') ? ', and re-ranked the hits' : ''
  if (labels.length === 0) return [`  ${heading} left it unchanged: searched 0${more}${reranked}`]
  const merged = fusesOriginal({ trace }) ? '0 and these' : 'these, and 0 without merging it'
  return [
    `  ${heading} searched ${merged}${more}${reranked}`,
    ...labels.map(([text, label]) => `    ${label}  ${clipped(withoutRepeats(text), width - 8)}`),
  ]
}

/**
 * Text → its label.
 *
 * @param {Pick<SearchResult, 'trace'>} result
 * @returns {ReadonlyMap<string, string>}
 */
function labelsOf({ trace }) {
  const texts = trace.subQueries.map(({ text }) => text).filter((text) => text !== trace.query.text)
  return new Map([
    [trace.query.text, '0'],
    ...texts.map((text, index) => /** @type {const} */ ([text, `${index + 1}`])),
  ])
}

/** @param {Pick<SearchResult, 'trace'>} result */
function otherTexts({ trace }) {
  const labels = labelsOf({ trace })
  const texts = trace.steps.flatMap((step) =>
    step.type === 'retrieve' ? step.subQueries.map(({ text }) => text) : [],
  )
  return [...new Set(texts)].filter((text) => !labels.has(text))
}

/** @param {Pick<SearchResult, 'trace'>} result */
function fusesOriginal({ trace }) {
  const fused = trace.steps.findLast((step) => step.type === 'fuse')
  return fused?.type === 'fuse' && fused.lists.some(({ subQuery }) => subQuery.round === 0)
}

/**
 * The labels of the queries that found a hit, the strongest first, each once.
 *
 * @param {Hit} hit
 * @param {ReadonlyMap<string, string>} labels
 */
function foundBy({ provenance = [] }, labels) {
  const ordered = [...provenance].sort((a, b) => (b.share ?? 0) - (a.share ?? 0) || a.rank - b.rank)
  const all = [...new Set(ordered.map(({ subQuery }) => labels.get(subQuery.text) ?? '+'))]
  return all.slice(0, maxLabels).join(' ')
}

/** Policies repeat words that should count more: `A? A? A? more` is shown as `A? (×3) more`. */
const withoutRepeats = (/** @type {string} */ text) =>
  text.replace(
    /(.{4,}?)((?: \1)+)(?= |$)/g,
    (all, once) => `${once} (×${Math.round((all.length + 1) / (once.length + 1))})`,
  )

/** @type {(text: string, width: number) => string} */
const clipped = (text, width) => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)
/** @type {(text: string, width: number) => string} */
const padded = (text, width) => text.padEnd(width)
