/** Experiments that are finished: what is kept of them, and whose they are. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Example } from '../../policies/local/training/example.ts'
import { issuesOf } from '../../src/config.ts'
import { QuerentError, toError } from '../../src/errors.ts'
import type { LeftOutRun } from './left-out.ts'
import type { MatrixRun } from './retriever-matrix.ts'
import type { SeedRun } from './seed-run.ts'

/** Experiments that are finished, by name. Plain JSON. */
export interface ExperimentsCheckpoint {
  /** Of what the experiments are. */
  readonly of: string
  readonly seeds: Readonly<Record<string, SeedRun>>
  readonly leftOut: Readonly<Record<string, LeftOutRun>>
  readonly matrix: Readonly<Record<string, MatrixRun>>
}

const record = z.record(z.string(), z.looseObject({}))
const checkpointSchema = z.strictObject({ of: z.string(), seeds: record, leftOut: record, matrix: record })

/**
 * A checkpoint that was written as JSON. What its experiments found is not looked into: `of` says whose it is.
 *
 * @param where the file, for the message
 * @throws QuerentError `bad-file`
 */
export function parseExperimentsCheckpoint(text: string, where: string): ExperimentsCheckpoint {
  const remedy = `Remove ${where} to begin again.`
  try {
    const parsed = checkpointSchema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data as unknown as ExperimentsCheckpoint
    throw new Error(issuesOf(parsed.error, 3))
  } catch (cause) {
    throw new QuerentError('bad-file', `${where} holds no experiments: ${toError(cause).message}`, {
      remedy,
      cause,
    })
  }
}

/** So that a checkpoint is only gone on with where its numbers mean the same: what is judged, what it found, and the settings. */
export function experimentsOf(
  examples: readonly Example[],
  settings: Readonly<Record<string, unknown>>,
): string {
  const hash = createHash('sha256')
  for (const { collection, qid, golds, lists } of examples) {
    const found = lists.map(({ retriever, hits }) => [retriever, hits.map(({ docid }) => docid)])
    hash.update(JSON.stringify([collection, qid, [...golds], found]))
  }
  const counts = new Map<string, number>()
  for (const { collection } of examples) counts.set(collection, (counts.get(collection) ?? 0) + 1)
  const queries = [...counts].map(([collection, count]) => `${count} queries of ${collection}`)
  return `${queries.join(', ')} (${hash.digest('hex').slice(0, 16)}); ${JSON.stringify(settings)}`
}
