/** What waits until a test says that it may go on. */
import type { Retriever } from '../../src/types.ts'
import { hits } from './scripted.ts'

export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
}

export function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Finds these once it is released, or never. `asked` resolves to the signal that it was asked with. */
export function heldRetriever(
  ...docids: readonly string[]
): Retriever & { readonly asked: Promise<AbortSignal>; release(): void } {
  const [asked, released] = [deferred<AbortSignal>(), deferred()]
  return {
    name: 'held',
    asked: asked.promise,
    release: released.resolve,
    async retrieve(subQueries, { signal }) {
      asked.resolve(signal!)
      await released.promise
      return subQueries.map((subQuery) => ({ retriever: 'held', subQuery, hits: hits(...docids) }))
    },
  }
}
