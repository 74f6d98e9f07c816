import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { sum } from './common/sum.ts'

/**
 * Inverse square rank: h · Σ 1/rank² over the h lists that have the document.
 *
 * Mourão, Martins and Magalhães, [Multimodal medical information retrieval with unsupervised rank
 * fusion](https://doi.org/10.1016/j.compmedimag.2014.05.006), 2015.
 */
export function isr(): Fusion {
  return createFusion({
    name: 'isr',
    ranks: true,
    score: (entries) => entries.length * sum(entries.map(({ rank }) => 1 / rank ** 2)),
  })
}
