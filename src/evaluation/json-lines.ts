/** Parses JSON lines: one record per line. */
import { z } from 'zod'
import { lineError, type ReadOptions, readLines, type Source } from './lines.ts'

/** A docid or qid. An integer is accepted as its digits. JSON.parse rounds larger ones, so they are not safe as identifiers. */
export const identifier = z.preprocess(
  (value) => (Number.isSafeInteger(value) ? String(value) : value),
  z
    .string({
      error: ({ input }) =>
        typeof input === 'number'
          ? `the number ${input} is not exact: write identifiers in quotes`
          : undefined,
    })
    .min(1),
)

/** A text. Collections converted from tables hold numbers in such fields. What is missing is empty; other types are errors. */
export const words = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : (value ?? '')),
  z.string(),
)

/** The error code for a malformed line. */
type Code = 'bad-document' | 'bad-file'

/** @throws QuerentError with file and line if the line is not JSON */
export function parseJsonLine(
  line: string,
  source: Source,
  number: number,
  code: Code = 'bad-file',
): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw lineError(source, number, `the line is not JSON (${(cause as Error).message})`, { code, cause })
  }
}

/** @throws QuerentError with file, line and field if the record does not match the schema */
export function parseRecord<Output>(
  schema: z.ZodType<Output>,
  line: string,
  source: Source,
  number: number,
  code: Code = 'bad-file',
): Output {
  const parsed = schema.safeParse(parseJsonLine(line, source, number, code))
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  const field = path.length > 0 ? `the field "${path.join('.')}"` : 'the line'
  throw lineError(source, number, `${field} is wrong: ${message}`, { code })
}

/**
 * Reads a record a line.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line if a line does not match
 */
export async function* readRecords<Output>(
  schema: z.ZodType<Output>,
  source: Source,
  options: ReadOptions = {},
): AsyncGenerator<{ readonly record: Output; readonly line: number }> {
  for await (const { text, number } of readLines(source, options))
    yield { record: parseRecord(schema, text, source, number), line: number }
}

/** Notes the line of an identifier. @throws QuerentError with file and line if an earlier line has it */
export function checkNew(
  lines: Map<string, number>,
  value: string,
  what: 'docid' | 'qid',
  source: Source,
  number: number,
): void {
  const first = lines.get(value)
  if (first !== undefined) {
    throw lineError(source, number, `the ${what} ${JSON.stringify(value)} came before, in line ${first}`, {
      code: what === 'docid' ? 'bad-document' : 'bad-file',
      remedy: `Give every line a ${what} of its own.`,
    })
  }
  lines.set(value, number)
}
