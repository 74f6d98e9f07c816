/** The search of `serve` and `mcp`. It reopens the index when `querent index` has replaced it, and on SIGHUP. */
import { toError } from '../../errors.ts'
import { watchIndex } from '../../index-folder/watch.ts'
import { type Observer, observeAll } from '../../observe.ts'
import type { Optimizer } from '../../optimizer.ts'
import { say, type Terminal } from '../output/terminal.ts'
import { count } from '../output/words.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { variantOf } from '../settings/variants.ts'
import { prepareSearch, prepareSystem, type SearchSetup } from './build-search.ts'
import { renewable } from './renewable.ts'
import { searchedBy } from './select-backends.ts'

type Searching = Pick<Optimizer, 'search'>

/** A search that adds the documents to the hits. */
export interface ServedSearch extends Searching {
  /** The same without a policy and re-ranking. Absent if that is what `search` does. */
  readonly plain: Searching | undefined
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
 * @param observers of all searches
 * @throws as `prepareSearch` and its result, for the first opening
 */
export async function openServedSearch(
  given: SettingsOf<'serve'>,
  terminal: Terminal,
  observers: readonly (Observer | undefined)[] = [],
): Promise<ServedSearch> {
  const settings = { ...given, relax: given.relax ?? true, breaker: true }
  const prepared = await prepareSearch(settings, terminal)
  const variant = variantOf(settings)
  const isPlain = variant.policy === 'none' && !variant.rerank && settings.filterFields === undefined
  const plain = {
    ...settings,
    ...{ filterFields: undefined, minConfidence: undefined, relax: undefined, recency: undefined },
  }
  const withoutPolicy = isPlain
    ? undefined
    : await prepareSystem({ ...variant, policy: 'none', rerank: false }, plain, terminal)
  let opened: SearchSetup['index'] | undefined
  async function open(): Promise<Opened> {
    const setup = await prepared()
    opened = setup.index
    return { ...setup, plain: (await withoutPolicy?.over(setup.index))?.optimizer }
  }
  const first = await open()
  const held = renewable({
    first,
    open,
    onError: ({ message }) => say(terminal, `Cannot close the old index: ${message}`),
  })

  async function renew(): Promise<void> {
    const line = await held.renew().then(
      () => `Reopened the index: searches now cover ${count(opened!.documents.size, 'document')}.`,
      (thrown: unknown) => `Cannot reopen the index, so the old one stays in use: ${toError(thrown).message}`,
    )
    if (!terminal.signal.aborted) say(terminal, line)
  }

  const stops = [
    searchedBy(settings, variant.retrievers).folder &&
      watchIndex(required(settings, 'index'), {
        generation: () => opened!.manifest.generation,
        onReplaced: () => void renew(),
        clock: terminal.clock,
      }),
    terminal.onHangup?.(() => void renew()),
  ]
  const isObserved = observers.some((observer) => observer !== undefined)
  const searching = (optimizerOf: (opened: Opened) => Searching): Searching => ({
    search: (query, options) =>
      held.use(async (setup) => {
        const result = await optimizerOf(setup).search(query, {
          ...options,
          ...(isObserved && { observe: observeAll(options?.observe, ...observers) }),
          ...(settings.answer === false && { answer: false }),
        })
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
