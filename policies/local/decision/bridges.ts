/** Bridges: names that the first documents mention, each with the words of the question that its document leaves unanswered. */
import { byCodeUnit, orderOf } from '../../../src/rank.ts'
import { Flag, type Lexicon } from '../../../src/text/lexicon.ts'
import { type Name, phraseOf } from '../../../src/text/parse-text.ts'
import type { PoolDocument } from '../rerank/compare-document.ts'
import type { PoolFeatures } from '../rerank/features.ts'
import { type Question, wordsOf } from '../rerank/question.ts'
import { type BridgeRow, bridgeRow, kinIn } from './bridge-features.ts'

export interface Bridge {
  /** The phrase to search. */
  readonly name: string
  readonly phrase: number
  /** The words of the question that are neither in the seed nor in the titles that the question mentions. */
  readonly unanswered: string
  /** The seed's row in the pool. */
  readonly seed: number
  readonly features: Float32Array
}

const months = new Set(
  'january february march april may june july august september october november december'.split(' '),
)

/** The seeds: the documents that are most probably relevant, and the best documents that the question names. */
const likelySeeds = 6
const namedSeeds = 3

/** The maximum number of bridges of a question. */
const maxBridges = 40

/**
 * The names that the first documents mention and the question does not, each from the seed where it fits best. At most 40, in
 * descending order of the heuristic estimate.
 *
 * @param probabilities of relevance, one per document of the pool
 */
export function bridgesOf(
  question: Question,
  { documents, nameCounts, inQuestion, titlePhrases, query }: PoolFeatures,
  probabilities: ArrayLike<number>,
  lexicon: Lexicon,
): Bridge[] {
  const order = orderOf(probabilities)
  const named = new Set(inQuestion.map(({ title }) => title))
  const fully = new Set(inQuestion.filter(({ kind }) => kind < 3).map(({ title }) => title))
  const rows = [
    ...new Set([
      ...order.slice(0, likelySeeds),
      ...order.filter((row) => fully.has(row)).slice(0, namedSeeds),
    ]),
  ]
  const mentionedBits = inQuestion.reduce((bits, mention) => {
    let all = bits
    for (let place = mention.start; place < mention.end; place++)
      all |= question.bitOf(question.text.stems[place]!)
    return all
  }, 0)
  const titles = new Set(titlePhrases)
  const context = { question, lexicon, query, titles, nameCounts, size: documents.length }
  const best = new Map<number, Omit<Bridge, 'features'> & { readonly row: BridgeRow }>()
  const seen = new Map<number, Set<number>>()
  rows.forEach((row, place) => {
    const document = documents[row]!
    const { text, phrase: ownPhrase } = document.read
    const unanswered = wordsOf(question, question.all & ~document.bits & ~mentionedBits, lexicon)
    const seed = {
      document,
      probability: probabilities[row]!,
      place,
      isNamed: named.has(row),
      rest: question.all & ~document.titleBits,
      kin: kinIn(document, question, lexicon),
    }
    let ordinal = 0
    for (const name of text.names) {
      const { start, end, phrase } = name
      if (phrase === ownPhrase || !isNews(name, document)) continue
      ordinal++
      seen.set(phrase, (seen.get(phrase) ?? new Set()).add(place))
      const nameRow = bridgeRow(name, ordinal, seed, context)
      const known = best.get(phrase)
      if (known !== undefined && known.row.strength >= nameRow.strength) continue
      best.set(phrase, {
        name: phraseOf(text.words, start, end, lexicon),
        phrase,
        unanswered,
        seed: row,
        row: nameRow,
      })
    }
  })
  return [...best.values()]
    .sort((a, b) => b.row.strength - a.row.strength || byCodeUnit(a.name, b.name))
    .slice(0, maxBridges)
    .map(({ row, ...bridge }) => ({ ...bridge, features: row.features(seen.get(bridge.phrase)!.size) }))

  /** Whether the name contains a word that the question does not, and is not a date. */
  function isNews({ start, end }: Name, { read: { text }, wordBits }: PoolDocument): boolean {
    let news = false
    let isDate = true
    for (let place = start; place < end; place++) {
      const word = text.words[place]!
      if (lexicon.flags(word) & Flag.stopWord) continue
      if (wordBits[place] === 0) news = true
      if (!months.has(lexicon.text(lexicon.lower(word))) && !(lexicon.flags(word) & Flag.number))
        isDate = false
    }
    return news && !isDate
  }
}
