/**
 * Another policy decides, and what the local policy knows of a question widens what is re-ranked: beside the sub-queries
 * of a language model, the names that the first results mention are looked up in the same request.
 */

import { searchKey, withoutRepeats } from '../../src/dedupe.ts'
import type { Policy, SearchText, Tools } from '../../src/policy.ts'
import type { DocumentOf } from '../../src/reranker.ts'
import type { Reader } from '../../src/text/reader.ts'
import type { Query, RankedList } from '../../src/types.ts'
import { type LocalOptions, localOptions, widerSubQueries } from './local.ts'
import { poolDocids } from './rerank/pool.ts'
import { prepareSecondStage, type SecondStageModels } from './second-stage.ts'

/**
 * The same policy: its sub-queries alone vote, and it is asked for nothing more. A query that it rewrote to one text is
 * re-ranked by that text, which needs no conversation to be understood; one that it split is re-ranked by its own words,
 * with more to choose from. Without re-ranking nothing changes.
 *
 * @throws QuerentError `bad-config` where the models were trained on other features, or that names the wrong option
 */
export const withWiderPool = (
  policy: Policy,
  models: SecondStageModels,
  reader: Reader,
  options: LocalOptions = {},
): Policy => widening(policy, prepareWiden(models, reader, options))

/** What is searched beside these sub-queries, on what the query as it is found. */
export type Widen<Result = readonly SearchText[] | Promise<readonly SearchText[]>> = (
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  subQueries: readonly SearchText[],
) => Result

/** @throws as `widened` does */
export function prepareWiden(
  models: SecondStageModels,
  reader: Reader,
  options: LocalOptions = {},
): Widen<readonly SearchText[]> {
  const { maxSecondStage } = localOptions(options)
  const lookAhead = prepareSecondStage(models, reader)
  return (query, lists, documentOf, subQueries) => {
    const stage = lookAhead(query, lists, documentOf)
    return widerSubQueries({ stage }, subQueries, maxSecondStage)
  }
}

/** The policy, whoever computes what widens it. */
export function widening(policy: Policy, widen: Widen): Policy {
  return {
    name: policy.name,
    ...(policy.budget && { budget: policy.budget }),
    ...(policy.prompts && { prompts: policy.prompts }),
    async run(query, tools) {
      // A policy of several rounds widens its pool by itself.
      if (!tools.reranks || tools.budget.rounds > 1) return policy.run(query, tools)
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
          const wider = first ? await widen(query, first.lists, first.documentOf, subQueries) : []
          const beside = wider.slice(0, tools.budget.subQueries - subQueries.length)
          const more = beside.length === 0 ? '' : `; ${beside.length} more to re-rank from`
          return tools.retrieve(subQueries, { ...request, reason: `${request.reason}${more}`, beside })
        },
      })
      return rewritten === undefined ? outcome : { ...outcome, rewritten }
    },
  }
}

/**
 * What the query as it is found. It is read while the policy decides, and is a help, not a need: where documents cannot be had,
 * nothing more is searched.
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
