/** A judged query with its plans, all of which have been searched ahead: what each gains is known exactly. */
import { rankScore } from '../../../fusion/rank-score.ts'
import { parseMetric } from '../../../src/evaluation/metrics.ts'
import { mean } from '../../../src/learn/statistics.ts'
import { yieldAt } from '../../../src/runtime/yield.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Hit, RankedList } from '../../../src/types.ts'
import { type Choice, type Planned, preparePlans } from '../decision/decision.ts'
import type { Plan } from '../decision/plans.ts'
import type { SecondStageModels } from '../decision/second-stage.ts'
import { searchesOf, widerSubQueries } from '../decision/wider-pool.ts'
import { secondStageLimit } from '../local.ts'
import { type Example, readPoolOf } from './example.ts'
import { partsOf } from './joined-searches.ts'

export interface SearchedPlans extends Planned {
  readonly example: Example
  /** The lists of each plan: of each text, one per retriever. */
  readonly searched: ReadonlyMap<Plan, readonly RankedList[]>
}

export interface SearchPlansOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** Makes and searches the plans of all examples. */
export async function searchPlans(
  examples: readonly Example[],
  models: (example: Example, index: number) => SecondStageModels,
  reader: Reader,
  { signal, onProgress }: SearchPlansOptions = {},
): Promise<SearchedPlans[]> {
  const makers = new Map<SecondStageModels, ReturnType<typeof preparePlans>>()
  const all: SearchedPlans[] = []
  for (const [first, part] of partsOf(examples)) {
    const made: Planned[] = []
    for (const [place, example] of part.entries()) {
      await yieldAt(first + place, signal)
      const documentOf = await readPoolOf(example, example.lists)
      made.push(makerOf(example, first + place)(example.query, example.lists, documentOf))
    }
    all.push(...(await Promise.all(part.map((example, place) => searchAll(example, made[place]!)))))
    onProgress?.(all.length, examples.length)
  }
  return all

  function makerOf(example: Example, index: number): ReturnType<typeof preparePlans> {
    const trained = models(example, index)
    const make = makers.get(trained) ?? preparePlans(trained, reader)
    makers.set(trained, make)
    return make
  }
}

/** Searches the plans apart, since they share texts, and a list must not vote twice. Searches of one moment are sent as one. */
async function searchAll(example: Example, planned: Planned): Promise<SearchedPlans> {
  const lists = await Promise.all(planned.plans.map((plan) => example.search(searchesOf(plan))))
  return {
    ...planned,
    example,
    searched: new Map(planned.plans.map((plan, place) => [plan, lists[place]!.flat()])),
  }
}

/** The fused hits of a plan, or of the unchanged query. */
export function fusedHits({ example, searched }: SearchedPlans, plan?: Plan): Hit[] {
  const original = plan?.withOriginal === false ? [] : example.lists
  const lists = plan === undefined ? [] : searched.get(plan)!
  return rankScore().fuse([...original, ...lists], { k: 100, depth: 100 })
}

const metrics = ['ndcg@10', 'recall@5'].map(parseMetric)

/** What a plan gains over the unchanged query: the mean of nDCG@10 and recall@5 of the fused hits, from −1 to 1. */
export function gainOf(searched: SearchedPlans, plan: Plan): number {
  const { golds } = searched.example
  const worth = (hits: readonly Hit[]): number => mean(metrics.map((metric) => metric.compute(hits, golds)))
  return worth(fusedHits(searched, plan)) - worth(fusedHits(searched))
}

/** All lists of a search with this choice whose result is re-ranked. */
export async function broughtLists(one: SearchedPlans, { plan, isSure }: Choice): Promise<RankedList[]> {
  const { example, stage, searched } = one
  if (plan === undefined && isSure) return [...example.lists]
  const wider = await example.search(widerSubQueries(stage, searchesOf(plan), secondStageLimit))
  return [...example.lists, ...(plan === undefined ? [] : searched.get(plan)!), ...wider.flat()]
}
