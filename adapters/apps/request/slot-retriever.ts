/** One request’s own retriever: the words of a sub-query in the caller’s template, on the caller’s index, as the caller. */
import { QuerentError } from '../../../src/errors.ts'
import type { Leg, Retriever, SubQuery } from '../../../src/types.ts'
import { AnswerError, errorOf, isRefusal } from './answer-error.ts'
import type { Engine, EngineAnswer } from './engine.ts'
import type { FirstRequest } from './first-request.ts'
import { type FoundHit, hasHits, hitsOf, whyIncomplete } from './found.ts'
import type { HitTexts } from './hit-texts.ts'
import type { JsonObject } from './json.ts'
import { legParameters, legTemplate } from './leg-body.ts'
import { fill } from './slots.ts'
import { longestText, type Understood } from './understand.ts'

/** What request 1 came to. */
export interface FirstAnswer extends EngineAnswer {
  readonly body: JsonObject
  /** Whether it was asked for more than the caller did. */
  readonly isChanged: boolean
  /** What takes part in the fusion, best first. */
  readonly hits: readonly FoundHit[]
  /** All that it has, that for later pages too. */
  readonly all: readonly FoundHit[]
}

export interface SlotRetriever extends Retriever {
  /**
   * Request 1, sent once.
   *
   * @throws AnswerError where it was answered without hits; what the engine threw
   */
  original(): Promise<FirstAnswer>
  /** The responses of request 2 that have hits. */
  readonly others: readonly JsonObject[]
  /** Whether one of them has as many hits as it was asked for: there may be more. */
  readonly isCut: boolean
  /** A hit as the engine gave it: for the query as it is where that found it, else on the leg that ranked it highest. */
  given(docid: string): JsonObject | undefined
}

export interface SlotRetrieverSettings {
  readonly understood: Understood
  readonly engine: Engine
  readonly texts: HitTexts
  readonly request: FirstRequest
  /** Whether whole lists are read for re-ranking. */
  readonly isReranked: boolean
  /** The caller’s. Request 1 has no other end: it is wanted when the policy is done without it, too. */
  readonly signal: AbortSignal
  /** Told when request 1 has failed: nothing else need be waited for. */
  readonly onFailed: (error: unknown) => void
}

/** The name under which its lists stand in traces. */
const name = 'engine'

export function slotRetriever(settings: SlotRetrieverSettings): SlotRetriever {
  const { understood, engine, texts, request, isReranked, signal: caller, onFailed } = settings
  const { page } = understood
  let first: Promise<FirstAnswer> | undefined
  let isSearched = false
  let isCut = false
  const others: JsonObject[] = []
  let isOwnBest = false
  let all: readonly FoundHit[] = []
  const best = new Map<string, FoundHit>()

  function original(): Promise<FirstAnswer> {
    if (first === undefined) {
      first = askFirst()
      first.catch(onFailed)
    }
    return first
  }

  /**
   * A change that the engine refuses, or answers in a way that cannot be read, must not be the caller’s loss: then the search
   * is sent as it was.
   */
  async function askFirst(): Promise<FirstAnswer> {
    const isMore = request.change !== request.own
    let answer = await engine.search(request.change, { signal: caller })
    const isRefused = isMore && (isRefusal(answer) || (answer.status < 400 && !hasHits(answer.body)))
    if (isRefused) answer = await engine.search(request.own, { signal: caller })
    const { body, status, headers, own } = answer
    if (status >= 400 || !hasHits(body)) throw new AnswerError(answer)
    all = hitsOf(body, texts.documentOf)
    const hits = all.slice(0, isReranked ? page.depth : page.size)
    return { body, status, headers, own, isChanged: isMore && !isRefused, hits, all }
  }

  /** All sub-queries in one request. */
  async function askLegs(
    subQueries: readonly SubQuery[],
    signal: AbortSignal,
    timeout: number | undefined,
  ): Promise<Leg[]> {
    const short = subQueries.filter(({ text }) => text.length <= longestText)
    const long = subQueries.filter((subQuery) => !short.includes(subQuery)).map(refused)
    if (short.length === 0) return long
    const template = texts.ask(legTemplate(understood, { count: short.length, isReranked, timeout }))
    // What a leg goes without has no words to be filled in either.
    const slots = understood.slots.filter(([section]) => Object.hasOwn(template, section!))
    const searches = short.map(({ text }) => ({
      header: understood.header,
      body: fill(template, slots, text),
    }))
    const responses = await engine.msearch(searches, { signal, timeout, url: legParameters(understood) })
    if (!Array.isArray(responses) || responses.length !== searches.length) {
      const count = Array.isArray(responses) ? responses.length : 'no'
      throw new QuerentError('retriever-failed', `${searches.length} searches had ${count} answers`)
    }
    const legs = short.map((subQuery, place) => readLeg(subQuery, responses[place]))
    isCut = legs.some(({ hits }) => hits?.length === template.size)
    return [...legs, ...long]
  }

  function readLeg(subQuery: SubQuery, response: unknown): Leg {
    const error = errorOf(response)
    if (error !== undefined) return { retriever: name, subQuery, error }
    const body = response as JsonObject
    const hits = hitsOf(body, texts.documentOf)
    if (hits.some(({ score }) => Number.isNaN(score)))
      return {
        retriever: name,
        subQuery,
        error: new QuerentError('bad-list', 'The engine gave a hit no score'),
      }
    others.push(body)
    for (const hit of hits) {
      const known = best.get(hit.docid)
      if (known === undefined || hit.rank < known.rank) best.set(hit.docid, hit)
    }
    return legOf(subQuery, body, hits)
  }

  return {
    name,
    original,
    others,
    get isCut() {
      return isCut
    },
    given(docid) {
      if (!isOwnBest) for (const hit of all.toReversed()) best.set(hit.docid, hit)
      isOwnBest = true
      return best.get(docid)?.given
    },

    async retrieve(subQueries, { signal = caller, timeout }) {
      if (isSearched) return askLegs(subQueries, signal, timeout)
      // The optimizer searches the query as it is alone and before all else.
      isSearched = true
      const { body, hits } = await original()
      return [legOf(subQueries[0]!, body, hits)]
    },
  }
}

function legOf(subQuery: SubQuery, response: JsonObject, hits: readonly FoundHit[]): Leg {
  const incomplete = whyIncomplete(response)
  const leg = { retriever: name, subQuery, hits }
  return incomplete === undefined ? leg : { ...leg, incomplete }
}

function refused(subQuery: SubQuery): Leg {
  const error = new QuerentError('too-deep', `A sub-query has more than ${longestText} characters`, {
    remedy: 'Mend the policy, or the prompt of its model: sub-queries are short.',
  })
  return { retriever: name, subQuery, error }
}
