/** The mapping of an index that Querent builds, and how to recognize such an index. */
import { z } from 'zod'
import { QuerentError } from '../../../src/errors.ts'
import { isObject } from '../../../src/runtime/json.ts'
import type { Cluster } from './cluster.ts'

/** The vectors of an index. */
export interface IndexedVectors {
  /** The name or folder that finds the embedding model again. */
  readonly model: string
  /** The name of the embedder that made the vectors. */
  readonly name: string
  readonly dimensions: number
  /** Distinguishes the vectors of this model from those of every other. */
  readonly identity: string
}

/** Stored in the mapping's `_meta`, under `querent`. */
const noteSchema = z.object({
  format: z.literal(1),
  dense: z
    .object({ model: z.string(), name: z.string(), dimensions: z.int(), identity: z.string() })
    .optional(),
})

export type IndexNote = z.output<typeof noteSchema>

/** The vector field of an index that Querent builds. */
export const vectorField = 'vector'

/**
 * One shard, so the weights of words are those of the whole collection. The BM25 parameters and the stemming are the same as in
 * the index in this process. `contents` is title and text combined.
 */
export function newIndex(engine: Cluster, dense: IndexedVectors | undefined): object {
  const words = { type: 'text', analyzer: 'english', similarity: 'querent' }
  const vectors = dense && engine.vectors(dense.dimensions)
  const note: IndexNote = { format: 1, ...(dense && { dense: { ...dense } }) }
  return {
    settings: {
      index: {
        number_of_shards: 1,
        similarity: { querent: { type: 'BM25', k1: 0.9, b: 0.4 } },
        ...vectors?.settings,
      },
    },
    mappings: {
      _meta: { querent: note },
      dynamic: false,
      properties: {
        docid: { type: 'keyword' },
        title: { ...words, copy_to: 'contents' },
        text: { ...words, copy_to: 'contents' },
        contents: words,
        metadata: { type: 'object', enabled: false },
        // Detects changed documents.
        digest: { type: 'keyword', index: false, doc_values: false },
        ...(vectors && { [vectorField]: vectors.field }),
      },
    },
  }
}

/**
 * Returns whether the index exists, and the note that Querent stored when it built the index, if it did.
 *
 * @throws the client's own error
 */
export async function noteOf(
  engine: Cluster,
  index: string,
  signal?: AbortSignal,
): Promise<{ readonly exists: boolean; readonly note?: IndexNote }> {
  const mappings = await mappingsOf(engine, index, signal)
  if (mappings === undefined) return { exists: false }
  const own = mappings[index]
  const meta = isObject(own) && isObject(own.mappings) ? own.mappings._meta : undefined
  const note = noteSchema.safeParse(isObject(meta) ? meta.querent : undefined)
  return note.success ? { exists: true, note: note.data } : { exists: true }
}

/** @throws QuerentError `bad-index` if documents with these vectors cannot be added to the existing index */
export function checkNote(
  index: string,
  note: IndexNote | undefined,
  dense: IndexedVectors | undefined,
): void {
  const trouble = troubleWith(note, dense)
  if (trouble === undefined) return
  throw new QuerentError('bad-index', `The index ${index} is there already, and ${trouble}`, {
    remedy: 'Choose another --name, or delete that index first.',
  })
}

function troubleWith(note: IndexNote | undefined, dense: IndexedVectors | undefined): string | undefined {
  if (note === undefined) return 'was not made by `querent index`'
  const there = note.dense
  if (there?.identity === dense?.identity && there?.dimensions === dense?.dimensions) return undefined
  if (there === undefined) return `has no vectors, those of ${dense!.name} cannot be added`
  const wanted = dense === undefined ? 'none are to be made' : `these are of ${dense.name}`
  return `has vectors of ${there.name} (${there.dimensions} dimensions), where ${wanted}`
}

async function mappingsOf(
  engine: Cluster,
  index: string,
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const path = `/${encodeURIComponent(index)}/_mapping`
  try {
    const { body } = await engine.send({ name: 'indices.get_mapping', method: 'GET', path }, { signal })
    return isObject(body) ? body : {}
  } catch (error) {
    if ((error as { readonly statusCode?: unknown }).statusCode === 404) return undefined
    throw error
  }
}
