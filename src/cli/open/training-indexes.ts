/** The indexes of a training: folders or clusters. */
import { createCache } from '../../../adapters/cache/cache.ts'
import { cachedEmbedder } from '../../../adapters/cache/cached-embedder.ts'
import type { OpenedIndex } from '../../index-folder/open.ts'
import type { Embedder } from '../../types.ts'
import { showProgress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'
import { enginePrefix } from '../settings/engine-definition.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { checkSearched, openSettingsIndex } from './build-search.ts'
import { openEmbedder } from './embedding-model.ts'

export interface TrainingIndexes {
  /** In the order of the settings. */
  readonly indexes: readonly OpenedIndex[]
  close(): Promise<void>
}

/**
 * What is opened for each collection: a folder, or on clusters one `--retrievers`. A training uses clusters only if no folder is given.
 *
 * @throws QuerentError `bad-config` if there is none, or a cluster is not defined
 */
export function indexChoices({ index, engines, retrievers, ...settings }: SettingsOf<'train'>) {
  const names = retrievers?.flat()
  const isOnClusters =
    index === undefined &&
    (engines !== undefined || names?.some((name) => name.startsWith(enginePrefix)) === true)
  const choices = isOnClusters
    ? (retrievers ?? [undefined]).map((names) => ({ engines, names }))
    : required({ ...settings, index }, 'index').map((index) => ({
        index,
        names: names && [...new Set(names)],
      }))
  for (const { names, ...choice } of choices) checkSearched(choice, names)
  return choices
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

  async function embedder(named: string): Promise<Embedder> {
    const model = settings.model ?? named
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

  try {
    for (const { names, ...choice } of indexChoices(settings))
      indexes.push(await openSettingsIndex(choice, terminal, names, { embedder, batched: true }))
    return { indexes, close }
  } catch (error) {
    await close()
    throw error
  }
}
