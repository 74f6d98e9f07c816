/** What `serve` searches: the index that is there now, opened anew when it was replaced and when SIGHUP says so. */
import { toError } from '../../errors.ts'
import { watchIndex } from '../../index-folder/watch.ts'
import type { Optimizer } from '../../optimizer.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { ServeSettings } from '../settings/serve-settings.ts'
import { required } from '../settings/setting.ts'
import { variantOf } from '../settings/variants.ts'
import { prepareSearch, type SearchSetup } from './build-search.ts'
import { renewable } from './renewable.ts'
import { searchedBy } from './select-backends.ts'

/** Searches, with the documents of the hits. */
export interface ServedSearch extends Pick<Optimizer, 'search'> {
  /** Closes what is open, and looks for nothing new. */
  close(): Promise<void>
}

/**
 * Opens the index. A search ends on the index that it began with; one that cannot be opened anew stays as it was.
 *
 * @throws as `prepareSearch` and what it gives, where it is opened for the first time
 */
export async function openServedSearch(settings: ServeSettings, terminal: Terminal): Promise<ServedSearch> {
  const prepared = await prepareSearch(settings, terminal)
  let opened: SearchSetup['index'] | undefined
  async function open(): Promise<SearchSetup> {
    const setup = await prepared()
    opened = setup.index
    return setup
  }
  const held = renewable({
    first: await open(),
    open,
    onError: ({ message }) => say(terminal, `The old index cannot be closed: ${message}`),
  })

  async function renew(): Promise<void> {
    try {
      await held.renew()
      if (!terminal.signal.aborted)
        say(
          terminal,
          `The index was opened anew: ${opened!.documents.size} documents are searched from now on.`,
        )
    } catch (thrown) {
      if (!terminal.signal.aborted)
        say(terminal, `The index cannot be opened anew, and the old one stays: ${toError(thrown).message}`)
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
    search: (query, options) =>
      held.use(async ({ optimizer, index }) => {
        const result = await optimizer.search(query, options)
        return { ...result, hits: await index.withDocuments(result.hits) }
      }),
    async close() {
      for (const stop of stops) if (stop) stop()
      await held.close()
    },
  }
}
