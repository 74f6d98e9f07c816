/** Opens an index on a cluster, as `openIndex` opens one in a folder. */
import { createHash } from 'node:crypto'
import { resilient } from '../../../adapters/resilience/resilient-retriever.ts'
import { isRetryable } from '../../../adapters/resilience/retryable.ts'
import type { Cluster } from '../../../adapters/search/cluster/cluster.ts'
import { clusterDocuments } from '../../../adapters/search/cluster/documents.ts'
import { type IndexNote, noteOf } from '../../../adapters/search/cluster/mapping.ts'
import type { VectorOptions } from '../../../adapters/search/cluster/options.ts'
import { clusterRetriever } from '../../../adapters/search/cluster/retriever.ts'
import { QuerentError } from '../../errors.ts'
import { withDocuments } from '../../index-folder/documents.ts'
import { newManifest } from '../../index-folder/manifest.ts'
import type { OpenedIndex } from '../../index-folder/open.ts'
import { version } from '../../index-folder/version.ts'
import { systemClock } from '../../runtime/clock.ts'
import { withDeadline } from '../../runtime/deadline.ts'
import type { Embedder } from '../../types.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { EngineDefinition } from '../settings/engine-definition.ts'
import { checkSearchable } from './check-searchable.ts'
import { connectEngine } from './connect-engine.ts'
import { engineError, statusOf } from './engine-error.ts'

/** Milliseconds for what is asked of a cluster before the first search. */
const patience = 10_000

/** Searches have their own deadline. Trainings have none and wait this long for a response. */
const resilience = { timeout: 30_000 }

interface OpenEngineOptions {
  /** The name of the retriever. */
  readonly name: string
  readonly definition: EngineDefinition
  readonly embedder: FindEmbedder
  /** The error of each cluster that is down. */
  readonly down: Map<string, Error>
}

/** Finds an embedding model. It is closed with the index. */
type FindEmbedder = (model: string) => Promise<Embedder>

/**
 * Opens clusters, each under its retriever's name. Those that are down are searched as the others are, as soon as they answer. If one
 * cannot be opened, the others are closed.
 *
 * @param needed how many must answer now. Default: all
 * @throws as `openEngine`; the error of the first that is down if too many are
 */
export async function openEngines(
  clusters: ReadonlyMap<string, EngineDefinition>,
  embedder: FindEmbedder,
  terminal: Terminal,
  needed = clusters.size,
): Promise<OpenedIndex[]> {
  const opened: OpenedIndex[] = []
  const down = new Map<string, Error>()
  try {
    for (const [name, definition] of clusters)
      opened.push(await openEngine({ name, definition, embedder, down }, terminal))
    for (const [name, error] of down) {
      if (clusters.size - down.size < needed) throw error
      say(terminal, `Searches lack ${name} until it answers: ${error.message}`)
    }
    return opened
  } catch (error) {
    for (const index of opened) await index.close()
    throw error
  }
}

/**
 * Connects to a cluster and checks that the index exists. A cluster that is down is noted instead, and its documents are not counted.
 *
 * @throws QuerentError `bad-config` if the index lacks the field that is searched by default, or if vectors are searched and
 *   nothing names their model; `bad-index` if another model made them; `missing-package`; as `engineError`; errors of the
 *   embedder, unchanged
 */
async function openEngine(options: OpenEngineOptions, terminal: Terminal): Promise<OpenedIndex> {
  const { name, definition, down } = options
  const { engine: kind, url, vector: _, ...search } = definition
  const { signal } = terminal
  const engine = await connectEngine(kind, url, terminal)
  let embedder: Embedder | undefined
  const close = async (): Promise<void> => {
    await engine.close()
    await embedder?.close?.()
  }
  /** What the cluster says; `undefined` if it is down. */
  async function said<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (down.has(name)) return undefined
    try {
      return await withDeadline(systemClock, { parent: signal, ms: patience, what: name }, ask)
    } catch (thrown) {
      const error = engineError(thrown, { engine: kind, url })
      if (!isRetryable(error)) throw error
      down.set(name, error)
      return undefined
    }
  }
  try {
    const note = await said((signal) => readNote(engine, definition, signal))
    if (note === undefined) await said((signal) => checkSearchable(engine, name, definition, signal))
    const vector = await openVectors(options, note)
    embedder = vector?.embedder
    // Indexes made by `querent index` have this field.
    const tieBreak = search.tieBreak ?? (note && 'docid')
    const retriever = clusterRetriever(engine, { ...search, name, vector, tieBreak })
    const { index, title, text, source, docid, filter, headers } = search
    const documents = clusterDocuments(engine, { index, title, text, source, docid, filter, headers })
    const size = (await said((signal) => documents.count(signal))) ?? 0
    return {
      manifest: newManifest(
        {
          generation: '',
          folder: '',
          documents: size,
          corpus: createHash('sha256')
            .update(JSON.stringify([kind, index, size]))
            .digest('hex'),
          bm25: {},
          ...(embedder && {
            dense: { ...described(embedder), model: embedder.name, kind: 'hnsw', journal: '' },
          }),
          files: {},
        },
        version,
      ),
      retrievers: [resilient(retriever, resilience)],
      documents: {
        size,
        all: () => documents.all(signal),
        get: (docids) => documents.get(docids, signal),
        has: (docids) => documents.has(docids, signal),
        close: async () => {},
      },
      withDocuments: (hits) => withDocuments(hits, (docids) => documents.get(docids, signal)),
      close,
    }
  } catch (error) {
    await close()
    throw engineError(error, { engine: kind, url })
  }
}

/** The note of `querent index`. Absent if another program made the index, or this user may only search it. */
async function readNote(
  engine: Cluster,
  { index }: EngineDefinition,
  signal: AbortSignal,
): Promise<IndexNote | undefined> {
  if (typeof index !== 'string') return undefined
  try {
    return (await noteOf(engine, index, signal)).note
  } catch (error) {
    if (statusOf(error) === 403) return undefined
    throw error
  }
}

async function openVectors(
  { name, definition, embedder: find, down }: OpenEngineOptions,
  note: IndexNote | undefined,
): Promise<VectorOptions | undefined> {
  if (definition.vector === undefined) return undefined
  const { model = note?.dense?.model, ...vector } = definition.vector
  if (model === undefined) {
    if (down.has(name)) throw down.get(name)!
    throw new QuerentError('bad-config', `The model that made the vectors of ${name} is unknown`, {
      remedy: 'Name it: `"vector": {"field": "…", "model": "…"}`.',
    })
  }
  const embedder = await find(model)
  const made = note?.dense
  if (made === undefined || JSON.stringify(described(made)) === JSON.stringify(described(embedder)))
    return { ...vector, embedder }
  await embedder.close?.()
  throw new QuerentError(
    'bad-index',
    `${made.name} (${made.dimensions} dimensions) made the vectors of ${name}, not ${embedder.name} (${embedder.dimensions})`,
    { remedy: 'Search with the model that made them.' },
  )
}

const described = ({ name, dimensions }: Pick<Embedder, 'name' | 'dimensions'>) => ({ name, dimensions })
