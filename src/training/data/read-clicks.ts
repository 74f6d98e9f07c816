import { z } from 'zod'
import { identifier, readRecords } from '../../evaluation/json-lines.ts'
import type { ReadOptions, Source } from '../../evaluation/lines.ts'
import type { Turn } from '../../types.ts'
import type { ClickedSearch } from './clicks.ts'

/** One line of a log. Other keys are ignored. */
const schema = z
  .object({
    qid: identifier.optional(),
    query: z.string().regex(/\S/, 'it is empty'),
    history: z.array(z.object({ role: z.string(), text: z.string() })).default([]),
    shown: z.array(identifier).min(1),
    clicks: z.array(
      z.union(
        [
          identifier.transform((clicked) => ({ docid: clicked })),
          z.object({ docid: identifier, seconds: z.number().nonnegative().exactOptional() }),
        ],
        'must be a docid, or {"docid": "…", "seconds": 42}',
      ),
    ),
  })
  .transform(({ qid, query: text, history: turns, shown, clicks }): ClickedSearch => {
    const history = turns.map(({ role, text }): Turn => ({ role: role === 'user' ? 'user' : 'agent', text }))
    const query = { ...(qid !== undefined && { qid }), text, ...(history.length > 0 && { history }) }
    return { query, shown, clicks }
  })

/**
 * Reads the searches of a click log, one JSON object per line: `{"query", "shown": ["docid", …], "clicks": ["docid" or
 * {"docid", "seconds"}, …]}`. Optional keys: `history` (`[{"role", "text"}]`), the conversation before the query, and `qid`.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line if a line does not match
 */
export async function* readClicks(source: Source, options: ReadOptions = {}): AsyncGenerator<ClickedSearch> {
  for await (const { record } of readLinesOfClicks(source, options)) yield record
}

/** The same, with the number of the line of each search. */
export const readLinesOfClicks = (source: Source, options: ReadOptions = {}) =>
  readRecords(schema, source, options)
