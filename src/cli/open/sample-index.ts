/** An index of the sample collection that comes with the package, for a look around. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QuerentError } from '../../errors.ts'
import { readCorpus } from '../../evaluation/corpus.ts'
import { buildIndex } from '../../index-folder/build.ts'
import { packageFolder } from '../../runtime/package-folder.ts'

/** A question that takes several searches of the sample. */
export const sampleQuestion = 'Was the author of Dracula born in the same city as the author of Ulysses?'

export interface SampleIndex {
  /** A temporary folder. */
  readonly folder: string
  readonly documents: number
  remove(): Promise<void>
}

/** Takes a fraction of a second. @throws QuerentError `missing-file` where the package came without its sample */
export async function sampleIndex(signal: AbortSignal): Promise<SampleIndex> {
  if (packageFolder === undefined)
    throw new QuerentError('missing-file', 'The sample is not here', {
      remedy: 'Install querent as a package, or pass --index.',
    })
  const out = await mkdtemp(join(tmpdir(), 'querent-sample-'))
  const remove = (): Promise<void> => rm(out, { recursive: true, force: true })
  try {
    const corpus = readCorpus(join(packageFolder.path, 'src/sample/corpus.jsonl'))
    const { manifest } = await buildIndex(corpus, { out, signal })
    return { folder: out, documents: manifest.documents, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
