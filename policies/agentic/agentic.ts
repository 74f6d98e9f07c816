/**
 * One prompt a round, which is Querent's own: a language model reads what the local policy finds for the question, re-ranked, and answers,
 * or writes the next queries with the names that it has just read. Each query is searched and re-ranked by itself. What the model keeps
 * stands first among the hits.
 *
 * @module querent/policies/agentic
 */
import type { FullBudget } from '../../src/budget.ts'
import { parseConfig } from '../../src/config.ts'
import { searchKey } from '../../src/dedupe.ts'
import type { Policy } from '../../src/policy.ts'
import type { Reranker } from '../../src/reranker.ts'
import { closeAll } from '../../src/runtime/close-all.ts'
import type { Leg } from '../../src/types.ts'
import type { RerankedOutcome } from '../../src/with-rerank.ts'
import { type AgenticOptions, optionsSchema } from './options.ts'
import { type Page, pageOf } from './page.ts'
import { maxQueries } from './parse.ts'
import { roundName, roundPrompt } from './prompt.ts'
import { rankHits } from './rank-hits.ts'
import { readRounds } from './read-rounds.ts'

export type { AgenticOptions } from './options.ts'

/** From this confidence of the first hit, a question that the local policy leaves alone needs no model to rank documents. */
const sure = 0.7

/** The most texts that the local policy may search beside one. */
const besideOne = 15

/** What searches one text. */
interface Local {
  readonly policy: Policy
  readonly rerank?: Reranker | undefined
}

/** @throws QuerentError `bad-config` naming the wrong option */
export function agentic(options: AgenticOptions = {}): Policy {
  const settings = parseConfig(optionsSchema, options, 'agentic')
  const { policy, rerank, maxRounds, answer: form, askWhen, strict, timeout, askTimeout } = settings
  const answering = roundPrompt({ form, strict })
  const choosing = roundPrompt({ form: 'none', strict })
  let opening: Promise<Local> | undefined = policy && Promise.resolve({ policy, rerank })

  /** The bundled policy is loaded by the first search, which shows what kinds of lists there are. */
  function localFor(legs: readonly Leg[]): Promise<Local> {
    opening ??= bundledFor(legs).then((local) => ({ ...local, ...(rerank && { rerank }) }))
    return opening
  }

  return {
    name: 'agentic',
    reads: true,
    prompts: [roundName],
    agents: [roundName],
    budget: {
      asks: maxRounds,
      // Of the local policy for the question; of each further round; and of the local policy for each of its texts.
      rounds: 1 + (1 + maxQueries) * (maxRounds - 1),
      subQueries: besideOne + maxQueries * (1 + besideOne) * (maxRounds - 1),
      timeout,
      askTimeout,
    },
    async close() {
      const local = await opening?.catch(() => undefined)
      await closeAll([local?.policy, local?.rerank])
    },

    async run(query, tools): Promise<RerankedOutcome> {
      const most = Math.min(maxRounds, tools.budget.asks, 1 + tools.budget.rounds)
      const original = await tools.original()
      const local = await localFor(original)
      const maxTexts = besides(tools.left(), { later: most - 1 })
      const first = await pageOf(query, original, { ...local, maxTexts, isQuestion: true }, tools)
      const { hits, decided } = first
      const confidence = hits[0]?.confidence ?? 0
      if (!tools.answers && askWhen === 'needed' && decided?.kind === 'as-is' && confidence >= sure) {
        tools.decide('as-is', `no model was asked: the first hit is certain (${confidence.toFixed(2)})`)
        return { hits, strategy: 'no prompt' }
      }

      async function search(texts: readonly string[], later: number): Promise<readonly Page[]> {
        const request = { reason: 'the model asks for more' }
        const found = await tools
          .retrieve(
            texts.map((text) => ({ text })),
            request,
          )
          .catch(() => [])
        const left = tools.left()
        const pages = texts.map(async (text, place) => {
          const own = found.filter(({ subQuery }) => searchKey(subQuery.text) === searchKey(text))
          const maxTexts = besides(left, { later, place, of: texts.length })
          return pageOf({ text }, own, { ...local, maxTexts, isQuestion: false }, tools).catch(() => [])
        })
        return (await Promise.all(pages)).flat()
      }

      const prompt = tools.answers ? answering : choosing
      const read = await readRounds(query, first, { prompt, most, search }, tools)
      const { pages, answer, searched, asks } = read
      const kept = [...new Set([...read.cited, ...read.kept])]
      const strategy = asks === 1 ? '1 prompt' : `${asks} prompts`
      tools.decide(
        searched.length > 1 ? 'decompose' : (decided?.kind ?? 'as-is'),
        `${read.reason}, after ${strategy}`,
        { searched, kept },
      )
      return {
        hits: rankHits(kept, pages, tools),
        strategy,
        citations: answer === undefined ? kept : read.cited,
        ahead: new Set(kept),
        ...(answer !== undefined && { answer }),
      }
    },
  }
}

async function bundledFor(legs: readonly Leg[]): Promise<Local> {
  const { localPolicy } = await import('../local/local-policy.ts')
  return localPolicy({
    retrievers: legs.map(({ retriever: name, kind }) => ({ name, ...(kind && { kind }) })),
  })
}

/**
 * How many texts the local policy may search beside one of several, if as many rounds as are left may follow. 0: the text is searched as
 * it is.
 */
function besides(
  { rounds, subQueries }: FullBudget,
  { later, place = 0, of = 1 }: { readonly later: number; readonly place?: number; readonly of?: number },
): number {
  if (rounds - later <= place) return 0
  return Math.max(0, Math.min(besideOne, Math.floor((subQueries - later * maxQueries) / of)))
}
