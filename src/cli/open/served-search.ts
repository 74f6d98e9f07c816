/** The search of `serve`. It reopens the index when `querent index` has replaced it, and on SIGHUP. */
import { toError } from '../../errors.ts'
import { watchIndex } from '../../index-folder/watch.ts'
import type { Optimizer } from '../../optimizer.ts'
import { count } from '../output/count.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { ServeSettings } from '../settings/serve-settings.ts'
import { required } from '../settings/setting.ts'
import { variantOf } from '../settings/variants.ts'
import { prepareSearch, type SearchSetup } from './build-search.ts'
import { renewable } from './renewable.ts'
import { searchedBy } from './select-backends.ts'

/** A search that adds the documents to the hits. */
export interface ServedSearch extends Pick<Optimizer, 'search'> {
  /** Whether searches may answer questions. */
  readonly answers: boolean
  /** Closes the index and stops watching it. */
  close(): Promise<void>
}

/**
 * Opens the index. A search finishes on the index that it began with. If reopening fails, the old index stays in use.
 *
 * @throws as `prepareSearch` and its result, for the first opening
 */
export async function openServedSearch(settings: ServeSettings, terminal: Terminal): Promise<ServedSearch> {
  const prepared = await prepareSearch(settings, terminal)
  let opened: SearchSetup['index'] | undefined
  async function open(): Promise<SearchSetup> {
    const setup = await prepared()
    opened = setup.index
    return setup
  }
  const first = await open()
  const held = renewable({
    first,
    open,
    onError: ({ message }) => say(terminal, `Cannot close the old index: ${message}`),
  })

  async function renew(): Promise<void> {
    try {
      await held.renew()
      if (!terminal.signal.aborted)
        say(terminal, `Reopened the index: searches now cover ${count(opened!.documents.size, 'document')}.`)
    } catch (thrown) {
      if (!terminal.signal.aborted)
        say(terminal, `Cannot reopen the index, so the old one stays in use: ${toError(thrown).message}`)
    }
  }

  const { folder } = searchedBy(settings, variantOf(settings).retrievers)
  const stops = [
    folder &&
      watchIndex(required(settings, 'index'), {
        generation: () => opened!.manifest.generation,
        onReplaced: () => void renew(),
        clock: terminal.clock,
      }),
    terminal.onHangup?.(() => void renew()),
  ]
  return {
    answers: first.answers,
    search: (query, options) =>
      held.use(async ({ optimizer, index }) => {
        const result = await optimizer.search(query, {
          ...options,
          ...(settings.answer === false && { answer: false }),
        })
        return { ...result, hits: await index.withDocuments(result.hits) }
      }),
    async close() {
      for (const stop of stops) if (stop) stop()
      await held.close()
    },
  }
}
