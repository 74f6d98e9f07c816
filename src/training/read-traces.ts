import { lineError, nameOf, type ReadOptions, readLines, type Source } from '../evaluation/lines.ts'
import { parseTrace } from '../trace-schema.ts'
import type { Trace } from '../types.ts'

/**
 * The traces of a file, one JSON object a line, as `querent evaluate --traces` writes them.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line for what is no trace
 */
export async function* readTraces(source: Source, options: ReadOptions = {}): AsyncGenerator<Trace> {
  for await (const { text, number } of readLines(source, options)) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (cause) {
      throw lineError(source, number, `the line is not JSON (${(cause as Error).message})`, { cause })
    }
    yield parseTrace(value, `${nameOf(source)}:${number}`)
  }
}
