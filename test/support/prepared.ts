/** A judged query with candidates whose lists are given, as if it had been searched. */

import { actionFeatures, actionsOf } from '../../policies/local/actions.ts'
import type { Candidate } from '../../policies/local/candidates/candidate.ts'
import { evidenceFeatures } from '../../policies/local/gate/evidence.ts'
import { contextFeatures } from '../../policies/local/query-context.ts'
import type { PreparedExample } from '../../policies/local/training/action-space.ts'
import type { Example } from '../../policies/local/training/example.ts'
import type { RankedList } from '../../src/types.ts'

export interface Described {
  readonly qid: string
  readonly golds: readonly string[]
  /** What the query as it is finds, best first. */
  readonly asIs: readonly string[]
  /** Kind → what its first candidate finds. */
  readonly found?: Partial<Record<Candidate['kind'], readonly string[]>>
  readonly collection?: string
}

export function prepared({ qid, golds, asIs, found = {}, collection = 'world' }: Described): PreparedExample {
  const kinds = Object.keys(found) as Candidate['kind'][]
  const candidates = kinds.map(
    (kind): Candidate => ({
      kind,
      text: `${kind} of ${qid}`,
      ...(kind.startsWith('bridge') && { from: 'd' }),
      place: 1,
      strength: 1,
      gap: 0,
      found: 0,
    }),
  )
  const choices = actionsOf(candidates)
  const query = new Float32Array(contextFeatures.length)
  return {
    example: example({ qid, golds, asIs, collection }),
    candidates,
    choices,
    features: actionFeatures(choices, candidates, query),
    stage: { names: [], bridges: [], query, evidence: new Float32Array(evidenceFeatures.length) },
    searched: kinds.map((kind, place) => [listOf(candidates[place]!.text, found[kind] ?? [])]),
  }
}

export function example({ qid, golds, asIs, collection = 'world' }: Omit<Described, 'found'>): Example {
  return {
    collection,
    corpus: collection,
    qid,
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
