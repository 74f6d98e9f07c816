/** What `querent interleave report` reads: the log of searches, and clicks. */
import { z } from 'zod'
import type { LoggedPage } from '../../evaluation/interleave-verdict.ts'
import { identifier, readRecords } from '../../evaluation/json-lines.ts'
import type { ReadOptions } from '../../evaluation/lines.ts'
import { eventRecord } from '../../training/data/read-ubi.ts'
import type { UbiEvent } from '../../training/data/ubi.ts'

const ids = z.array(z.string())

/** A line of `querent proxy --log`, or of any logger of `querent/logs`. */
const searchRecord = z.object({
  interleaved: z
    .object({ qid: z.string(), queryId: z.string().exactOptional(), engine: ids, querent: ids })
    .optional(),
  index: z.string().default('all indices'),
  opaqueId: z.string().optional(),
  decision: z.enum(['as-is', 'rewrite', 'decompose']).default('as-is'),
  time: z.number().catch(0),
})

const clickRecord = z.union(
  [
    z
      .object({ qid: identifier, docid: identifier })
      .transform(({ qid, docid }): UbiEvent => ({ queryId: qid, action: 'click', docids: [docid] })),
    eventRecord,
  ],
  'it must be {"qid", "docid"}, or an event of ubi_events',
)

/**
 * The pages of a log that were interleaved.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line if a line does not match
 */
export async function* readInterleaved(log: string, options: ReadOptions): AsyncGenerator<LoggedPage> {
  for await (const { record } of readRecords(searchRecord, log, options)) {
    const { interleaved, ...search } = record
    if (interleaved !== undefined) yield { ...search, ...interleaved }
  }
}

/** The clicks and other events of a file. @throws as `readInterleaved` */
export async function* readClickedHits(file: string, options: ReadOptions): AsyncGenerator<UbiEvent> {
  for await (const { record } of readRecords(clickRecord, file, options))
    if (record !== undefined) yield record
}
