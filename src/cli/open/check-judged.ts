/** Whether the judgments of a collection belong to the searched index. Checked before any search. */
import { basename, resolve } from 'node:path'
import { judgedQueries } from '../../../policies/local/training/check-training-data.ts'
import type { BeirCollection } from '../../evaluation/beir-folder.ts'
import type { OpenedIndex } from '../../index-folder/open.ts'
import { say, type Terminal } from '../output/terminal.ts'

/**
 * Tells the user how many relevant documents the index lacks: their queries cannot reach the full score.
 *
 * @throws QuerentError `unusable-judgments`, as `train` does, if no query has a relevant document or none of them is in the index:
 *   every figure would be 0. `aborted`
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
    say(
      terminal,
      `${missing} of ${golds} relevant documents are not in the index, so no search can find them.`,
    )
}
