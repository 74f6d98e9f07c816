/** One text that the local policy may search, and what speaks for it. */

/** Where candidates come from. Of a kind there may be several. */
export const kinds = [
  'keywords',
  'part',
  'name',
  'carry-over',
  'expansion',
  'bridge',
  'bridge with the rest',
] as const

export type Kind = (typeof kinds)[number]

export interface Candidate {
  readonly kind: Kind
  readonly text: string
  /** The docid of the document that it was made from. */
  readonly from?: string
  /** From 1: which of its kind. Carry-overs have places of their own; the others count those that are there. */
  readonly place: number
  /** How sure its maker is, 0 to 1. */
  readonly strength: number
  /** How its maker compares it with the best of its kind, 0 (the best) and below. */
  readonly gap: number
  /** 1 / rank, in the results of the query as it is, of the document that has it as its title; 0 where there is none. */
  readonly found: number
}
