/**
 * The policies that come with the package. `scripts/train-shipped.ts` trains them, each for the retrievers in its name, and one for
 * documents without titles.
 */
import { ownFile } from '../../src/runtime/own-file.ts'
import type { Retriever, RetrieverKind } from '../../src/types.ts'

export const shippedNames = ['bm25', 'bm25-untitled', 'dense', 'hybrid'] as const

export type ShippedName = (typeof shippedNames)[number]

/** The lists that these retrievers return, with their kinds. */
export const legsOf = (
  retrievers: readonly Pick<Retriever, 'name' | 'kind' | 'legs'>[],
): { readonly name: string; readonly kind: RetrieverKind }[] =>
  retrievers.flatMap(({ name, kind = 'lexical', legs = [{ name }] }) =>
    legs.map((leg) => ({ name: leg.name, kind: leg.kind ?? kind })),
  )

/** The shipped policy that fits the kinds of the searched lists; `bm25` if there are none. */
export function shippedFor(retrievers: readonly Pick<Retriever, 'name' | 'kind' | 'legs'>[]): ShippedName {
  const kinds = legsOf(retrievers).map(({ kind }) => kind)
  if (!kinds.includes('dense')) return 'bm25'
  return kinds.every((kind) => kind === 'dense') ? 'dense' : 'hybrid'
}

/** The path of the policy's file, beside the sources and beside the build. */
export const shippedPath = (name: ShippedName): string => ownFile(`./shipped/${name}.json`, import.meta.url)
