/** The indexes of a training: folders or clusters. */
import { createCache } from '../../../adapters/cache/cache.ts'
import { cachedEmbedder } from '../../../adapters/cache/cached-embedder.ts'
import { type OpenedIndex, openIndex } from '../../index-folder/open.ts'
import type { Embedder } from '../../types.ts'
import { showProgress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'
import { enginePrefix } from '../settings/engine-definition.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { openEmbedder } from './embedding-model.ts'
import { joinedIndex } from './merge-indexes.ts'
import { openEngines } from './open-engine.ts'
import { type Searched, searchedBy } from './select-backends.ts'

export interface TrainingIndexes {
  /** In the order of the settings. */
  readonly indexes: readonly OpenedIndex[]
  close(): Promise<void>
}

/**
 * How many collections have an index: one per folder or, on clusters, one per `--retrievers`.
 *
 * @throws QuerentError `bad-config` if there is none, or a cluster is not defined
 */
export function countIndexes(settings: SettingsOf<'train'>): number {
  return isOnClusters(settings) ? clustersOf(settings).length : required(settings, 'index').length
}

/** A training uses clusters only if no folder is given. */
const isOnClusters = ({ index, engines, retrievers = [] }: SettingsOf<'train'>): boolean =>
  index === undefined &&
  (engines !== undefined || retrievers.flat().some((name) => name.startsWith(enginePrefix)))

/** The clusters of each collection. */
function clustersOf(settings: SettingsOf<'train'>): readonly Searched['engines'][] {
  return (settings.retrievers ?? [undefined]).map((names) => {
    const { folder, engines } = searchedBy(settings, names)
    if (folder) required(settings, 'index')
    return engines
  })
}

/** Steps of a training embed the same names: their vectors are kept until it ends, in half a gigabyte at most. */
const keptVectors = { maxEntries: 200_000, ttl: 1e9 }

/** Opens all indexes with the retrievers of the settings. Indexes with the same embedding model share it. */
export async function openTrainingIndexes(
  settings: SettingsOf<'train'>,
  terminal: Terminal,
): Promise<TrainingIndexes> {
  const embedders = new Map<string, Embedder>()
  const indexes: OpenedIndex[] = []

  async function embedderOf(model: string): Promise<Embedder> {
    const opened = embedders.get(model) ?? (await openShared(model))
    embedders.set(model, opened)
    // Without `close`: an index closes its embedder, but this one is shared.
    const { name, dimensions } = opened
    return { name, dimensions, embed: (texts, options) => opened.embed(texts, options) }
  }
  /** Indexes may name one model differently. */
  async function openShared(model: string): Promise<Embedder> {
    const opened = await openEmbedder(model, terminal, showProgress(terminal))
    const same = [...embedders.values()].find(
      ({ name, identity }) => name === opened.name && identity === opened.identity,
    )
    if (same === undefined) return cachedEmbedder(opened, createCache(keptVectors), { scope: [] })
    await opened.close?.()
    return same
  }
  async function close(): Promise<void> {
    for (const index of indexes) await index.close()
    for (const embedder of new Set(embedders.values())) await embedder.close?.()
  }

  async function openFolders(folders: readonly string[]): Promise<void> {
    const retrievers = settings.retrievers && [...new Set(settings.retrievers.flat())]
    for (const folder of folders) {
      const embedder = ({ model }: { readonly model: string }) => embedderOf(settings.model ?? model)
      indexes.push(await openIndex(folder, { ...(retrievers && { retrievers }), embedder, batched: true }))
    }
  }
  async function openClusters(): Promise<void> {
    const embedder = (model: string) => embedderOf(settings.model ?? model)
    for (const clusters of clustersOf(settings)) {
      indexes.push(joinedIndex(await openEngines(clusters, embedder, terminal)))
    }
  }

  try {
    if (isOnClusters(settings)) await openClusters()
    else await openFolders(required(settings, 'index'))
    return { indexes, close }
  } catch (error) {
    await close()
    throw error
  }
}
