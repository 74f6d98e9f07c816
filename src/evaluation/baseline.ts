/**
 * A baseline: the values that an evaluation had for every query, in a file of JSON, so that later evaluations can be held to them
 * (`gate.ts`). It names its data by digests, because values of other data say nothing.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { issuesOf } from '../config.ts'
import { isQuerentError, QuerentError } from '../errors.ts'
import { jsonOf } from '../runtime/json.ts'
import type { Evaluation } from './evaluate.ts'
import { type ReadOptions, readLines, writeLines } from './lines.ts'

const schema = z.object({
  version: z.literal(1),
  judged: z.string(),
  corpus: z.string().exactOptional(),
  values: z.record(z.string(), z.record(z.string(), z.number())),
})

export interface Baseline {
  /** The version of the format. */
  readonly version: 1
  /** The SHA-256 of the judged queries, with their conversations and judgments. */
  readonly judged: string
  /** The SHA-256 of the documents. Absent if they are not known: of a cluster, and of a run. */
  readonly corpus?: string
  /** Metric → qid → value. */
  readonly values: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** What a baseline keeps of an evaluation. */
export type Measured = Pick<Evaluation, 'queries' | 'qrels' | 'values'>

/** What was measured, and on which data. */
export interface JudgedData extends Pick<Measured, 'queries' | 'qrels'> {
  /** The digest of the documents, as in `Baseline`. */
  readonly corpus?: string | undefined
}

const digestOf = ({ queries, qrels }: JudgedData): string => {
  const hash = createHash('sha256')
  for (const { qid = '', text, history = [] } of queries) {
    const grades = qrels.get(qid)
    if (grades !== undefined) hash.update(`${JSON.stringify([qid, text, history, [...grades]])}\n`)
  }
  return hash.digest('hex')
}

/** The baseline that an evaluation makes. @param corpus the digest of the documents. Default: not known */
export const baselineOf = (measured: Measured, corpus?: string): Baseline => ({
  version: 1,
  judged: digestOf(measured),
  ...(corpus !== undefined && { corpus }),
  values: Object.fromEntries(
    Array.from(measured.values, ([metric, ofQueries]) => [metric, Object.fromEntries(ofQueries)]),
  ),
})

/** Reads a baseline, once `writeBaseline` or `--update-baseline` has written it. @throws QuerentError `missing-file`, `aborted`; `bad-file` if the file is none */
export async function readBaseline(path: string, options: ReadOptions = {}): Promise<Baseline> {
  const lines: string[] = []
  try {
    for await (const { text } of readLines(path, options)) lines.push(text)
  } catch (error) {
    if (!isQuerentError(error, 'missing-file')) throw error
    throw new QuerentError('missing-file', error.what, { remedy, cause: error.cause })
  }
  const { data, error } = schema.safeParse(jsonOf(lines.join('\n')))
  if (data !== undefined) return data
  throw new QuerentError('bad-file', `${path} is no baseline: ${issuesOf(error, 1)}`, { remedy })
}

/** Writes a baseline with a line for each query, as a reader of changes likes it. @throws QuerentError `write-failed`, `aborted` */
export const writeBaseline = (path: string, baseline: Baseline, options: ReadOptions = {}): Promise<void> =>
  writeLines(path, [JSON.stringify(baseline, null, 2)], options)

const remedy = 'Write it anew: with --update-baseline, or in code with `writeBaseline`.'

/** @throws QuerentError `bad-config` if the baseline is of other queries, judgments or documents */
export function checkSameData(baseline: Baseline, data: JudgedData): void {
  const isOther = (one: string | undefined, other: string | undefined): boolean =>
    one !== undefined && other !== undefined && one !== other
  const other = isOther(baseline.judged, digestOf(data))
    ? 'queries or judgments'
    : isOther(baseline.corpus, data.corpus) && 'documents'
  if (other === false) return
  throw new QuerentError('bad-config', `The baseline is of other ${other}, and its values say nothing here`, {
    remedy,
  })
}
