/** Kinds of values in requests: what they must be, in the same words wherever they are sent. */
import { z } from 'zod'
import { queryLimit } from '../../../src/config.ts'

/** What is wrong with a body that is not one JSON object. */
export const oneObject: { error: (issue: { readonly code?: string }) => string | undefined } = {
  error: ({ code }) => (code === 'invalid_type' ? 'must be one JSON object' : undefined),
}

/** The query of the user. */
export const queryText = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be text') })
  .max(...queryLimit)

/** A turn of a conversation, or what the search is for. */
export const wordsText = z.string('must be text').max(...queryLimit)

export const count = (max: number) =>
  z.int('must be a whole number').min(1, 'must be 1 or more').max(max, `must be ${max} or less`)

/** Maximum number of documents that a search leaves out: that of `SearchOptions`. */
const maxExcluded = 1000

/** Documents that a search leaves out. */
export const excluded = z
  .array(z.string('must be a docid'), 'must be a list of docids')
  .max(maxExcluded, `must have ${maxExcluded} docids at most`)
