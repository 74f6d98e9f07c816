/** Looks up the relevant documents of queries. */

import type { Retrieved } from '../../../policies/local/rerank/pool.ts'
import type { DocumentStore } from '../../index-folder/documents.ts'
import { checkAborted } from '../../runtime/yield.ts'
import type { Qrels } from '../../types.ts'

/** Number of documents per lookup. */
const lookup = 256

/** The docids of the relevant documents: grades above 0. */
export function relevantOf(grades: ReadonlyMap<string, number> | undefined): string[] {
  return [...(grades ?? [])].flatMap(([docid, grade]) => (grade > 0 ? [docid] : []))
}

/** The grades of a pool's candidates, in the pool's order; 0 for documents that are not relevant. */
export function gradesIn(
  { candidates }: Pick<Retrieved, 'candidates'>,
  golds: ReadonlyMap<string, number>,
): Float32Array {
  return Float32Array.from(candidates, ({ docid }) => Math.max(0, golds.get(docid) ?? 0))
}

/** The docids of all relevant documents (`golds`), and of those in the index (`indexed`). @throws QuerentError `aborted` */
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
