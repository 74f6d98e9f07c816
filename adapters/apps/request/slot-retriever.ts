/** One request’s own retriever: the words of a sub-query in the caller’s template, on the caller’s index, as the caller. */
import { QuerentError } from '../../../src/errors.ts'
import type { Leg, Retriever, SubQuery } from '../../../src/types.ts'
import type { Change, Engine, EngineAnswer } from './engine.ts'
import { type FoundHit, hitsOf, whyIncomplete } from './found.ts'
import type { HitTexts } from './hit-texts.ts'
import { isObject, type JsonObject, numberOf } from './json.ts'
import { legTemplate } from './leg-body.ts'
import { fill } from './slots.ts'
import type { Understood } from './understand.ts'

/** What request 1 came to. */
export interface FirstAnswer extends EngineAnswer {
  readonly body: JsonObject
  /** Whether it was sent with the change. */
  readonly isChanged: boolean
}

export interface SlotRetriever extends Retriever {
  /** Request 1, once it was answered with hits. */
  readonly first: FirstAnswer | undefined
  /** The responses of request 2 that have hits. */
  readonly others: readonly JsonObject[]
  /** A hit as the engine gave it: for the query as it is where that found it, else on the leg that ranked it highest. */
  given(docid: string): JsonObject | undefined
}

export interface SlotRetrieverSettings {
  readonly understood: Understood
  readonly engine: Engine
  readonly texts: HitTexts
  /** How request 1 differs from what the caller sent, where it does. */
  readonly change: Change | undefined
  /** Hits of request 1 that are looked at: what is behind them is for later pages. */
  readonly visible: number
}

/** The name under which its lists stand in traces. */
const name = 'engine'

export function slotRetriever({
  understood,
  engine,
  texts,
  change,
  visible,
}: SlotRetrieverSettings): SlotRetriever {
  let first: FirstAnswer | undefined
  let isAsked = false
  const others: JsonObject[] = []
  const best = new Map<string, FoundHit>()

  /** The caller’s search. A change that the engine refuses must not be the caller’s loss: then it is sent as it was. */
  async function original(subQuery: SubQuery, signal: AbortSignal): Promise<Leg> {
    let answer = await engine.search(change, { signal })
    const isRefused = change !== undefined && answer.status === 400
    if (isRefused) answer = await engine.search(undefined, { signal })
    if (answer.status >= 400 || !isObject(answer.body)) throw new AnswerError(answer)
    first = { ...answer, body: answer.body, isChanged: change !== undefined && !isRefused }
    return legOf(subQuery, answer.body, visible, true)
  }

  async function legs(
    subQueries: readonly SubQuery[],
    signal: AbortSignal,
    timeout: number | undefined,
  ): Promise<Leg[]> {
    const template = texts.ask(legTemplate(understood, timeout))
    const searches = subQueries.map(({ text }) => ({
      header: understood.header,
      body: fill(template, understood.slots, text),
    }))
    const responses = await engine.msearch(searches, { signal, timeout })
    if (!Array.isArray(responses) || responses.length !== subQueries.length) {
      const count = Array.isArray(responses) ? responses.length : 'no'
      throw new QuerentError('retriever-failed', `${subQueries.length} searches had ${count} answers`)
    }
    return subQueries.map((subQuery, place): Leg => {
      const response: unknown = responses[place]
      const error = errorOf(response)
      if (error !== undefined) return { retriever: name, subQuery, error }
      others.push(response as JsonObject)
      return legOf(subQuery, response as JsonObject, understood.page.depth, false)
    })
  }

  function legOf(subQuery: SubQuery, response: JsonObject, most: number, isOriginal: boolean): Leg {
    const hits = hitsOf(response, texts.documentOf)
    for (const hit of hits) {
      const known = best.get(hit.docid)
      if (known === undefined || isOriginal || hit.rank < known.rank) best.set(hit.docid, hit)
    }
    const incomplete = whyIncomplete(response)
    const leg = { retriever: name, subQuery, hits: hits.slice(0, most) }
    return incomplete === undefined ? leg : { ...leg, incomplete }
  }

  return {
    name,
    get first() {
      return first
    },
    others,
    given: (docid) => best.get(docid)?.given,

    async retrieve(subQueries, { signal = new AbortController().signal, timeout }) {
      // The optimizer sends the query as it is at once, alone and before all else.
      if (isAsked) return legs(subQueries, signal, timeout)
      isAsked = true
      return [await original(subQueries[0]!, signal)]
    },
  }
}

/** An answer that is an error of the engine’s: the application gets it as it is. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly answer: EngineAnswer

  constructor(answer: EngineAnswer) {
    super(`The engine answered with status ${answer.status}${detail(answer.body)}`)
    this.answer = answer
  }
}

/** What is wrong with one response of an `_msearch`, if something is. */
function errorOf(response: unknown): Error | undefined {
  if (!isObject(response)) return new QuerentError('retriever-failed', 'A search had no answer')
  const status = numberOf(response.status) ?? 200
  if (response.error === undefined && status < 400) return undefined
  const error = new Error(`The engine answered with status ${status}${detail(response)}`)
  return Object.assign(error, { name: 'ResponseError', statusCode: status, body: response })
}

/** The engine’s own words: an error is an object with a type and a reason, or a text. */
function detail(body: unknown): string {
  const error = isObject(body) ? body.error : undefined
  if (isObject(error)) return `: ${String(error.type)}: ${String(error.reason)}`
  return typeof error === 'string' ? `: ${error}` : ''
}
