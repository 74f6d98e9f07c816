/** The alternatives that the local policy considered: the details of its decision in a trace. */
import { z } from 'zod'

export interface Considered {
  /** Every text that the policy could have searched, the most probable first. */
  readonly candidates: readonly {
    readonly text: string
    /** The docid of the document that the text was made from. */
    readonly from?: string
    /** The kind of the candidate: `name`, `bridge`, `carry-over` … */
    readonly kind: string
    /** The total probability of all choices with this text. */
    readonly probability: number
  }[]
  /** The number of choices. */
  readonly choices: number
  /** The most probable choices, best first. */
  readonly best: readonly {
    /** The texts that would vote; empty for the original query alone. */
    readonly subQueries: readonly string[]
    readonly withOriginal: boolean
    readonly probability: number
  }[]
  /**
   * The features that set the chosen set apart from the original query alone, strongest first, with their difference in score.
   * Empty if the query is left alone.
   */
  readonly inputs: readonly { readonly name: string; readonly part: number }[]
  /**
   * What the best set would bring, as the gate predicts it: the mean of nDCG@10 and recall@5, from 0 to 1, less that of the original
   * query. Absent if the policy has no gate, or if nothing else could be searched.
   */
  readonly gain?: number
}

const schema: z.ZodType<Considered> = z.object({
  candidates: z.array(
    z.object({
      text: z.string(),
      from: z.string().exactOptional(),
      kind: z.string(),
      probability: z.number(),
    }),
  ),
  choices: z.number(),
  best: z.array(
    z.object({ subQueries: z.array(z.string()), withOriginal: z.boolean(), probability: z.number() }),
  ),
  inputs: z.array(z.object({ name: z.string(), part: z.number() })),
  gain: z.number().exactOptional(),
})

/** The details of a decision; undefined if they are not the local policy's. */
export const consideredIn = (details: unknown): Considered | undefined => schema.safeParse(details).data
