/** A page: what one text finds, searched and re-ranked by itself, as the local policy would search it for a user. */
import type { Policy, Tools } from '../../src/policy.ts'
import type { Reranker } from '../../src/reranker.ts'
import type { DecisionKind, Document, Hit, Leg, Query } from '../../src/types.ts'
import { withRerank } from '../../src/with-rerank.ts'
import { none } from '../none.ts'

/** How many of its documents are read. */
const read = 20

export interface Page {
  readonly text: string
  /** Best first. */
  readonly hits: readonly Hit[]
  /** The lists that the hits were fused from. */
  readonly legs: readonly Leg[]
  /** The first ones that have a text. */
  readonly documents: readonly Document[]
  /** What the policy decided, if it said so. */
  readonly decided?: { readonly kind: DecisionKind; readonly reason: string }
}

export interface Paging {
  readonly policy: Policy
  readonly rerank?: Reranker | undefined
  /** How many further texts the policy may search. 0: the text is searched as it is. */
  readonly maxTexts: number
  /** Whether it is the question itself, which a conversation may belong to. */
  readonly isQuestion: boolean
}

/**
 * The page of a text.
 *
 * @param own what the text itself has found
 * @throws what the policy throws; the first leg's own error if no leg has an answer
 */
export async function pageOf(
  query: Query,
  own: readonly Leg[],
  { policy, rerank, maxTexts, isQuestion }: Paging,
  tools: Tools,
): Promise<Page> {
  const { text } = query
  const texts = [text]
  let legs: readonly Leg[] = own
  let decided: Page['decided']
  const decider = maxTexts === 0 ? none() : policy
  const searching = rerank === undefined ? decider : withRerank(decider, rerank)
  const k = Math.max(tools.k, read)
  const { hits } = await searching.run(query, {
    ...tools,
    k,
    budget: { ...tools.budget, rounds: 1, subQueries: maxTexts },
    original: async () => own,
    decide(kind, reason, details) {
      decided = { kind, reason }
      if (isQuestion) tools.decide(kind, reason, details)
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
  const documents = docids.flatMap((docid) => documentOf(docid) ?? [])
  return { text, hits, legs, documents, ...(decided && { decided }) }
}
