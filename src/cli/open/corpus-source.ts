/** Where the documents of a command come from. */
import { stat } from 'node:fs/promises'
import { QuerentError } from '../../errors.ts'
import { findCorpus } from '../../evaluation/beir-folder.ts'
import type { Source } from '../../evaluation/lines.ts'
import type { Terminal } from '../output/terminal.ts'

/** A BEIR folder's corpus, a file, or standard input for `-`. @throws QuerentError `missing-file` if it does not exist */
export async function corpusSource(corpus: string, { stdin }: Terminal): Promise<Source> {
  if (corpus === '-') return { name: 'standard input', bytes: stdin }
  const found = await stat(corpus).catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The corpus ${corpus} cannot be read`, { cause })
  })
  return found.isDirectory() ? findCorpus(corpus) : corpus
}
