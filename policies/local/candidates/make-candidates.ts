/** All candidates for a query, made from its words, its conversation and the original query's results. */

import { searchKey } from '../../../src/dedupe.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import { parseText } from '../../../src/text/parse-text.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import { questionOf } from '../rerank/pool-cache.ts'
import type { ScoredBridge, SecondStage } from '../second-stage.ts'
import type { Candidate, Kind } from './candidate.ts'
import { carryOversOf } from './carry-over.ts'
import { expansionDocuments, expansionsOf } from './expansion.ts'
import { keywordsOf } from './keywords.ts'
import { isEnglish } from './language.ts'
import { partsOf } from './parts.ts'

/** How many bridges may vote, how many of them also with the unanswered words, and how many names. */
const votingBridges = 4
const bridgesWithRest = 1
const maxNames = 3

/** The score difference from the best bridge that counts as a gap of 1. */
const gapScale = 5

/**
 * The candidates, grouped by kind. No two are the same search, and none is the original query. A question in another language
 * than English has none.
 */
export function candidatesOf(
  query: Query,
  lists: readonly RankedList[],
  stage: SecondStage,
  documentOf: DocumentOf,
  reader: Reader,
): Candidate[] {
  const { lexicon } = reader
  const question = questionOf(query, reader)
  if (!isEnglish(query.text, question, lexicon)) return []
  const candidates: Candidate[] = []
  const seen = new Set([searchKey(query.text)])
  const places = new Map<Kind, number>()

  const first = (lists[0]?.hits ?? [])
    .slice(0, expansionDocuments)
    .flatMap(({ docid }) => documentOf(docid) ?? [])
    .map((document) => reader.read(document))
  const titles = titleRanks(lists, documentOf, reader)
  for (const text of keywordsOf(question, lexicon)) add('keywords', text)
  for (const text of stage.names.slice(0, maxNames)) add('name', text, { found: foundAt(text) })
  for (const text of partsOf(query.text, question, lexicon)) add('part', text)
  carryOversOf(query, question, lexicon).forEach((text, index) => {
    if (text !== undefined) add('carry-over', text, { place: index + 1 })
  })
  for (const text of expansionsOf(query.text, first, question, lexicon)) add('expansion', text)

  const { bridges } = stage
  const probabilities = softmax(Float64Array.from(bridges, ({ score }) => score))
  const highest = Math.max(...bridges.map(({ score }) => score))
  bridges.slice(0, votingBridges).forEach((bridge, index) => {
    add('bridge', bridge.name, {
      from: bridge.seed,
      strength: probabilities[index]!,
      gap: (bridge.score - highest) / gapScale,
      found: foundAt(bridge.name),
    })
  })
  bridges.slice(0, bridgesWithRest).forEach((bridge, index) => {
    add('bridge with the rest', withRest(bridge), { from: bridge.seed, strength: probabilities[index]! })
  })
  return candidates

  function add(
    kind: Kind,
    text: string,
    { strength = 1, gap = 0, found = 0, from, place = (places.get(kind) ?? 0) + 1 }: Partial<Support> = {},
  ): void {
    const key = searchKey(text)
    if (key === '' || seen.has(key)) return
    seen.add(key)
    places.set(kind, place)
    candidates.push({ kind, text, ...(from !== undefined && { from }), place, strength, gap, found })
  }

  /** 1 / rank of the first document whose title is the name. */
  function foundAt(name: string): number {
    const { words } = parseText(name, lexicon)
    return titles.get(lexicon.phrase(words, 0, words.length)) ?? 0
  }
}

/** The phrase of each title → 1 / its rank, in the first list that contains it. */
function titleRanks(
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  reader: Reader,
): Map<number, number> {
  const ranks = new Map<number, number>()
  for (const { hits } of lists) {
    for (const [index, { docid }] of hits.entries()) {
      const document = documentOf(docid)
      if (document === undefined) continue
      const { phrase } = reader.read(document)
      if (phrase !== -1 && !ranks.has(phrase)) ranks.set(phrase, 1 / (index + 1))
    }
  }
  return ranks
}

/** What a maker knows about a candidate besides its text. */
type Support = Omit<Candidate, 'kind' | 'text'>

/** A bridge's name with the words of the question that its document leaves unanswered. */
const withRest = ({ name, unanswered }: ScoredBridge): string => `${name} ${unanswered}`.trim()
