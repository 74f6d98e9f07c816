/**
 * Another policy decides, and what the local policy knows of a question widens what is re-ranked: beside the sub-queries
 * of a language model, the names that the first results mention are looked up in the same request.
 */
import { poolDocids } from '../../src/rerank/pool.ts'
import { searchKey, withoutRepeats } from '../../src/sub-query.ts'
import type { Reader } from '../../src/text/reader.ts'
import { mostSubQueries, type Policy, type Tools } from '../../src/tools.ts'
import type { Query, RankedList, SubQuery } from '../../src/types.ts'
import { type LocalOptions, localOptions, widerSubQueries } from './local.ts'
import { prepareSecondStage, type SecondStageModels } from './second-stage.ts'

/**
 * The same policy: its sub-queries alone vote, and it is asked for nothing more. A query that it rewrote to one text is
 * re-ranked by that text, which needs no conversation to be understood; one that it split is re-ranked by its own words,
 * with more to choose from. Without re-ranking nothing changes.
 *
 * @throws QuerentError `bad-config` where the models were trained on other features, or that names the wrong option
 */
export function widened(
  policy: Policy,
  models: SecondStageModels,
  reader: Reader,
  options: LocalOptions = {},
): Policy {
  const { maxSecondStage } = localOptions(options)
  const lookAhead = prepareSecondStage(models, reader)

  async function lookUps(query: Query, tools: Tools, subQueries: readonly SubQuery[]): Promise<SubQuery[]> {
    const lists = (await tools.original()).filter((leg): leg is RankedList => leg.error === undefined)
    const documentOf = await tools.documents(poolDocids(lists, query.text))
    const stage = lookAhead(query, lists, documentOf)
    return widerSubQueries({ stage }, subQueries, maxSecondStage).slice(0, mostSubQueries - subQueries.length)
  }

  return {
    name: policy.name,
    async run(query, tools) {
      if (!tools.reranks) return policy.run(query, tools)
      let rewritten: string | undefined

      const outcome = await policy.run(query, {
        ...tools,
        async retrieve(given, reason, considered) {
          const subQueries = withoutRepeats(given)
          const [only, ...others] = subQueries
          if (only === undefined || others.length === 0) {
            if (only !== undefined && searchKey(only.text) !== searchKey(query.text)) rewritten = only.text
            return tools.retrieve(given, reason, considered)
          }
          const wider = await lookUps(query, tools, subQueries)
          const legs = await tools.retrieve(
            [...subQueries, ...wider],
            `${reason}; ${wider.length} more to re-rank from`,
            considered,
          )
          const more = new Set(wider.map(({ text }) => searchKey(text)))
          return legs.filter(({ subQuery }) => !more.has(searchKey(subQuery.text)))
        },
      })
      return rewritten === undefined ? outcome : { ...outcome, rewritten }
    },
  }
}
