/** The embedder with which an update makes vectors. */
import type { Documents } from '../../adapters/search/corpus.ts'
import { loadFaissLibrary } from '../../adapters/search/faiss-library.ts'
import { QuerentError } from '../errors.ts'
import type { Embedder } from '../types.ts'
import { journalName, lostVectors } from './embedding-journal.ts'
import type { DenseManifest, IndexManifest } from './manifest.ts'
import { shellQuoted } from './shell-quoted.ts'

interface EmbedderChoice {
  readonly add?: Documents
  readonly dense?: Embedder
  readonly identity?: string
}

/** The embedder of the index's vectors. @throws QuerentError if it is missing, or is another than that of the index */
export async function updateEmbedder(
  out: string,
  dense: IndexManifest['dense'],
  { add, dense: embedder, identity }: EmbedderChoice,
): Promise<Embedder | undefined> {
  if (dense === undefined && embedder === undefined) return undefined
  if (dense === undefined)
    throw new QuerentError(
      'bad-config',
      `The index in ${out} has no vectors to which others could be added`,
      { remedy: `Make it again with \`querent index <corpus> --out ${shellQuoted(out)} --dense\`.` },
    )
  await loadFaissLibrary()
  if (embedder === undefined && add === undefined) return withoutModel(out, dense)
  if (embedder === undefined)
    throw new QuerentError('bad-config', `The index in ${out} has vectors, and no embedder was given`, {
      remedy: `Pass \`dense\`, the embedder ${dense.name}.`,
    })
  if (journalName(identity ?? embedder.name, embedder.dimensions) === dense.journal) return embedder
  throw new QuerentError(
    'bad-index',
    `The vectors of ${out} were made by ${dense.name}, not by ${embedder.name}, or not by this version of it`,
    { remedy: 'Give the model that made them, or make the index again with this one.' },
  )
}

/** Deleting and a vacuum need no model: the vectors are in the journal. */
const withoutModel = (out: string, { name, dimensions }: DenseManifest): Embedder => ({
  name,
  dimensions,
  async embed() {
    throw lostVectors(out)
  },
})
