/** Re-ranking as the last step of a policy. */
import { having, parseConfig } from './config.ts'
import type { Policy, Tools } from './policy.ts'
import { inFront, keptInFront, rerankedInTurns } from './reranked-hits.ts'
import type { Reranker } from './reranker.ts'
import { closeAll } from './runtime/close-all.ts'
import type { Hit, Outcome } from './types.ts'

/** Fused hits that a re-ranker sees if it does not say how many it wants. */
const defaultWindow = 100

/** What a policy may tell its re-ranking. Without re-ranking it has no effect. */
export interface RerankedOutcome extends Outcome {
  /** One text that stands for the query and its conversation: documents are compared with it. */
  readonly rewritten?: string
  /** Docids that stand before all others, after re-ranking too; both groups keep their order. */
  readonly ahead?: ReadonlySet<string>
  /**
   * Parts of the hits that are re-ranked by themselves and then take turns, the first part first. What was found with the words of a
   * document does not look like the question, and would fall behind.
   */
  readonly parts?: readonly PartOfHits[]
}

/** What some of the texts have found. */
export interface PartOfHits {
  readonly texts: readonly string[]
  readonly hits: readonly Hit[]
  /** What documents are compared with. Default: `rewritten`, or the query. */
  readonly question?: string | undefined
}

/** What a wrapped policy is given. */
export interface RerankedTools extends Tools {
  /** Orders the hits in the end. A policy that reads between its rounds may have it order what one text has found. */
  readonly reranker?: Reranker
}

/**
 * Wraps a policy: the re-ranker orders its hits, from the lists of all rounds. The policy fuses as many hits as the re-ranker wants to
 * see. Documents that an answer was read from come first. If re-ranking fails, the policy's order stays.
 *
 * @throws QuerentError `bad-config` if one of them is none
 */
export function withRerank(policy: Policy, reranker: Reranker): Policy {
  parseConfig(having<Policy>('a policy', 'run'), policy, 'withRerank: policy')
  parseConfig(having<Reranker>('a re-ranker', 'rerank'), reranker, 'withRerank: reranker')
  const { window = defaultWindow } = reranker
  const { reads: _, ...declared } = declarationOf(policy)
  const isReading = policy.reads === true || reranker.reads === true
  return {
    ...declared,
    ...(isReading && { reads: true }),
    async run(query, tools) {
      const k = Math.max(tools.k, window)
      const fuse: Tools['fuse'] = (legs, request) => tools.fuse(legs, { k, ...request })
      const inner: RerankedTools = { ...tools, fuse, reranker }
      const outcome: RerankedOutcome = await policy.run(query, inner)
      const given = await hitsOf(outcome, inner)
      if (given.length === 0) return outcome
      const { citations = [], rewritten, ahead, parts } = outcome
      const first = ahead && [ahead]
      const hits =
        parts === undefined
          ? await tools.rerank(reranker, given, { question: rewritten, ...(first && { first }) })
          : await inParts(parts)
      return { ...outcome, hits: citations.length === 0 ? hits : inFront(hits, citations) }

      async function inParts(apart: readonly PartOfHits[]): Promise<readonly Hit[]> {
        const lists = apart.map(({ hits, texts, question = rewritten }) =>
          tools.rerank(reranker, hits, { question, texts }),
        )
        const turns = rerankedInTurns(await Promise.all(lists), given)
        return (first ? keptInFront(turns, given, first) : turns).slice(0, tools.k)
      }
    },
    close: () => closeAll([policy, reranker]),
  }
}

/** What a policy declares of itself, for one that wraps it. */
export const declarationOf = ({
  name,
  reads,
  budget,
  prompts,
  agents,
}: Policy): Omit<Policy, 'run' | 'close'> => ({
  name,
  ...(reads !== undefined && { reads }),
  ...(budget && { budget }),
  ...(prompts && { prompts }),
  ...(agents && { agents }),
})

/** An answer without hits of its own comes with those of the original query. */
async function hitsOf({ hits, answer }: Outcome, tools: Tools): Promise<readonly Hit[]> {
  if (hits.length > 0 || answer === undefined) return hits
  const original = await tools.original()
  return original.every(({ hits: found = [] }) => found.length === 0) ? [] : tools.fuse(original)
}
