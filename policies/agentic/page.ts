/** Pages: what one text finds, searched and re-ranked by itself, as the local policy would search it for a user; and their hits as one list. */
import type { Policy, Tools } from '../../src/policy.ts'
import { inFront, rerankedInTurns } from '../../src/reranked-hits.ts'
import type { Reranker } from '../../src/reranker.ts'
import type { DecisionKind, Document, Hit, Leg, Query } from '../../src/types.ts'
import { withRerank } from '../../src/with-rerank.ts'
import { none } from '../none.ts'

/** How many of its documents are read. */
const read = 20

/** What searches a text. */
export interface Local {
  readonly policy: Policy
  readonly rerank?: Reranker | undefined
}

interface Searching extends Local {
  /** How many further texts the policy may search; with 0, the text is searched as it is. */
  readonly maxTexts: number
  /** Whether it is the question itself, which a conversation may belong to. */
  readonly isQuestion: boolean
}

export interface Page {
  readonly text: string
  /** Best first. */
  readonly hits: readonly Hit[]
  /** The lists that the hits were fused from. */
  readonly legs: readonly Leg[]
  /** The first ones that have a text. */
  readonly documents: readonly Document[]
  /** What the policy decided, if it said so. */
  readonly kind?: DecisionKind | undefined
}

/**
 * @param own what the text itself has found
 * @throws what the policy throws; the first leg's own error if no leg has an answer
 */
export async function pageOf(
  query: Query,
  own: readonly Leg[],
  { policy, rerank, maxTexts, isQuestion }: Searching,
  tools: Tools,
): Promise<Page> {
  const { text } = query
  const texts = [text]
  let legs: readonly Leg[] = own
  let kind: DecisionKind | undefined
  const decider = maxTexts === 0 ? none() : policy
  const searching = rerank === undefined ? decider : withRerank(decider, rerank)
  const k = Math.max(tools.k, read)
  const { hits } = await searching.run(query, {
    ...tools,
    k,
    budget: { ...tools.budget, rounds: 1, subQueries: maxTexts },
    original: async () => own,
    decide(decided, reason, details) {
      kind = decided
      if (isQuestion) tools.decide(decided, reason, details)
    },
    async retrieve(given, request) {
      texts.push(...given.map((one) => one.text))
      // Without a text that votes, the tools would search the question.
      const isOwn = given.every(({ votes = true }) => !votes)
      return tools.retrieve(isOwn ? [{ text }, ...given] : given, request)
    },
    fuse(given, request) {
      legs = given
      return tools.fuse(given, { k, ...request })
    },
    rerank: (reranker, given, { question = isQuestion ? undefined : text, ...request } = {}) =>
      tools.rerank(reranker, given, { ...request, question, texts, k }),
  })
  const docids = hits.slice(0, read).map(({ docid }) => docid)
  const documentOf = await tools.documents(docids).catch(() => () => undefined)
  return { text, hits, legs, documents: docids.flatMap((docid) => documentOf(docid) ?? []), kind }
}

/**
 * The kept documents first, then those of all pages, which take turns, the latest first. A page that stands alone stays as it is.
 *
 * @param kept docids
 * @throws the first leg's own error if no leg has an answer
 */
export function rankHits(
  kept: readonly string[],
  pages: readonly Page[],
  tools: Pick<Tools, 'fuse'>,
): readonly Hit[] {
  if (kept.length === 0 && pages.length === 1) return pages[0]!.hits
  const legs = [...new Set(pages.toReversed().flatMap((page) => page.legs))]
  const k = legs.reduce((sum, { hits = [] }) => sum + hits.length, 0)
  const turns = rerankedInTurns(
    pages.map(({ hits }) => hits),
    tools.fuse(legs, { k }),
  )
  return inFront(turns, kept)
}
