/** Checks requests, for the retrievers in this process. */
import { count, parseConfig } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import type { RetrieveOptions } from '../../src/types.ts'

/**
 * Checks a request before the search.
 *
 * @throws QuerentError `bad-config` if `k` is not a whole number from 1, or if there is a filter. An index in this process has no
 *   filters, and ignoring one would return documents that it hides. If the signal has aborted, throws its reason.
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
