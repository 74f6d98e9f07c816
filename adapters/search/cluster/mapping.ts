/** What an index made by Querent looks like, and whether one that is there is such an index. */
import { z } from 'zod'
import { QuerentError } from '../../../src/errors.ts'
import type { Cluster } from './cluster.ts'
import { isObject } from './object.ts'

/** The vectors of an index. */
export interface IndexedVectors {
  /** What finds the embedding model again: a name or folder. */
  readonly model: string
  /** The name of the embedder that made them. */
  readonly name: string
  readonly dimensions: number
  /** Tells the vectors of this model from those of any other. */
  readonly identity: string
}

/** Kept in the mapping's `_meta`, under `querent`. */
const noteSchema = z.object({
  format: z.literal(1),
  dense: z
    .object({ model: z.string(), name: z.string(), dimensions: z.int(), identity: z.string() })
    .optional(),
})

export type IndexNote = z.output<typeof noteSchema>

/** The field of the vectors in an index made by Querent. */
export const vectorField = 'vector'

/**
 * One shard, so that the weights of words are those of the whole collection; the parameters of BM25 and the stems are those of
 * the index in this process. `contents` is title and text as one.
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
        // Of what was indexed, to tell whether it has changed.
        digest: { type: 'keyword', index: false, doc_values: false },
        ...(vectors && { [vectorField]: vectors.field }),
      },
    },
  }
}

/**
 * What Querent noted about an index when it made it: `undefined` where it did not make it, or where there is none.
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

/** @throws QuerentError `bad-index` where what is there is no index that documents with these vectors can be added to */
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
