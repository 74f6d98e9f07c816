import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { sum } from './common/sum.ts'

/**
 * Logarithmic ISR with σ: ln(h + σ) · Σ 1/rank² over the h lists that have the document. Unlike in log-isr, documents of only
 * one list keep their order.
 *
 * Mourão, Martins and Magalhães, [Multimodal medical information retrieval with unsupervised rank
 * fusion](https://doi.org/10.1016/j.compmedimag.2014.05.006), 2015.
 *
 * @param options.sigma from 0 to 1. Default: 0.01
 * @throws QuerentError `bad-config` for another sigma
 */
export function lognIsr(options?: { readonly sigma?: number }): Fusion {
  const { sigma } = parseConfig(schema, options, 'logn-isr')
  return createFusion({
    name: 'logn-isr',
    ranks: true,
    score: (entries) => Math.log(entries.length + sigma) * sum(entries.map(({ rank }) => 1 / rank ** 2)),
  })
}

const schema = z.strictObject({ sigma: z.number().min(0).max(1).default(0.01) }).prefault({})
