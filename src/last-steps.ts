/** The options of what comes last in a search: where it found nothing, and age. */
import { z } from 'zod'
import { count } from './config.ts'

export interface RelaxOptions {
  /** The fields whose conditions in the filter may be left out. Default: none, and filters always hold. */
  readonly droppable?: readonly string[] | undefined
  /** Fewer hits than these are as good as none: others follow behind them. Default: 1. */
  readonly minHits?: number | undefined
}

export const relaxSchema = z.union([
  z.boolean(),
  z.strictObject({
    droppable: z.array(z.string().min(1)).readonly().default([]),
    minHits: count.default(1),
  }),
])

export interface RecencyOptions {
  /**
   * The field with a document's date: a key of its metadata, or a path of keys with dots; before an engine, a field of its mapping. An
   * ISO date, or seconds or milliseconds since 1970. A document without one counts as new.
   */
  readonly field: string
  /** Days. Each of them that a document is older doubles its rank. */
  readonly halfLife: number
  /** `asked`: only where words of the query ask for what is new, such as "latest" or "this week". Default: `asked`. */
  readonly when?: 'asked' | 'always' | undefined
  /** Milliseconds since 1970, for tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

export const recencySchema = z.strictObject({
  field: z.string().min(1),
  halfLife: z.number().positive(),
  when: z.enum(['asked', 'always']).default('asked'),
  now: z.custom<() => number>((value) => typeof value === 'function', 'must be a function').optional(),
})
