/** What the retrievers of this process have in common: how a request is checked. */
import { count, parseConfig } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import type { RetrieveOptions } from '../../src/types.ts'

/**
 * Checks a request before anything is searched.
 *
 * @throws QuerentError `bad-config` where `k` is not a whole number from 1, or a filter is given: an index in this
 *   process has none, and to leave it out would show documents that it hides. An aborted signal's reason is thrown.
 */
export function checkRequest(retriever: string, { k, filter, signal }: RetrieveOptions): void {
  signal?.throwIfAborted()
  parseConfig(count, k, `Retriever "${retriever}": k`)
  if (filter !== undefined) {
    throw new QuerentError('bad-config', `Retriever "${retriever}" cannot filter`, {
      remedy: 'Leave the filter out, or search in an engine that has filters.',
    })
  }
}
