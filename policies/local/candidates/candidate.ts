/** A text that the local policy may search, and its features. */

/** The sources of candidates. A kind may have several candidates. */
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
  /** The docid of the document that the text was made from. */
  readonly from?: string
  /**
   * The candidate's number within its kind, from 1. A carry-over's number is fixed; the other kinds number the candidates that
   * exist.
   */
  readonly place: number
  /** The maker's confidence, 0 to 1. */
  readonly strength: number
  /** The maker's score relative to the best of its kind: 0 for the best, negative for the others. */
  readonly gap: number
  /** 1 / rank, in the original query's results, of the document with this text as its title; 0 if none has it. */
  readonly found: number
}
