/**
 * The retriever of one request. It puts the text of a sub-query into the caller's template and searches the caller's index as the
 * caller.
 */

import { maxQueryLength } from '../../../../src/config.ts'
import { QuerentError } from '../../../../src/errors.ts'
import type { FindValues, Leg, Retriever, SubQuery } from '../../../../src/types.ts'
import {
  AnswerError,
  type EngineAnswer,
  errorOf,
  type FoundHit,
  hasHits,
  hitsOf,
  isRefusedInPart,
  whyIncomplete,
} from '../answer/engine-answer.ts'
import type { JsonObject } from '../parse/json.ts'
import { canRestrict } from '../parse/paging.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'
import type { FetchPlan } from '../plan/fetch-plan.ts'
import type { FirstRequest } from '../plan/first-request.ts'
import type { HitTexts } from '../plan/hit-texts.ts'
import { filledLeg, legTemplate, relaxedBody, withConditions } from '../plan/leg-body.ts'
import type { CallerEngine } from './caller-engine.ts'
import { askEach, askOne, largerFailed, orOwn, withinTime } from './resilient-engine.ts'

/** The answer to request 1. */
export interface FirstAnswer extends EngineAnswer {
  readonly body: JsonObject
  /** Whether request 1 asked for more than the caller did. */
  readonly isChanged: boolean
  /** The position in the caller's list at which the returned hits begin. */
  readonly from: number
  /** The hits that take part in the fusion, best first. */
  readonly hits: readonly FoundHit[]
  /** The beginning of the caller's list. Undefined if not known. */
  readonly all: readonly FoundHit[] | undefined
  /** Whether the list may continue behind `all`. */
  readonly isCut: boolean
}

export interface SlotRetriever extends Retriever {
  /**
   * Sends request 1, once.
   *
   * @throws AnswerError if the answer has no hits; otherwise the error that the engine threw
   */
  original(): Promise<FirstAnswer>
  /** The responses of request 2 that have hits. */
  readonly others: readonly JsonObject[]
  /** A hit as the engine returned it: from the original query if that found it, otherwise from the leg that ranked it highest. */
  given(docid: string): GivenHit | undefined
}

export interface GivenHit {
  readonly hit: JsonObject
  /** Whether it has everything that the caller wants, not only its texts. */
  readonly isWhole: boolean
  /** The text of the query that found it. */
  readonly words: string
}

export interface SlotRetrieverSettings {
  readonly understood: RewritableSearch
  /** Resolves to the same search once the kinds of its fields are known. Rejects if no other text belongs there. */
  readonly certain: () => Promise<RewritableSearch>
  readonly engine: CallerEngine
  readonly texts: HitTexts
  readonly request: FirstRequest
  /** How many hits to read, as far as is known before the search. */
  readonly reach: FetchPlan
  /** Called with the hits of request 1. Returns how many hits to read now that their size is known. */
  readonly reachAfter: (hits: readonly FoundHit[]) => FetchPlan
  /** Whether re-ranking reads whole lists. */
  readonly isReranked: boolean
  /** What the caller's documents have in fields. */
  readonly values: FindValues
  /** Milliseconds for each request other than request 1. */
  readonly legTimeout: number
  /** The caller's signal. Nothing else ends request 1: its answer is needed even after the policy has ended without it. */
  readonly signal: AbortSignal
  /** Called when request 1 has failed. Then the other requests are no longer needed. */
  readonly onFailed: (error: unknown) => void
}

/** The retriever's name in traces. */
const name = 'engine'

export function slotRetriever(settings: SlotRetrieverSettings): SlotRetriever {
  const { understood, certain, engine, texts, request, isReranked, legTimeout, signal: caller } = settings
  const { page, text: words } = understood
  let first: Promise<FirstAnswer> | undefined
  let { reach } = settings
  let incomplete: string | undefined
  let isSearched = false
  const others: JsonObject[] = []
  let isOwnBest = false
  let all: readonly FoundHit[] = []
  let shown: readonly FoundHit[] = []
  const best = new Map<string, GivenHit & { readonly rank: number }>()

  function original(): Promise<FirstAnswer> {
    if (first === undefined) {
      first = askFirst()
      // After a larger request has failed, the search ends as soon as it has the caller's own hits.
      first.then(({ failure }) => failure && setImmediate(settings.onFailed, failure), settings.onFailed)
    }
    return first
  }

  /** Sends request 1. If it asks for more than the caller did and fails, on all shards or on some, the caller's own is sent. */
  async function askFirst(): Promise<FirstAnswer> {
    const isLarger = request.change !== request.own
    const asked = engine.search(request.change, { signal: caller, isLarger })
    const sendOwn = () => engine.search(request.own, { signal: caller })
    const [answer, read] = await Promise.all([
      isLarger ? orOwn(asked, sendOwn, isUseful) : asked,
      request.pool === undefined ? undefined : askPool(request.pool).catch(largerFailed),
    ])
    const { body, status } = answer
    if (status >= 400 || !hasHits(body)) throw new AnswerError(answer)
    const isRefused = isLarger && answer.failure !== undefined
    const pool = read instanceof Error ? undefined : read
    const failure = isRefused ? answer.failure : read instanceof Error ? read : undefined
    const from = isRefused ? page.from : request.from
    const found = hitsOf(body, texts.documentOf)
    shown = found.map(withBeginning)
    incomplete = whyIncomplete(pool?.body ?? body)
    reach = settings.reachAfter(weighable(found, pool?.hits ?? []))
    const list = pool?.hits.map(withBeginning) ?? (from === 0 ? shown : undefined)
    all = list ?? []
    const size = pool === undefined ? sizeOf(isRefused ? undefined : request.change?.body) : request.pool!
    const isCut = all.length >= size
    const hits = all.slice(0, isReranked ? reach.pool : page.size)
    const isChanged = isLarger && !isRefused
    return { ...answer, body, failure, isChanged, from, hits, all: list, isCut }
  }

  const sizeOf = (body: JsonObject | undefined): number =>
    typeof body?.size === 'number' ? body.size : page.size

  /** Requests the beginning of the caller's list, with the texts alone. */
  async function askPool(size: number): Promise<{ readonly body: JsonObject; readonly hits: FoundHit[] }> {
    const template = legTemplate(
      { ...understood, vectors: [] },
      { count: 1, isReranked, timeout: legTimeout },
    )
    const asked = filledLeg({ ...texts.askAlone(template), size }, understood, words)
    const body = await withinTime(caller, legTimeout, "The caller's list", (asking) =>
      askOne(engine, understood, asked, asking),
    )
    if (isRefusedInPart(body)) throw new AnswerError({ body, status: 200, own: body })
    return { body, hits: hitsOf(body, texts.documentOf) }
  }

  /** Sends all sub-queries in one request. */
  async function askLegs(
    subQueries: readonly SubQuery[],
    signal: AbortSignal,
    timeout: number | undefined,
  ): Promise<Leg[]> {
    const short = subQueries.filter(({ text }) => text.length <= maxQueryLength)
    const long = subQueries.filter((subQuery) => !short.includes(subQuery)).map(refused)
    if (short.length === 0) return long
    const { textOnly, shared } = reach
    // One of the steps is shown, as long as a list by itself.
    const isRelaxed = short.some(({ relaxed }) => relaxed !== undefined)
    const known = await certain()
    const template = legTemplate(known, { count: isRelaxed ? 1 : short.length, isReranked, timeout, shared })
    // What was found under other conditions cannot be asked for again by its ids.
    const isWhole = !textOnly || isRelaxed
    const asking = isWhole ? texts.ask(template) : texts.askAlone(template)
    const bodies = short.map(({ text, where, relaxed }) =>
      withConditions(relaxedBody(filledLeg(asking, known, text), text, relaxed), where),
    )
    const responses = await askEach(engine, understood, bodies, { signal, timeout })
    return [...short.map((subQuery, place) => readLeg(subQuery, responses[place], isWhole)), ...long]
  }

  function readLeg(subQuery: SubQuery, response: unknown, isWhole: boolean): Leg {
    const error = errorOf(response)
    if (error !== undefined) return { retriever: name, subQuery, error }
    const body = response as JsonObject
    const hits = hitsOf(body, texts.documentOf).map(withBeginning)
    if (hits.some(({ score }) => Number.isNaN(score))) {
      const unscored = new QuerentError('bad-list', 'The engine gave a hit no score')
      return { retriever: name, subQuery, error: unscored }
    }
    if (subQuery.relaxed?.alone) return legOf(subQuery, hits)
    others.push(body)
    for (const { docid, rank, given: hit } of hits) {
      const known = best.get(docid)
      if (known === undefined || rank < known.rank)
        best.set(docid, { hit, rank, isWhole, words: subQuery.text })
    }
    return { ...legOf(subQuery, hits), ...incompleteOf(whyIncomplete(body)) }
  }

  return {
    name,
    narrows: canRestrict(understood.body),
    relaxes: true,
    values: settings.values,
    original,
    others,

    given(docid) {
      const keep = (hits: readonly FoundHit[], isWhole: boolean): void => {
        for (const { given: hit, docid, rank } of hits.toReversed())
          best.set(docid, { hit, rank, isWhole, words })
      }
      if (!isOwnBest) {
        keep(all, request.pool === undefined)
        keep(shown, true)
      }
      isOwnBest = true
      return best.get(docid)
    },

    async retrieve(subQueries, { signal = caller, timeout }) {
      // Conditions are searched beside the original query, which the optimizer otherwise searches first and alone.
      if (isSearched || subQueries.some(({ where }) => where !== undefined))
        return askLegs(subQueries, signal, timeout)
      isSearched = true
      const { hits } = await original()
      return [{ ...legOf(subQueries[0]!, hits), ...incompleteOf(incomplete) }]
    },
  }
}

/** Characters of a text that are read. The beginning of a document shows its topic, and many texts are read at once. */
const longestRead = 6000

/** Whether the body of an answer has hits, and no shard refused what was asked for. */
const isUseful = (body: unknown): boolean => hasHits(body) && !isRefusedInPart(body)

/** The hit with the beginning of its text. */
function withBeginning(hit: FoundHit): FoundHit {
  const { document } = hit
  if (document === undefined || document.text.length <= longestRead) return hit
  return { ...hit, document: { ...document, text: document.text.slice(0, longestRead) } }
}

/** The hits of the caller's own search. Missing texts come from the beginning of its list. */
function weighable(shown: readonly FoundHit[], list: readonly FoundHit[]): readonly FoundHit[] {
  if (shown.every(({ document }) => document !== undefined)) return shown
  const documents = new Map(list.map(({ docid, document }) => [docid, document]))
  return shown.map((hit) => {
    const document = hit.document ?? documents.get(hit.docid)
    return document === undefined ? hit : { ...hit, document }
  })
}

const legOf = (subQuery: SubQuery, hits: readonly FoundHit[]) => ({ retriever: name, subQuery, hits })

const incompleteOf = (incomplete: string | undefined) => (incomplete === undefined ? {} : { incomplete })

function refused(subQuery: SubQuery): Leg {
  const error = new QuerentError(
    'budget-exceeded',
    `A sub-query has more than ${maxQueryLength} characters`,
    {
      remedy: `Fix the policy or its prompt: a sub-query may have at most ${maxQueryLength} characters.`,
    },
  )
  return { retriever: name, subQuery, error }
}
