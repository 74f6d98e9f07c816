import { issuesOf } from '../../config.ts'
import { parseJsonLine } from '../../evaluation/json-lines.ts'
import { lineError, type ReadOptions, readLines, type Source } from '../../evaluation/lines.ts'
import { type RolloutRecord, rolloutRecordSchema } from './record.ts'

/**
 * Reads the rollouts of a file, one query per line, as `querent rollouts` writes them.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line if a line holds no rollouts
 */
export async function* readRollouts(
  source: Source,
  options: ReadOptions = {},
): AsyncGenerator<RolloutRecord> {
  for await (const { text, number } of readLines(source, options)) {
    const parsed = rolloutRecordSchema.safeParse(parseJsonLine(text, source, number))
    if (!parsed.success)
      throw lineError(source, number, `the line holds no rollouts: ${issuesOf(parsed.error, 3)}`, {
        remedy: 'Name a file of `querent rollouts`.',
      })
    yield parsed.data
  }
}
