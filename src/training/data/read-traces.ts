import { parseJsonLine } from '../../evaluation/json-lines.ts'
import { nameOf, type ReadOptions, readLines, type Source } from '../../evaluation/lines.ts'
import { parseTrace } from '../../trace-schema.ts'
import type { Trace } from '../../types.ts'

/**
 * Reads the traces of a file, one JSON object per line, as `querent evaluate --traces` writes them.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line if a line is not a trace
 */
export async function* readTraces(source: Source, options: ReadOptions = {}): AsyncGenerator<Trace> {
  for await (const { text, number } of readLines(source, options)) {
    yield parseTrace(parseJsonLine(text, source, number), `${nameOf(source)}:${number}`)
  }
}
