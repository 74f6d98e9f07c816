/** What a search takes, step by step, as in ACQO's Table 6. */
import { rankScore } from '../../fusion/rank-score.ts'
import { type DecisionSection, prepareDecision } from '../../policies/local/decision.ts'
import { secondStageLimit, subQueryOf } from '../../policies/local/local.ts'
import { createReranker } from '../../policies/local/rerank/rerank.ts'
import type { RerankSection } from '../../policies/local/rerank/rerank-section.ts'
import { type Example, readPoolOf } from '../../policies/local/training/example.ts'
import { widens, widerSubQueries } from '../../policies/local/wider-pool.ts'
import { mean, quantile } from '../../src/learn/statistics.ts'
import { checkAborted } from '../../src/runtime/yield.ts'
import type { Reader } from '../../src/text/reader.ts'

/** Milliseconds, of half of the searches and of 95 of 100. */
export interface Quantiles {
  readonly p50: number
  readonly p95: number
}

export const timedSteps = ['retrieving', 'reading', 'deciding', 'fusing', 're-ranking', 'total'] as const

export type TimedStep = (typeof timedSteps)[number]

interface SystemTimes {
  readonly name: string
  /** That were searched for a query on average, the query as it is not among them. */
  readonly subQueries: number
  /** Requests to each retriever, on average. */
  readonly requests: number
  readonly steps: Readonly<Record<TimedStep, Quantiles>>
}

/** Plain JSON. It is the one part of the experiments that is another one each time. */
export interface Times {
  readonly queries: number
  readonly systems: readonly SystemTimes[]
}

const maxQueries = 200

/** Searches before the first one that counts, for the compiler to warm up. */
const warmUp = 20

/**
 * @param examples held out, with searches that are really made
 * @throws QuerentError `aborted`
 */
export async function timeSearches(
  examples: readonly Example[],
  decision: DecisionSection,
  rerank: RerankSection,
  reader: Reader,
  signal?: AbortSignal,
): Promise<Times> {
  const decide = prepareDecision(decision, reader)
  const reranker = createReranker(rerank, reader)
  const fusion = rankScore()
  const systems = [
    { name: 'the query as it is', decides: false, reranks: false },
    { name: 'the decision alone', decides: true, reranks: false },
    { name: 'decision and re-ranking', decides: true, reranks: true },
  ]
  const step = Math.max(1, Math.floor(examples.length / maxQueries))
  const sample = examples.filter((_, index) => index % step === 0).slice(0, maxQueries)
  const measured: SystemTimes[] = []
  for (const { name, ...system } of systems) {
    const all: Searched[] = []
    for (const example of sample.slice(0, warmUp)) await search(example, system)
    for (const example of sample) all.push(await search(example, system))
    measured.push({
      name,
      subQueries: mean(all.map(({ subQueries }) => subQueries)),
      requests: mean(all.map(({ requests }) => requests)),
      steps: Object.fromEntries(
        timedSteps.map((timed) => [timed, quantilesOf(all.map(({ steps }) => steps[timed]))]),
      ) as Record<TimedStep, Quantiles>,
    })
  }
  return { queries: sample.length, systems: measured }

  async function search(
    example: Example,
    { decides, reranks }: { readonly decides: boolean; readonly reranks: boolean },
  ): Promise<Searched> {
    const { query, documentOf } = example
    const steps = { retrieving: 0, reading: 0, deciding: 0, fusing: 0, 're-ranking': 0, total: 0 }
    const start = performance.now()
    let last = start
    const lap = (done: TimedStep): void => {
      const now = performance.now()
      steps[done] += now - last
      last = now
    }
    checkAborted(signal)
    const [original = []] = await example.search([{ text: query.text }])
    lap('retrieving')
    let voting = original
    let searched = 0
    if (decides) {
      await readPoolOf(example, original)
      lap('reading')
      const decision = decide(query, original, documentOf)
      const choice = decision.choices[decision.choice]!
      const chosen = choice.members.map((member) => subQueryOf(decision, member))
      const wider =
        reranks && widens(choice, decision.isSure) ? widerSubQueries(decision, chosen, secondStageLimit) : []
      lap('deciding')
      const found = await example.search([...chosen, ...wider])
      searched = chosen.length + wider.length
      lap('retrieving')
      voting = [...(choice.withOriginal ? original : []), ...found.slice(0, chosen.length).flat()]
      const fused = fusion.fuse(voting, { k: 100, depth: 100 })
      lap('fusing')
      if (reranks) {
        const lists = [...original, ...found.flat()]
        await readPoolOf(example, lists)
        lap('reading')
        reranker.rerank(query, lists, fused, documentOf)
        lap('re-ranking')
      }
    }
    steps.total = performance.now() - start
    return { steps, subQueries: searched, requests: searched > 0 ? 2 : 1 }
  }
}

interface Searched {
  readonly steps: Readonly<Record<TimedStep, number>>
  readonly subQueries: number
  readonly requests: number
}

function quantilesOf(values: readonly number[]): Quantiles {
  const ascending = [...values].sort((a, b) => a - b)
  return { p50: quantile(ascending, 0.5), p95: quantile(ascending, 0.95) }
}
