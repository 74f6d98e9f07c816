/** A caller that leaves its search while a model is asked. */
import type { Optimizer } from '../../../src/optimizer.ts'
import type { ChatModel } from '../../../src/types.ts'
import { settled } from '../../support/manual-clock.ts'

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
