/**
 * The plans among which the policy chooses: what may be searched for a query beside or in place of it. Each is a recipe that can be said
 * in a sentence. To leave the query unchanged is always possible, and is no plan.
 */
import { searchKey } from '../../../src/dedupe.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import type { SearchText } from '../../../src/policy.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import { parseText } from '../../../src/text/parse-text.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import { questionOf } from '../rerank/pool-cache.ts'
import { carryOversOf } from './candidates/carry-over.ts'
import { keywordsOf } from './candidates/keywords.ts'
import { isEnglish } from './candidates/language.ts'
import { partsOf } from './candidates/parts.ts'
import type { SecondStage } from './second-stage.ts'

/**
 * - `conversation`: the question with words of the conversation, in place of the query;
 * - `parts`: each side of a comparison or enumeration, and the likeliest bridges, beside the query;
 * - `names and bridges`: the names and the keywords of the query, and the likeliest bridges, beside the query.
 *
 * A bridge is a name in the first documents that may lead to the next one.
 */
export const planNames = ['conversation', 'parts', 'names and bridges'] as const
export type PlanName = (typeof planNames)[number]

/** A text of a plan, and what speaks for it. */
interface PlannedText extends SearchText {
  /** The probability of a bridge among all of the query; 0 for other texts. */
  readonly probability: number
  /** The score of a bridge less that of the best one, divided by 5; 0 for other texts. */
  readonly gap: number
  /** 1 / rank, in the original query's results, of the document with this text as its title; 0 if none has it. */
  readonly found: number
}

export interface Plan {
  readonly name: PlanName
  /** At least one. */
  readonly texts: readonly PlannedText[]
  /** Whether the original query votes with them. */
  readonly withOriginal: boolean
}

/** The maximum number of texts that are made of the query itself, and of bridges; the best one is also searched with the rest. */
const maxOwnTexts = 3
const maxBridges = 2

/** The score difference from the best bridge that counts as a gap of 1. */
const gapScale = 5

/**
 * The plans for a query. No two texts of one are the same search, and none is the original query. A question in another language than
 * English has none.
 */
export function plansOf(
  query: Query,
  lists: readonly RankedList[],
  { names, bridges }: SecondStage,
  documentOf: DocumentOf,
  reader: Reader,
): Plan[] {
  const { lexicon } = reader
  const question = questionOf(query, reader)
  if (!isEnglish(query.text, question, lexicon)) return []
  const titles = titleRanks(lists, documentOf, reader)
  const probabilities = softmax(Float64Array.from(bridges, ({ score }) => score))
  const own = (text: string): PlannedText => ({ text, probability: 0, gap: 0, found: foundAt(text) })

  const looked = bridges.slice(0, maxBridges).map(({ name, seed, score }, place): PlannedText => {
    const gap = (score - bridges[0]!.score) / gapScale
    return { text: name, from: seed, probability: probabilities[place]!, gap, found: foundAt(name) }
  })
  const [best] = bridges
  const withRest = best && { ...looked[0]!, text: `${best.name} ${best.unanswered}`.trim(), found: 0 }
  const next = [...looked, ...(withRest ? [withRest] : [])]

  const parts = partsOf(query.text, question, lexicon).map(own)
  const ownTexts = [...names, ...keywordsOf(question, lexicon)].map(own)
  const recipes: Readonly<Record<PlanName, readonly PlannedText[]>> = {
    conversation: carryOversOf(query, question, lexicon).map(own),
    parts: parts.length === 0 ? [] : [...parts.slice(0, maxOwnTexts), ...next],
    'names and bridges': [...ownTexts.slice(0, maxOwnTexts), ...next],
  }
  return planNames.flatMap((name) => {
    const texts = withoutRepeats(recipes[name], query.text)
    return texts.length === 0 ? [] : { name, texts, withOriginal: name !== 'conversation' }
  })

  function foundAt(name: string): number {
    const { words } = parseText(name, lexicon)
    return titles.get(lexicon.phrase(words, 0, words.length)) ?? 0
  }
}

/** How many texts a search may have. */
export interface TextLimits {
  readonly maxTexts: number
  /** Of those that were made from documents. */
  readonly maxSecondStage: number
}

/** The plans as a search may make them: each with its first texts, if any is left. */
export function withinLimits(plans: readonly Plan[], { maxTexts, maxSecondStage }: TextLimits): Plan[] {
  return plans.flatMap((plan) => {
    let left = maxSecondStage
    const texts = plan.texts.filter(({ from }) => from === undefined || left-- > 0).slice(0, maxTexts)
    return texts.length === 0 ? [] : { ...plan, texts }
  })
}

/** The texts without blank ones and repeats, also of the query. */
function withoutRepeats(texts: readonly PlannedText[], query: string): PlannedText[] {
  const seen = new Set(['', searchKey(query)])
  return texts.filter(({ text }) => {
    const key = searchKey(text)
    return !seen.has(key) && seen.add(key)
  })
}

/** The phrase of each title → 1 / its rank, in the first list that contains it. */
function titleRanks(
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  reader: Reader,
): ReadonlyMap<number, number> {
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
