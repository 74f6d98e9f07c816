/** The file of a BM25 index: one line of JSON, then the arrays of its counts as in memory. */
import { endianness } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { readArrays, writeArrays } from './index-file.ts'
import { languageSchema } from './language.ts'
import type { TermCounts } from './term-counts.ts'

const fileName = 'bm25.index'
const format = 'querent-bm25'

const settingsSchema = z.object({
  k1: z.number(),
  b: z.number(),
  fields: z.object({ title: z.number(), text: z.number() }),
  language: languageSchema.default('english'),
  stem: z.boolean(),
  stopWords: z.array(z.string()).readonly(),
})

const headerSchema = z.object({
  format: z.literal(format),
  version: z.literal(2),
  endianness: z.literal(endianness()),
  settings: settingsSchema,
  docids: z.array(z.string()),
  tokens: z.array(z.string()),
  postings: z.int().nonnegative(),
  digest: z.string(),
})

/** How an index was made: how its text was analyzed, and the parameters of its weights. */
type Bm25Settings = Readonly<z.output<typeof settingsSchema>>

export interface SavedBm25 {
  readonly settings: Bm25Settings
  readonly counts: TermCounts
}

export async function writeBm25(folder: string, { settings, counts }: SavedBm25): Promise<void> {
  const tokens: string[] = []
  for (const [token, index] of counts.tokens) tokens[index] = token
  const header: Omit<z.input<typeof headerSchema>, 'digest'> = {
    format,
    version: 2,
    endianness: endianness(),
    settings,
    docids: [...counts.docids],
    tokens,
    postings: counts.counts.length,
  }
  const arrays = [counts.lengths, counts.offsets, counts.documents, counts.counts]
  await writeArrays(join(folder, fileName), header, arrays)
}

/** @throws QuerentError `bad-index` if the folder has no such file, or a damaged one */
export async function readBm25(folder: string): Promise<SavedBm25> {
  const { header, next } = await readArrays(join(folder, fileName), headerSchema, 'a BM25 index')
  return {
    settings: header.settings,
    counts: {
      docids: header.docids,
      lengths: new Float64Array(next(8 * header.docids.length)),
      tokens: new Map(header.tokens.map((token, index) => [token, index])),
      offsets: new Uint32Array(next(4 * (header.tokens.length + 1))),
      documents: new Uint32Array(next(4 * header.postings)),
      counts: new Float32Array(next(4 * header.postings)),
    },
  }
}
