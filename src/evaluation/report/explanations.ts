/** The searches of a comparison as a report explains them: kept, packed, until it chooses which of them it explains. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { shortened } from '../../text/cut.ts'
import type { Document, LegTrace, SearchResult } from '../../types.ts'
import { withoutSecrets } from '../../without-secrets.ts'

/** A leg with its best hits, and those that are hits of the search. */
export interface BriefLeg extends LegTrace {
  readonly hits?: readonly { readonly docid: string; readonly score: number; readonly rank?: number }[]
  /** The number of all of its hits. */
  readonly total: number
}

/** The best hits and the trace of a search, without what would make the report large. */
export interface ExplainedSearch extends Omit<SearchResult, 'failedPrompts'> {
  readonly failedPrompts: readonly { readonly prompt: string; readonly code: string }[]
  readonly partial: boolean
  /** The grades of the documents that are relevant. */
  readonly grades: Readonly<Record<string, number>>
}

/** How many hits of the search, and of each leg, are kept. */
export const shownHits = 10
/** How many characters of a document are kept. */
const shownText = 240

export interface Explanations {
  /** Keeps the search of a system. Documents of its hits are shown with them, and its judgments. */
  add(system: string, qid: string, result: SearchResult, grades: ReadonlyMap<string, number>): void
  find(system: string, qid: string): ExplainedSearch | undefined
}

/** A packed search takes 2 to 5 kB. */
const mostSearches = 20_000

/** The first 20,000 searches are kept. Of others, the report has the figures only. */
export function collectExplanations(): Explanations {
  const kept = new Map<string, Buffer>()
  const keyOf = (system: string, qid: string): string => JSON.stringify([system, qid])
  return {
    add(system, qid, result, grades) {
      if (kept.size >= mostSearches) return
      kept.set(keyOf(system, qid), deflateRawSync(JSON.stringify(explainedSearch(result, grades))))
    },
    find(system, qid) {
      const packed = kept.get(keyOf(system, qid))
      return packed && (JSON.parse(inflateRawSync(packed).toString()) as ExplainedSearch)
    },
  }
}

/** @param grades the judgments of the query: a document is relevant above 0 */
function explainedSearch(
  { hits: all, failedPrompts = [], trace, ...rest }: SearchResult,
  grades: ReadonlyMap<string, number>,
): ExplainedSearch {
  const hits = all.slice(0, shownHits).map(({ document, ...hit }) => ({
    ...hit,
    ...(document && { document: brief(document) }),
  }))
  const shown = new Set(hits.map(({ docid }) => docid))
  const { steps, ...told } = withoutSecrets(trace, { documents: true })
  return {
    ...rest,
    hits,
    failedPrompts: failedPrompts.map(({ prompt, error }) => ({ prompt, code: error.code })),
    partial: trace.partial,
    trace: {
      ...told,
      steps: steps.map((step) =>
        step.type === 'retrieve' ? { ...step, legs: step.legs.map((leg) => briefLeg(leg, shown)) } : step,
      ),
      outcome: { hits: [] },
    },
    grades: Object.fromEntries([...grades].filter(([, grade]) => grade > 0)),
  }
}

const brief = ({ docid, title, text }: Document): Document => ({
  docid,
  text: shortened(text, shownText),
  ...(title !== undefined && { title }),
})

const briefLeg = ({ hits = [], ...leg }: LegTrace, shown: ReadonlySet<string>): BriefLeg => ({
  ...leg,
  hits: hits.flatMap((hit, at) =>
    at < shownHits || shown.has(hit.docid) ? [{ ...hit, ...(at >= shownHits && { rank: at + 1 }) }] : [],
  ),
  total: hits.length,
})
