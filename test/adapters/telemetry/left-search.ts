/** What is observed: searches that a model splits, and a caller that leaves one while the model is asked. */
import { acqo } from '../../../policies/acqo/acqo.ts'
import { createOptimizer, type Optimizer, type OptimizerOptions } from '../../../src/optimizer.ts'
import type { ChatModel } from '../../../src/types.ts'
import { settled } from '../../support/manual-clock.ts'
import { scriptedChat, scriptedRetriever } from '../../support/scripted.ts'

export const found = { 'secret words': ['a', 'b'], 'first part': ['c', 'a'], 'second part': ['d'] }

/** The model's answer for "secret words". */
export const split = JSON.stringify({ query: 'first part %% second part' })

/** Finds in three lists by two sub-queries. */
export const splitting = (options: Partial<OptimizerOptions>): Optimizer =>
  createOptimizer({
    retrievers: [scriptedRetriever({ name: 'bm25', found })],
    policy: acqo(),
    chat: scriptedChat([split]),
    ...options,
  })

/** Never answers, and ends when nobody waits any more. */
export const silentChat: ChatModel = {
  name: 'silent',
  complete: (_messages, { signal } = {}) =>
    new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error))),
}

/** Resolves when the search has ended. */
export async function leave({ search }: Pick<Optimizer, 'search'>, reason?: Error): Promise<void> {
  const caller = new AbortController()
  const searching = search('secret words', { signal: caller.signal }).catch(() => {})
  await settled()
  caller.abort(reason)
  await searching
}
