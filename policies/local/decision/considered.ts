/** What the local policy considered: the details of its decision in a trace. */
import { z } from 'zod'

export interface Considered {
  /** The plans for the query, the most promising first. Empty if there is none. */
  readonly plans: readonly {
    /** `conversation`, `parts` or `names and bridges`. */
    readonly plan: string
    readonly subQueries: readonly string[]
    /** Whether the original query votes with them. */
    readonly withOriginal: boolean
    /** What it should gain over the unchanged query: the mean of nDCG@10 and recall@5, from −1 to 1. */
    readonly gain: number
  }[]
  /** The gain that a plan must have to be searched. */
  readonly cost: number
  /** The features that raised or lowered the prediction for the first plan, the strongest first, as fractions of the same measure. */
  readonly inputs: readonly { readonly name: string; readonly part: number }[]
}

const schema: z.ZodType<Considered> = z.object({
  plans: z.array(
    z.object({
      plan: z.string(),
      subQueries: z.array(z.string()),
      withOriginal: z.boolean(),
      gain: z.number(),
    }),
  ),
  cost: z.number(),
  inputs: z.array(z.object({ name: z.string(), part: z.number() })),
})

/** The details of a decision; undefined if they are not the local policy's. */
export const consideredIn = (details: unknown): Considered | undefined => schema.safeParse(details).data
