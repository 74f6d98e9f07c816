/** The relevant documents of queries. */

import type { Retrieved } from '../../../policies/local/rerank/pool.ts'
import type { DocumentStore } from '../../index-folder/documents.ts'
import { checkAborted } from '../../runtime/yield.ts'
import type { Qrels } from '../../types.ts'

/** Documents that are looked up at a time. */
const lookup = 256

/** The docids that are judged relevant: grades above 0. */
export function relevantOf(grades: ReadonlyMap<string, number> | undefined): string[] {
  return [...(grades ?? [])].flatMap(([docid, grade]) => (grade > 0 ? [docid] : []))
}

/** The grades of the documents of a pool, in their order; 0 for what is not relevant. */
export function gradesIn(
  { candidates }: Pick<Retrieved, 'candidates'>,
  golds: ReadonlyMap<string, number>,
): Float32Array {
  return Float32Array.from(candidates, ({ docid }) => Math.max(0, golds.get(docid) ?? 0))
}

/** All relevant documents that the judgments name, and those that the index has. @throws QuerentError `aborted` */
export async function lookUpGolds(
  documents: DocumentStore,
  qrels: Qrels,
  signal?: AbortSignal,
): Promise<{ readonly golds: ReadonlySet<string>; readonly indexed: ReadonlySet<string> }> {
  const golds = [...new Set([...qrels.values()].flatMap(relevantOf))]
  const indexed = new Set<string>()
  for (let start = 0; start < golds.length; start += lookup) {
    checkAborted(signal)
    const docids = golds.slice(start, start + lookup)
    const found = await (documents.has?.(docids) ?? documents.get(docids))
    for (const [place, docid] of docids.entries()) if (found[place]) indexed.add(docid)
  }
  return { golds: new Set(golds), indexed }
}
