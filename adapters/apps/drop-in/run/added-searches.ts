/** What Querent asks of the engine beside the lists: what a page lacks, the scores of words alone, and the values of fields. */
import { QuerentError } from '../../../../src/errors.ts'
import type { FindValues, Hit } from '../../../../src/types.ts'
import {
  type KeptValues,
  valuesBody,
  valuesOf,
  valuesTimeout,
} from '../../../search/cluster/aggregated-values.ts'
import { errorOf, hitsOf, identity, whyIncomplete } from '../answer/engine-answer.ts'
import { type JsonObject, listOf, namesIn, only, type Path, withValue } from '../parse/json.ts'
import { canRestrict } from '../parse/paging.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'
import { wordsAlone } from '../parse/ranking.ts'
import { exceptIds, filledLeg, legTemplate, onlyIds } from '../plan/leg-body.ts'
import type { WordScores } from '../rank/with-engine.ts'
import type { CallerEngine } from './caller-engine.ts'
import { type Asking, askEach, askOne } from './resilient-engine.ts'
import type { GivenHit } from './slot-retriever.ts'

export interface ShownHits {
  /** A hit with everything that the caller wants. Undefined if the engine no longer has it. */
  readonly whole: (hit: GivenHit) => JsonObject | undefined
  /** Further hits of the page, behind the fused list. */
  readonly behind: readonly JsonObject[]
}

/**
 * Fetches what a page still lacks: complete hits for those with only their texts, and hits of the caller's own list behind the
 * fused list, without the fused ones. One request fetches all of it. If nothing is missing, Querent sends none.
 *
 * @param list the fused list, best first
 * @param isCut whether the caller's own list may continue behind its known part
 * @throws QuerentError `retriever-failed` if one of the searches fails
 */
export async function shownHits(
  understood: RewritableSearch,
  list: readonly GivenHit[],
  isCut: boolean,
  engine: CallerEngine,
  asking: Asking,
): Promise<ShownHits> {
  const { page, text } = understood
  const shown = list.slice(page.from, page.from + page.size)
  const missing = shown.filter(({ isWhole }) => !isWhole)
  const byWords = new Map<string, JsonObject[]>()
  for (const { words, hit } of missing) byWords.set(words, [...(byWords.get(words) ?? []), hit])
  const template = legTemplate(understood, { count: 1, isReranked: false, timeout: asking.timeout })
  const chosen = [...byWords].map(([words, hits]): JsonObject => {
    return { ...onlyIds(filledLeg(template, understood, words), hits), size: hits.length }
  })
  const left = isCut && canRestrict(understood.body) ? page.size - shown.length : 0
  const rest = exceptIds(
    filledLeg(template, understood, text),
    list.map(({ hit }) => hit),
  )
  const further = left > 0 ? [{ ...rest, from: Math.max(0, page.from - list.length), size: left }] : []
  const bodies = [...chosen, ...further]
  if (bodies.length === 0) return { whole: ({ hit }) => hit, behind: [] }

  const lists = (await askEach(engine, understood, bodies, asking)).map(readList)
  const found = new Map(
    lists
      .slice(0, chosen.length)
      .flat()
      .map((hit) => [identity(hit), hit]),
  )
  return {
    whole: ({ hit, isWhole }) => (isWhole ? hit : found.get(identity(hit))),
    behind: lists.slice(chosen.length).flat(),
  }
}

/** @throws QuerentError if a search failed or did not look at all documents: a missing hit would be lost */
function readList(response: unknown): JsonObject[] {
  const error = errorOf(response)
  if (error !== undefined) throw error
  const why = whyIncomplete(response as JsonObject)
  if (why !== undefined) throw new QuerentError('retriever-failed', `Hits of the page are missing: ${why}`)
  return hitsOf(response as JsonObject, () => undefined).map(({ given }) => given)
}

/** Parts of a body on which the score of a query may depend. */
const scoring = ['query', 'runtime_mappings', 'derived', 'pit', 'timeout']

/**
 * Asks for the scores of hits by the words alone, where the caller's search ranks by more.
 *
 * @param given a hit as the engine returned it
 */
export function wordScores(
  understood: RewritableSearch,
  given: (docid: string) => JsonObject | undefined,
  engine: CallerEngine,
  asking: Asking,
): WordScores {
  const words = only(wordsAlone(understood.body, understood.ranking.factors), ...scoring)
  return async (hits: readonly Hit[]) => {
    const wanted = hits.flatMap(({ docid }): readonly JsonObject[] => {
      const hit = given(docid)
      return hit === undefined ? [] : [hit]
    })
    const asked = { ...onlyIds(words, wanted), size: wanted.length, _source: false, track_total_hits: false }
    const answer = await askOne(engine, understood, asked, asking)
    return new Map(hitsOf(answer, () => undefined).map(({ docid, score }) => [docid, score]))
  }
}

/**
 * Asks the engine as the caller, under all that the caller's body demands besides words: nobody learns values of documents that they
 * cannot find.
 *
 * @param identity the caller, as one string
 */
export function callerValues(
  understood: RewritableSearch,
  {
    identity,
    index,
    engine,
    kept,
  }: {
    readonly identity: string
    /** As the caller names it. */
    readonly index: unknown
    readonly engine: CallerEngine
    readonly kept: KeptValues
  },
): FindValues {
  const { header, body } = understood
  // A point in time names the indices.
  const within = only(body, 'pit')
  return (wanted, { signal }) => {
    const filters = [withoutWords(understood), ...listOf(body.post_filter ?? [])] as readonly object[]
    return kept(
      [identity, index, header, within, filters, wanted],
      async () => {
        const asked = { ...valuesBody(wanted, filters), ...within } as JsonObject
        const asking = { signal: AbortSignal.timeout(valuesTimeout), timeout: valuesTimeout }
        const response = await askOne(engine, understood, asked, asking)
        const values = valuesOf(wanted, response)
        if (values !== undefined) return values
        throw new QuerentError('retriever-failed', 'The answer of the engine has no aggregations')
      },
      signal,
    )
  }
}

/** The caller's query with a clause that matches everything in place of each clause of words. */
const withoutWords = ({ body, slots }: RewritableSearch): unknown =>
  slots
    .filter(([place]) => place === 'query')
    .reduce<unknown>(
      (query, path) => withValue(query, clausePath(path).slice(1), { match_all: {} }),
      body.query,
    )

/** Clauses that name their words `query` beside the fields. In all others the words stand below a field. */
const besideFields = namesIn(
  'multi_match query_string simple_query_string combined_fields semantic sparse_vector',
)

/** The path of the clause that has its words at `path`: `{ match: { field: words } }` or `{ match: { field: { query: words } } }`. */
function clausePath(path: Path): Path {
  const isBeside = path.at(-1) === 'query' && besideFields.includes(String(path.at(-2)))
  if (isBeside) return path.slice(0, -2)
  return path.slice(0, ['query', 'value', 'query_text'].includes(String(path.at(-1))) ? -3 : -2)
}
