/** The search of `serve`. It reopens the index when `querent index` has replaced it, and on SIGHUP. */
import { toError } from '../../errors.ts'
import { watchIndex } from '../../index-folder/watch.ts'
import type { Optimizer } from '../../optimizer.ts'
import type { SearchOptions } from '../../search.ts'
import type { GivenQuery, SearchResult } from '../../types.ts'
import { count } from '../output/count.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { variantOf } from '../settings/variants.ts'
import { prepareSearch, prepareVariant, type SearchSetup } from './build-search.ts'
import { renewable } from './renewable.ts'
import { searchedBy } from './select-backends.ts'

/** A search that adds the documents to the hits. */
export interface ServedSearch extends Pick<Optimizer, 'search'> {
  /** The same without a policy and re-ranking. Absent if that is what `search` does. */
  readonly plain: Pick<Optimizer, 'search'> | undefined
  /** Whether searches may answer questions. */
  readonly answers: boolean
  /** Closes the index and stops watching it. */
  close(): Promise<void>
}

interface Opened extends SearchSetup {
  readonly plain: Optimizer | undefined
}

/**
 * Opens the index. A search finishes on the index that it began with. If reopening fails, the old index stays in use.
 *
 * @throws as `prepareSearch` and its result, for the first opening
 */
export async function openServedSearch(
  given: SettingsOf<'serve'>,
  terminal: Terminal,
): Promise<ServedSearch> {
  const settings = { ...given, breaker: true }
  const prepared = await prepareSearch(settings, terminal)
  const variant = variantOf(settings)
  const withoutPolicy =
    variant.policy === 'none' && !variant.rerank && settings.filterFields === undefined
      ? undefined
      : await prepareVariant(
          { ...variant, policy: 'none', rerank: false },
          { ...settings, filterFields: undefined },
          terminal,
        )
  let opened: SearchSetup['index'] | undefined
  async function open(): Promise<Opened> {
    const setup = await prepared()
    opened = setup.index
    return { ...setup, plain: (await withoutPolicy?.create(setup.index))?.optimizer }
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

  const { folder } = searchedBy(settings, variant.retrievers)
  const stops = [
    folder &&
      watchIndex(required(settings, 'index'), {
        generation: () => opened!.manifest.generation,
        onReplaced: () => void renew(),
        clock: terminal.clock,
      }),
    terminal.onHangup?.(() => void renew()),
  ]
  const searching = (optimizerOf: (opened: Opened) => Pick<Optimizer, 'search'>) => ({
    search: (query: GivenQuery | string, options?: SearchOptions): Promise<SearchResult> =>
      held.use(async (setup) => {
        const wanted = { ...options, ...(settings.answer === false && { answer: false }) }
        const result = await optimizerOf(setup).search(query, wanted)
        return { ...result, hits: await setup.index.withDocuments(result.hits) }
      }),
  })
  return {
    answers: first.answers,
    ...searching(({ optimizer }) => optimizer),
    plain: withoutPolicy && searching(({ optimizer, plain }) => plain ?? optimizer),
    async close() {
      for (const stop of stops) if (stop) stop()
      await held.close()
    },
  }
}
