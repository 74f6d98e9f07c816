/** A search that found nothing is searched once more, giving up some of what was asked for, and says so. */
import { parseConfig } from './config.ts'
import { type RelaxOptions, relaxSchema } from './last-steps.ts'
import type { Policy, Tools } from './policy.ts'
import { bestOf, legsOf, missingIn, reasonOf, shownOf, stepsOf, wordsOf } from './relax.ts'
import { inFront } from './reranked-hits.ts'
import type { Reranker } from './reranker.ts'
import { lowered } from './text/lowered.ts'
import { respelled } from './text/nearest-word.ts'
import type { Hit, NothingFound, Outcome, Query, Relaxation } from './types.ts'
import { declarationOf } from './with-rerank.ts'

/**
 * Wraps a policy. Where its search found nothing, one more request searches all steps of `relax.ts` at once, and one of them is shown.
 * A search that found something is not touched, and neither is one in which a list is missing.
 *
 * @param options `false` or undefined: the policy as it is
 * @param reranker orders what is shown, as it orders what other searches find
 * @throws QuerentError `bad-config` that names the wrong option
 */
export function withRelaxing(
  policy: Policy,
  options: RelaxOptions | boolean | undefined,
  reranker?: Reranker,
): Policy {
  // Before an engine, each search is wrapped.
  if (options === undefined || options === false) return policy
  const given = parseConfig(relaxSchema, options, 'relax')
  const { droppable, minHits } = typeof given === 'object' ? given : { droppable: [], minHits: 1 }
  return {
    ...declarationOf(policy),
    async run(query, tools) {
      const outcome = await policy.run(query, tools)
      if (outcome.hits.length >= Math.min(minHits, tools.k) || outcome.answer !== undefined) return outcome
      const original = await tools.original()
      const isWhole = original.every((leg) => leg.error === undefined && leg.incomplete === undefined)
      const isLost = outcome.hits.length === 0 && original.some(({ hits = [] }) => hits.length > 0)
      if (!isWhole || isLost) return outcome
      // What cannot be searched leaves the search as it is.
      return relaxed(outcome, query, { droppable, reranker }, tools).catch(() => outcome)
    },
    ...(policy.close && { close: () => policy.close!() }),
  }
}

async function relaxed(
  outcome: Outcome,
  query: Query,
  { droppable, reranker }: { readonly droppable: readonly string[]; readonly reranker: Reranker | undefined },
  tools: Tools,
): Promise<Outcome> {
  const steps = stepsOf(droppable)
  const alone: Relaxation = { alone: true }
  const texts = [
    ...steps.map((relaxed) => ({ text: query.text, relaxed })),
    ...wordsOf(query.text).map((text) => ({ text, relaxed: alone })),
  ]
  const legs = await tools.narrow(texts, 'nothing was found')
  if (legs.length === 0) return outcome
  const missing = missingIn(legs)
  const best = bestOf(steps, legs, missing)
  const why = reasonOf(best, missing)
  if (best === undefined) return { ...outcome, nothingFound: why }
  const lists = legsOf(best, legs)
  const { window = 100 } = reranker ?? { window: tools.k }
  const fused = tools.fuse(lists, { k: Math.max(tools.k, window) })
  const respelled = await spelled(query, best.near ? missing : [], fused, tools).catch(
    (): Pick<NothingFound, 'query'> => ({}),
  )
  // To the re-ranker they are what the query itself has found.
  const asked = { text: respelled.query ?? query.text, round: 0 }
  const request = { question: respelled.query, lists: lists.map((list) => ({ ...list, subQuery: asked })) }
  const found = reranker === undefined ? fused : await tools.rerank(reranker, fused, request)
  const own = outcome.hits.map(({ docid }) => docid)
  const hits = own.length === 0 ? found : inFront([...outcome.hits, ...found], own)
  return {
    ...outcome,
    hits: hits.slice(0, tools.k),
    nothingFound: { ...why, shown: shownOf(best), ...respelled },
  }
}

/** The query as the documents spell it, if that is what was found. */
async function spelled(
  { text }: Query,
  missing: readonly string[],
  hits: readonly Hit[],
  tools: Tools,
): Promise<Pick<NothingFound, 'query'>> {
  const documentOf = await tools.documents(hits.map(({ docid }) => docid))
  const documents = hits.flatMap(({ docid }) => documentOf(docid) ?? [])
  const unknown = new Set(missing.map(lowered))
  const query = respelled(text, documents, (word) => !unknown.has(word))
  return query === text ? {} : { query }
}
