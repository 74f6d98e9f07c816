/** Several workers at once on one piece of work, such as items of a shared iterator. */
import { setMaxListeners } from 'node:events'

/**
 * What ends one worker with an error ends the others: their signal aborts. All have ended when this does, so the caller can close
 * what they use.
 *
 * @param work is given a signal that aborts with the caller's, or with the error that ended another worker
 * @throws the error that ended the first worker
 */
export async function runWorkers(
  count: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const ended = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  // Each worker listens. Node takes more than ten listeners for a leak, and warns.
  setMaxListeners(0, ended)
  let failure: { readonly error: unknown } | undefined
  const workers = Array.from({ length: count }, () =>
    work(ended).catch((error: unknown) => {
      failure ??= { error }
      stop.abort(error)
    }),
  )
  await Promise.all(workers)
  if (failure !== undefined) throw failure.error
}

/** Works on all items, so many at a time. The first error is thrown at once; what is under way then goes on. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  const places = items.entries()
  const takeAll = async (): Promise<void> => {
    for (const [place, item] of places) results[place] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, takeAll))
  return results
}
