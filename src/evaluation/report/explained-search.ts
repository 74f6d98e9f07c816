/** One search as a report explains it: its best hits and its trace, without what would make the report large. */
import { shortened } from '../../text/cut.ts'
import type { Document, Failure, Hit, LegTrace, SearchResult, Step, Trace } from '../../types.ts'

/** A leg with its best hits, and those that are hits of the search. */
export interface BriefLeg extends LegTrace {
  readonly hits?: readonly { readonly docid: string; readonly score: number; readonly rank?: number }[]
  /** The number of all of its hits. */
  readonly total: number
}

export interface ExplainedSearch {
  readonly hits: readonly (Pick<Hit, 'rank' | 'docid' | 'score' | 'confidence' | 'provenance' | 'fused'> & {
    readonly document?: Document
  })[]
  readonly answer?: string
  readonly citations?: readonly string[]
  readonly failedPrompts: readonly { readonly prompt: string; readonly code: string }[]
  readonly decision: Pick<Trace, 'kind' | 'reason' | 'subQueries'>
  /** Milliseconds. */
  readonly took: number
  readonly partial: boolean
  readonly trace: Trace
  /** The grades of the documents that are relevant. */
  readonly grades: Readonly<Record<string, number>>
}

/** How many hits of the search, and of each leg, are kept. */
export const shownHits = 10
/** How many characters of a document are kept. */
const shownText = 240

/** @param grades the judgments of the query: a document is relevant above 0 */
export function explainedSearch(
  { hits: all, answer, citations, failedPrompts = [], trace }: SearchResult,
  grades: ReadonlyMap<string, number>,
): ExplainedSearch {
  const { kind, reason, subQueries, partial, times } = trace
  const { filter: _, ...query } = trace.query
  const hits = all.slice(0, shownHits)
  return {
    hits: hits.map(({ document, ...hit }) => ({ ...hit, ...(document && { document: brief(document) }) })),
    ...(answer !== undefined && { answer, citations: citations ?? [] }),
    failedPrompts: failedPrompts.map(({ prompt, error }) => ({ prompt, code: error.code })),
    decision: { kind, reason, subQueries },
    took: Math.round(times.total),
    partial,
    trace: {
      ...trace,
      query,
      ...(trace.fallback && { fallback: redacted(trace.fallback) }),
      steps: trace.steps.map((step) => briefStep(step, new Set(hits.map(({ docid }) => docid)))),
      outcome: { hits: [] },
    },
    grades: Object.fromEntries([...grades].filter(([, grade]) => grade > 0)),
  }
}

function brief({ docid, title, text }: Document): Document {
  return { docid, text: shortened(text, shownText), ...(title !== undefined && { title }) }
}

function briefStep(step: Step, shown: ReadonlySet<string>): Step {
  if (step.type === 'retrieve') return { ...step, legs: step.legs.map((leg) => briefLeg(leg, shown)) }
  return 'error' in step && step.error !== undefined ? { ...step, error: redacted(step.error) } : step
}

const briefLeg = (
  { hits = [], error, incomplete, ...leg }: LegTrace,
  shown: ReadonlySet<string>,
): BriefLeg => ({
  ...leg,
  hits: hits.flatMap((hit, at) =>
    at < shownHits || shown.has(hit.docid) ? [{ ...hit, ...(at >= shownHits && { rank: at + 1 }) }] : [],
  ),
  total: hits.length,
  ...(incomplete !== undefined && { incomplete: 'hits may be missing' }),
  ...(error && { error: redacted(error) }),
})

/** Backends write addresses and credentials into their messages. */
const redacted = ({ code }: Failure): Failure => ({ code, message: code })
