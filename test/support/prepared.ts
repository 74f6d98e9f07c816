/** A judged query with plans whose lists are given, as if it had been searched. */

import { evidenceFeatures } from '../../policies/local/decision/evidence.ts'
import type { Plan, PlanName } from '../../policies/local/decision/plans.ts'
import type { SecondStage } from '../../policies/local/decision/second-stage.ts'
import type { Example } from '../../policies/local/training/example.ts'
import type { SearchedPlans } from '../../policies/local/training/plan-search.ts'
import type { RankedList } from '../../src/types.ts'

export interface Described {
  readonly qid: string
  readonly golds: readonly string[]
  /** What the query as it is finds, best first. */
  readonly asIs: readonly string[]
  /** Plan → what its only text finds. */
  readonly found?: Partial<Record<PlanName, readonly string[]>>
  readonly collection?: string
}

/** What nothing is known of. */
export const emptyStage = (): SecondStage => ({
  names: [],
  bridges: [],
  evidence: new Float32Array(evidenceFeatures.length),
})

/** A plan with these texts. One from a document is the likeliest bridge. */
export function planOf(
  name: PlanName,
  texts: readonly { readonly text: string; readonly from?: string }[],
): Plan {
  return {
    name,
    texts: texts.map((one) => ({ ...one, probability: one.from === undefined ? 0 : 1, gap: 0, found: 0 })),
    withOriginal: name !== 'conversation',
  }
}

export function prepared({ qid, golds, asIs, found = {}, collection = 'world' }: Described): SearchedPlans {
  const names = Object.keys(found) as PlanName[]
  const plans = names.map((name) => planOf(name, [{ text: `${name} of ${qid}` }]))
  return {
    example: example({ qid, golds, asIs, collection }),
    stage: emptyStage(),
    plans,
    searched: new Map(plans.map((plan) => [plan, [listOf(plan.texts[0]!.text, found[plan.name] ?? [])]])),
  }
}

export function example({ qid, golds, asIs, collection = 'world' }: Omit<Described, 'found'>): Example {
  return {
    collection,
    query: { qid, text: qid },
    golds: new Map(golds.map((docid) => [docid, 1])),
    keys: golds,
    lists: [listOf(qid, asIs)],
    documentOf: () => undefined,
    search: async (subQueries) => subQueries.map(() => []),
    lookUp: async (names) => names.map(() => []),
    read: async () => {},
  }
}

function listOf(text: string, docids: readonly string[]): RankedList {
  return {
    retriever: 'bm25',
    subQuery: { text, round: 1 },
    hits: docids.map((docid, place) => ({ docid, score: docids.length - place, rank: place + 1 })),
  }
}
