import { type OpenedIndex, openIndex } from '../index-folder/open.ts'
import type { Embedder } from '../types.ts'
import { openEmbedder } from './embedding-model.ts'
import { required } from './open-search.ts'
import { showProgress } from './progress.ts'
import type { Settings } from './settings.ts'
import type { Terminal } from './terminal.ts'

export interface TrainingIndexes {
  /** In the order of the settings. */
  readonly indexes: readonly OpenedIndex[]
  close(): Promise<void>
}

/** Opens all indexes of the settings, with the retrievers that were asked for. Those of one embedding model share it. */
export async function openTrainingIndexes(settings: Settings, terminal: Terminal): Promise<TrainingIndexes> {
  const retrievers = settings.retrievers && [...new Set(settings.retrievers.flat())]
  const embedders = new Map<string, Embedder>()
  const indexes: OpenedIndex[] = []

  async function embedderOf(model: string): Promise<Embedder> {
    const opened = embedders.get(model) ?? (await openEmbedder(model, terminal, showProgress(terminal)))
    embedders.set(model, opened)
    // Without `close`: an index closes its embedder, and this one is not its alone.
    const { name, dimensions } = opened
    return { name, dimensions, embed: (texts, options) => opened.embed(texts, options) }
  }
  async function close(): Promise<void> {
    for (const index of indexes) await index.close()
    for (const embedder of embedders.values()) await embedder.close?.()
  }

  try {
    for (const folder of required(settings, 'index')) {
      indexes.push(
        await openIndex(folder, {
          ...(retrievers && { retrievers }),
          embedder: ({ model }) => embedderOf(settings.model ?? model),
        }),
      )
    }
    return { indexes, close }
  } catch (error) {
    await close()
    throw error
  }
}
