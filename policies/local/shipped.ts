/** The policies that the package brings: `scripts/train-shipped.ts` trains them, each for the retrievers of its name. */
import { fileURLToPath } from 'node:url'
import type { Retriever } from '../../src/types.ts'
import { isDense } from './rerank/pool.ts'

export const shippedNames = ['bm25', 'dense', 'hybrid'] as const

export type ShippedName = (typeof shippedNames)[number]

/** The names of the lists that these retrievers give. */
export const legNames = (retrievers: readonly Pick<Retriever, 'name' | 'legs'>[]): string[] =>
  retrievers.flatMap(({ name, legs }) => legs ?? [name])

/** Which of them fits, by the names of the lists that are searched; `bm25` where there are none. */
export function shippedFor(retrievers: readonly string[]): ShippedName {
  if (!retrievers.some(isDense)) return 'bm25'
  return retrievers.every(isDense) ? 'dense' : 'hybrid'
}

/** Where its file is: beside the sources, and beside what was built from them. */
export function shippedPath(name: ShippedName): string {
  return fileURLToPath(new URL(`./shipped/${name}.json`, import.meta.url))
}
