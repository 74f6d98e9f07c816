/** All candidates for a query: made from its words, its conversation, and what the query as it is found. */

import { searchKey } from '../../../src/dedupe.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import { parseText } from '../../../src/text/parse-text.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import { readQuestion } from '../rerank/question.ts'
import type { ScoredBridge, SecondStage } from '../second-stage.ts'
import type { Candidate, Kind } from './candidate.ts'
import { carryOversOf } from './carry-over.ts'
import { expansionDocuments, expansionsOf } from './expansion.ts'
import { keywordsOf } from './keywords.ts'
import { isEnglish } from './language.ts'
import { partsOf } from './parts.ts'

/** Bridges that may vote, and how many of them also with the words that are left unanswered. */
const votingBridges = 4
const bridgesWithRest = 1
const maxNames = 3

/** What a score must fall short of the best by to count as a whole unit less. */
const gapScale = 5

/**
 * In the order of their kinds. No two are the same search, and none is the query itself. None at all for a question in
 * another language than English, which is searched as it is.
 */
export function candidatesOf(
  query: Query,
  lists: readonly RankedList[],
  stage: SecondStage,
  documentOf: DocumentOf,
  reader: Reader,
): Candidate[] {
  const { lexicon } = reader
  const question = readQuestion(query, lexicon)
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

  /** 1 / rank of the first document that has the name as its title. */
  function foundAt(name: string): number {
    const { words } = parseText(name, lexicon)
    return titles.get(lexicon.phrase(words, 0, words.length)) ?? 0
  }
}

/** The phrase of each title → 1 / its rank, in the first of the lists that has it. */
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
      const { name } = reader.read(document)
      if (name.length === 0) continue
      const phrase = reader.lexicon.phrase(name, 0, name.length)
      if (!ranks.has(phrase)) ranks.set(phrase, 1 / (index + 1))
    }
  }
  return ranks
}

/** What a maker knows beside the text. */
type Support = Omit<Candidate, 'kind' | 'text'>

/** A bridge's name with the words of the question that its document leaves unanswered. */
const withRest = ({ name, unanswered }: ScoredBridge): string => `${name} ${unanswered}`.trim()
