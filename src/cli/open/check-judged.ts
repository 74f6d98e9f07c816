/** Whether the judgments of a collection are of the index that is searched: asked before any search. */
import { basename, resolve } from 'node:path'
import { judgedQueries } from '../../../policies/local/training/check-training-data.ts'
import type { BeirCollection } from '../../evaluation/beir-folder.ts'
import type { OpenedIndex } from '../../index-folder/open.ts'
import { say, type Terminal } from '../output/terminal.ts'

/**
 * Says how many relevant documents the index lacks: their queries can reach no full score.
 *
 * @throws QuerentError `cannot-teach`, as `train` does, where no query has a relevant document, or none of them is in the
 *   index: every figure would be 0. `aborted`
 */
export async function checkJudged(
  folder: string,
  { queries, qrels }: Pick<BeirCollection, 'queries' | 'qrels'>,
  { documents }: OpenedIndex,
  terminal: Terminal,
): Promise<void> {
  const name = basename(resolve(folder))
  const { golds, missing } = await judgedQueries(name, queries, qrels, documents, terminal.signal)
  if (missing > 0)
    say(terminal, `${missing} of ${golds} relevant documents are not in the index: they can never be found.`)
}
