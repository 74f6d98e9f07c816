/** What the local policy chose from: the details of its decision in a trace. */
import { z } from 'zod'

export interface Considered {
  /** Every text that could have been searched, the most probable first. */
  readonly candidates: readonly {
    readonly text: string
    /** The docid of the document that it was made from. */
    readonly from?: string
    /** Where it comes from: `name`, `bridge`, `carry-over` … */
    readonly kind: string
    /** Of all choices with it together. */
    readonly probability: number
  }[]
  /** How many choices there were. */
  readonly choices: number
  /** The most probable ones, best first. */
  readonly best: readonly {
    /** Texts that would have voted; empty for the original query alone. */
    readonly subQueries: readonly string[]
    readonly withOriginal: boolean
    readonly probability: number
  }[]
  /** What set the first apart from the original query alone, the strongest first: the feature and what it added to the score. */
  readonly inputs: readonly { readonly name: string; readonly part: number }[]
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
})

/** The details of a decision, if they are the local policy's. */
export const consideredIn = (details: unknown): Considered | undefined => schema.safeParse(details).data
