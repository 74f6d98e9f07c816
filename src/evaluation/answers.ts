/** Reads the accepted answers of judged questions. */
import { z } from 'zod'
import { identifier, readRecords } from './json-lines.ts'
import type { ReadOptions, Source } from './lines.ts'

const answer = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const answers = z
  .union([answer.transform((one) => [one]), z.array(answer)])
  .nullish()
  .transform((all) => all ?? [])

const schema = z.object({
  _id: identifier.optional(),
  qid: identifier.optional(),
  metadata: z.object({ answer: answers, answers, answer_aliases: answers }).nullish(),
})

/** qid → accepted answers. */
export type Answers = ReadonlyMap<string, readonly string[]>

/**
 * Reads them from a file of queries: `metadata.answer` and `metadata.answers`, each a text or a list of texts, and
 * `metadata.answer_aliases`. Queries without any are left out.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line if one of these is something else
 */
export async function readAnswers(source: Source, options: ReadOptions = {}): Promise<Answers> {
  const found = new Map<string, readonly string[]>()
  for await (const { record } of readRecords(schema, source, options)) {
    const { _id, qid, metadata } = record
    const all = [
      ...(metadata?.answer ?? []),
      ...(metadata?.answers ?? []),
      ...(metadata?.answer_aliases ?? []),
    ].filter((one) => one.trim() !== '')
    const id = _id ?? qid
    if (id !== undefined && all.length > 0) found.set(id, [...new Set(all)])
  }
  return found
}
