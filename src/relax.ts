/** The written steps of a search that found nothing: what each gives up, which of them is shown, and how people are told. */
import { stopWords } from './text/english.ts'
import type { Leg, NothingFound, RankedList, Relaxation } from './types.ts'

/** Words that are searched alone, and fields whose filters are left out one at a time. */
const [maxWords, maxFields] = [7, 3]

/**
 * The steps, from those that give up little to those that give up all that they may.
 *
 * @param droppable the fields whose filters may be left out
 */
export function stepsOf(droppable: readonly string[]): readonly Relaxation[] {
  const without = droppable.slice(0, maxFields)
  return [
    { near: true },
    { words: 'all but one' },
    ...without.map((field) => ({ without: [field] })),
    { words: 'any', near: true },
    { words: 'any' },
    ...(without.length === 0
      ? []
      : [{ words: 'any', near: true, without } as const, { words: 'any', without } as const]),
  ]
}

/** The words that may be what nothing was found for. Small words are left out: many indexes do not have them. */
export function wordsOf(query: string): readonly string[] {
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
  const telling = words.filter((word) => word.length > 2 && !stopWords.has(word.toLowerCase()))
  return [...new Map(telling.map((word) => [word.toLowerCase(), word])).values()].slice(0, maxWords)
}

/** The legs of a step that found something. */
export const legsOf = (step: Relaxation, legs: readonly Leg[]): RankedList[] =>
  legs.flatMap((leg) =>
    leg.error === undefined && leg.subQuery.relaxed === step && leg.hits.length > 0 ? leg : [],
  )

/** The words that were searched alone and that no document has, of those lists that look for words. */
export function missingIn(legs: readonly Leg[]): readonly string[] {
  const alone = legs.filter(({ kind = 'lexical', subQuery }) => kind === 'lexical' && subQuery.relaxed?.alone)
  const found = new Set(alone.flatMap(({ hits, subQuery }) => (hits?.length === 0 ? [] : subQuery.text)))
  return [...new Set(alone.map(({ subQuery }) => subQuery.text))].filter((word) => !found.has(word))
}

/** Hits of a step that are enough. What finds fewer is followed by a step that asks for less, which finds them, too. */
const enough = 5

/** Which step is shown: the first that finds enough, or the one that finds the most. Where no word is missing, none is misspelled. */
export function bestOf(
  steps: readonly Relaxation[],
  legs: readonly Leg[],
  missing: readonly string[],
): Relaxation | undefined {
  const most = (step: Relaxation): number =>
    legsOf(step, legs).reduce((most, { hits = [] }) => Math.max(most, hits.length), 0)
  const all = steps.filter((step) => most(step) > 0)
  const plain = missing.length > 0 ? [] : all.filter(({ near }) => near === undefined)
  const found = plain.length > 0 ? plain : all
  return (
    found.find((step) => most(step) >= enough) ?? found.toSorted((one, other) => most(other) - most(one))[0]
  )
}

/** Why nothing was found. A step without a filter is only shown where the filter leaves too little. */
export function reasonOf(
  best: Relaxation | undefined,
  missing: readonly string[],
): Pick<NothingFound, 'reason' | 'missing'> {
  if (best?.without !== undefined)
    return { reason: `the filter on ${best.without.join(' and ')} leaves nothing that it asks for` }
  if (missing.length === 0) return { reason: 'no document that it may find has all of its words' }
  return { reason: 'no document that it may find has some of its words', missing }
}

/** What the hits of a step have of what was asked for. */
export function shownOf({ words, near, without }: Relaxation): string {
  const asked = words === undefined ? 'all' : words
  return [
    `${asked} of its words`,
    ...(near ? ['also where they are spelled nearly alike'] : []),
    ...(without ? [`without the filter on ${without.join(' and ')}`] : []),
  ].join(', ')
}

/** In one sentence, with or without words of the query. */
export function nothingFoundWords({ reason, missing = [], shown }: NothingFound, hasWords = true): string {
  const named = hasWords && missing.length > 0 ? ` (${missing.join(', ')})` : ''
  return `nothing was found, since ${reason}${named}${shown === undefined ? '' : `; shown is what has ${shown}`}`
}

/** The same as a whole sentence. */
export function nothingFoundSentence(nothing: NothingFound): string {
  const words = nothingFoundWords(nothing)
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`
}
