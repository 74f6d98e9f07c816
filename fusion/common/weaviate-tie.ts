import type { Method } from './create-fusion.ts'

/** Weaviate's ties: scores closer than 1e-7 are ordered by the raw score in the last list that has the document. */
export const weaviateTie: NonNullable<Method['tie']> = {
  within: 1e-7,
  value: (entries) => entries.at(-1)!.raw,
}
