/** Streams the stages of a search: one JSON object per line, sent as soon as the stage is complete. */
import { QuerentError } from '../../../src/errors.ts'
import type { FindDocumentsOf, ObservedLeg, Observer } from '../../../src/observe.ts'
import type { DecisionKind, LegTrace, ReadFilter, Step, SubQuery } from '../../../src/types.ts'
import type { SearchAnswer } from './answer.ts'
import type { Problem } from './problem.ts'

/** A hit of one list. */
export interface FoundHit {
  readonly docid: string
  readonly score: number
  readonly title?: string
}

/** What of the search is sent. */
export interface Shown {
  readonly explain: boolean
  /** Whether texts of documents are. */
  readonly documents: boolean
}

/** A line of the stream. The last line is the result or the error, because the status 200 has already been sent. */
export type SearchEvent =
  | {
      readonly type: 'decision'
      readonly kind: DecisionKind
      readonly reason: string
    }
  /** A round starts and searches these texts. All of its legs follow. */
  | {
      readonly type: 'round'
      readonly round: number
      readonly reason: string
      readonly subQueries: readonly SubQuery[]
    }
  | {
      readonly type: 'leg'
      /** 0 is the original query. */
      readonly round: number
      readonly retriever: string
      readonly subQuery: SubQuery
      readonly status: LegTrace['status']
      /** The number of hits. */
      readonly hits: number
      readonly ms: number
      /** Its best hits, at most 10. Set if the client asked for `explain`. Those of the original query have their titles, if known. */
      readonly found?: readonly FoundHit[]
    }
  /** Words that were read as filters, and what became of them. */
  | { readonly type: 'filters'; readonly read: readonly ReadFilter[] }
  | { readonly type: 'fused'; readonly method: string; readonly hits: number; readonly ms: number }
  /** A piece of the answer, as the model writes it. The result may have another answer, or none. */
  | { readonly type: 'text'; readonly text: string }
  /** `kept`: re-ranking failed, so the fused order stays. */
  | { readonly type: 'reranked'; readonly pool: number; readonly kept: boolean; readonly ms: number }
  /** The policy failed. The result is that of the original query. */
  | { readonly type: 'fallback'; readonly code: string }
  | ({ readonly type: 'result' } & SearchAnswer)
  | { readonly type: 'error'; readonly problem: Problem }

/** How many hits of a leg are sent with it. */
export const maxFound = 10

/** What a streamed search runs with. */
interface Watching {
  readonly observe: Observer
  readonly onText: (text: string) => void
  /** Aborts when the reader disconnects. */
  readonly signal: AbortSignal
}

/**
 * The answer that streams the stages of a search.
 *
 * @param search starts at once and returns the last line. It never rejects, because errors are events.
 */
export function streamResponse(search: (watching: Watching) => Promise<string>, shown: Shown): Response {
  const encoder = new TextEncoder()
  const gone = new AbortController()
  let open = true
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (line: string): void => {
        if (open) controller.enqueue(encoder.encode(line))
      }
      const send = (event: SearchEvent | undefined): void => {
        if (event !== undefined) write(lineOf(event))
      }
      const titled: Promise<void>[] = []
      const observe: Observer = {
        onStepStart: ({ step }) => send(roundEvent(step)),
        onLeg({ leg, documentsOf }) {
          const event = legEvent(leg, shown)
          if (leg.round > 0 || event.found === undefined || !shown.documents) send(event)
          else titled.push(withTitles(event, event.found, documentsOf).then(send))
        },
        onStep: ({ step }) => send(stepEvent(step)),
      }
      const onText = (text: string): void => send({ type: 'text', text })
      void search({ observe, onText, signal: gone.signal }).then(async (last) => {
        // They end with the search at the latest.
        await Promise.all(titled)
        write(last)
        if (open) controller.close()
        open = false
      })
    },
    cancel() {
      open = false
      gone.abort(new QuerentError('aborted', 'The client has gone'))
    },
  })
  return new Response(stream, {
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
  })
}

export const lineOf = (event: SearchEvent): string => `${JSON.stringify(event)}\n`

type LegEvent = Extract<SearchEvent, { type: 'leg' }>

function legEvent(
  { round, retriever, subQuery, status, hits = [], ms }: ObservedLeg,
  { explain }: Shown,
): LegEvent {
  const leg = { type: 'leg', round, retriever, subQuery, status, hits: hits.length, ms } as const
  return explain ? { ...leg, found: hits.slice(0, maxFound) } : leg
}

/** Without titles, if the documents cannot be found. */
async function withTitles(
  event: LegEvent,
  found: readonly FoundHit[],
  documentsOf: FindDocumentsOf,
): Promise<LegEvent> {
  try {
    const documentOf = await documentsOf(found.map(({ docid }) => docid))
    return {
      ...event,
      found: found.map((hit) => {
        const title = documentOf(hit.docid)?.title
        return title === undefined ? hit : { ...hit, title }
      }),
    }
  } catch {
    return event
  }
}

function roundEvent(step: Step): SearchEvent | undefined {
  if (step.type !== 'retrieve' || step.round === 0) return undefined
  const { round, reason = '', subQueries } = step
  return { type: 'round', round, reason, subQueries }
}

/** The event of a complete step. */
function stepEvent(step: Step): SearchEvent | undefined {
  switch (step.type) {
    case 'decide':
      return { type: 'decision', kind: step.kind, reason: step.reason }
    case 'fuse':
      return { type: 'fused', method: step.method, hits: step.hits, ms: step.ms }
    case 'rerank':
      return { type: 'reranked', pool: step.pool, kept: step.error !== undefined, ms: step.ms }
    case 'fallback':
      return { type: 'fallback', code: step.error.code }
    case 'filter':
      return { type: 'filters', read: step.read }
    case 'ask':
    case 'retrieve':
      return undefined
  }
}
