/** Readers throw nothing but our errors, whatever the bytes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isQuerentError } from '../../src/errors.ts'
import { readQueries } from '../../src/evaluation/beir.ts'
import { readCorpus } from '../../src/evaluation/corpus.ts'
import type { Source } from '../../src/evaluation/lines.ts'
import { readQrels, readRun } from '../../src/evaluation/trec.ts'
import { anyText } from '../support/any-text.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'

const readers = {
  readRun,
  readQrels,
  readQueries,
  readCorpus: async (source: Source) => {
    for await (const document of readCorpus(source)) expect(document.docid).not.toBe('')
  },
}

/** Bytes of no kind, lines that are nearly right, and JSON of all kinds. */
const cell = fc.constantFrom(
  ...['q1', 'Q0', 'd%20', '%', '%ff', '1', '-2', '1e9', 'NaN', '0x1', '\u00a0', '😀', '"', ''],
)
const table = fc
  .array(fc.tuple(fc.array(cell, { maxLength: 8 }), fc.constantFrom(' ', '\t', '  ')), { maxLength: 6 })
  .map((rows) => rows.map(([cells, separator]) => cells.join(separator)).join('\n'))
const field = fc.constantFrom('_id', 'qid', 'title', 'text', 'metadata', 'history', 'role', '__proto__')
const record = fc.dictionary(field, fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())))
const records = fc
  .array(fc.oneof(record, fc.jsonValue()), { maxLength: 4 })
  .map((values) => values.map((value) => JSON.stringify(value)).join('\n'))
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.oneof(table, records, anyText()).map((text) => Uint8Array.from(Buffer.from(text))),
)

describe.each(Object.entries(readers))('%s', (_, read) => {
  it(`throws nothing but our errors on ${fuzzRuns} inputs`, { timeout: 20 * 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 3 }), fc.boolean(), async (chunks, packed) => {
        try {
          await read({ name: packed ? 'input.gz' : 'input', bytes: chunks })
        } catch (error) {
          if (!isQuerentError(error)) throw error
          expect(error.message).toContain('input')
        }
      }),
      { numRuns: fuzzRuns },
    )
  })
})
