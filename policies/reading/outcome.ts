/** What answering policies return: the documents that the answer was read from come first, the others follow as they were fused. */
import type { Tools } from '../../src/policy.ts'
import type { Document, Leg } from '../../src/types.ts'
import type { RerankedOutcome } from '../../src/with-rerank.ts'

export interface Read {
  /** The legs of all rounds. None: the policy searched nothing, and the original query's stand for them. */
  readonly legs: readonly Leg[]
  /** What the answer was read from, or would have been. */
  readonly evidence: readonly Document[]
  /** Whether a prompt chose the evidence, or it is merely what was found. */
  readonly isChosen: boolean
  readonly answer: string | undefined
  /** See `Outcome`. */
  readonly strategy: string
  /** The question in words that stand alone, if the query is another one. */
  readonly rewritten?: string | undefined
}

/** @throws the first leg's own error if no leg has an answer */
export async function outcomeOf(
  { legs, evidence, isChosen, answer, strategy, rewritten }: Read,
  tools: Pick<Tools, 'fuse' | 'original'>,
): Promise<RerankedOutcome> {
  const voting = legs.length > 0 ? legs : await tools.original()
  const own = rewritten === undefined ? {} : { rewritten }
  // Without a choice and without an answer, nothing says that these documents are better than the fusion's.
  if (!isChosen && answer === undefined) return { hits: tools.fuse(voting), strategy, ...own }
  const citations = [...new Set(evidence.map(({ docid }) => docid))]
  const hits = tools.fuse(voting, { first: citations })
  return { hits, citations, strategy, ...own, ...(answer !== undefined && { answer }) }
}
