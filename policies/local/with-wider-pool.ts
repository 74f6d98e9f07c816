/**
 * Combines another policy with the local policy's wider pool. The other policy decides, for example with a language model. In the
 * same request as its sub-queries, the retrievers search the names that the first results mention, for re-ranking to choose from.
 */

import { searchKey, withoutRepeats } from '../../src/dedupe.ts'
import type { Policy, SearchText, Tools } from '../../src/policy.ts'
import type { DocumentOf } from '../../src/reranker.ts'
import type { Reader } from '../../src/text/reader.ts'
import type { Query, RankedList } from '../../src/types.ts'
import type { RerankedOutcome } from '../../src/with-rerank.ts'
import { moreTexts } from './decision/reason.ts'
import { prepareSecondStage, type SecondStageModels } from './decision/second-stage.ts'
import { widerSubQueries } from './decision/wider-pool.ts'
import { type DecideOptions, localOptions } from './local.ts'
import { poolDocids } from './rerank/pool.ts'

/** Returns the texts to search beside these sub-queries, from the original query's results. */
export type Widen<Result = readonly SearchText[] | Promise<readonly SearchText[]>> = (
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  subQueries: readonly SearchText[],
  signal?: AbortSignal,
) => Result

/** @throws QuerentError `bad-config` naming the wrong option, or if the models were trained on other features */
export function prepareWiden(
  models: SecondStageModels,
  reader: Reader,
  options: DecideOptions = {},
): Widen<readonly SearchText[]> {
  const { maxSecondStage } = localOptions(options)
  const lookAhead = prepareSecondStage(models, reader)
  return (query, lists, documentOf, subQueries) => {
    const stage = lookAhead(query, lists, documentOf)
    return widerSubQueries(stage, subQueries, maxSecondStage)
  }
}

/**
 * Wraps a policy. Only its own sub-queries vote, and its prompts stay the same. If it rewrote the query to one text, re-ranking
 * uses that text, which can be understood without the conversation. If it split the query, re-ranking uses the original query and
 * a wider pool.
 *
 * @param widen may run in this thread or in others
 */
export function widening(policy: Policy, widen: Widen): Policy {
  return {
    ...policy,
    async run(query, tools) {
      // A policy with several rounds widens its own pool.
      if (tools.budget.rounds > 1) return policy.run(query, tools)
      let rewritten: string | undefined
      const around = firstDocuments(query, tools)

      const outcome = await policy.run(query, {
        ...tools,
        async retrieve(given, request) {
          const subQueries = withoutRepeats(given)
          const [only, ...others] = subQueries
          if (only === undefined || others.length === 0) {
            if (only !== undefined && searchKey(only.text) !== searchKey(query.text)) rewritten = only.text
            return tools.retrieve(given, request)
          }
          const first = await around
          const wider = first
            ? await widen(query, first.lists, first.documentOf, subQueries, tools.signal)
            : []
          const texts = [...subQueries, ...wider].slice(
            0,
            Math.max(subQueries.length, tools.budget.subQueries),
          )
          const reason = `${request.reason}${moreTexts(texts.length - subQueries.length)}`
          return tools.retrieve(texts, { ...request, reason })
        },
      })
      const told: RerankedOutcome = rewritten === undefined ? outcome : { ...outcome, rewritten }
      return told
    },
  }
}

/**
 * The original query's results, with documents. They are read while the policy decides. They are optional: if the documents are
 * unavailable, no further texts are searched.
 */
async function firstDocuments(
  query: Query,
  tools: Tools,
): Promise<{ readonly lists: readonly RankedList[]; readonly documentOf: DocumentOf } | undefined> {
  try {
    const lists = (await tools.original()).filter((leg): leg is RankedList => leg.error === undefined)
    return { lists, documentOf: await tools.documents(poolDocids(lists, query.text)) }
  } catch {
    return undefined
  }
}
