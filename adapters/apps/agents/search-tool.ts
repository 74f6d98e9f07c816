/** What the search tools of all protocols and frameworks share: their options, their description, and the query. */
import { z } from 'zod'
import { count, countOrNone, having } from '../../../src/config.ts'
import type { GivenQuery } from '../../../src/types.ts'
import type { Searcher } from '../http/options.ts'
import type { Problem } from '../http/problem.ts'
import type { SearchInput } from './tool-schemas.ts'

export interface SearchToolOptions {
  /** Searches for all callers. */
  readonly optimizer: Searcher
  /** What can be found here, for the model that chooses tools: "the manuals of our printers". Default: nothing is said. */
  readonly about?: string | undefined
  /**
   * Whether a caller may send a filter, which goes to the retrievers unchanged. Default: false. A filter is written in the
   * language of the engine, and could ask for more than you intend.
   */
  readonly filter?: boolean | undefined
  /** The largest `k`. Default: 50. */
  readonly maxHits?: number | undefined
  /** Characters of a document that a hit shows. With 0, hits have titles alone. Default: 2000. */
  readonly maxText?: number | undefined
}

export const toolShape = {
  optimizer: having<Searcher>('an optimizer', 'search'),
  about: z.string().optional(),
  filter: z.boolean().default(false),
  maxHits: count.default(50),
  maxText: countOrNone.default(2000),
}

/** The sentence that tells a model what is searched. */
export const whatIsHere = (about: string | undefined): string =>
  about === undefined ? '' : ` What is searched: ${about}.`

export const describeSearch = (about: string | undefined): string =>
  `Finds documents. Ask complex questions whole: they are split into sub-queries here.${whatIsHere(about)} Pass the docids of what you have read as \`exclude\` to get further documents.`

/** `null` is the same as nothing: clients in strict mode send it for each argument that they do not want. */
export const queryOf = ({ query, conversation, intent, k, filter }: SearchInput): GivenQuery => ({
  text: query,
  ...(conversation && { history: conversation }),
  ...(typeof intent === 'string' && { intent }),
  ...(typeof k === 'number' && { k }),
  ...(filter !== undefined && filter !== null && { filter }),
})

/** What a model reads of a search that failed: no words of a backend. */
export const failureText = ({ detail, remedy }: Problem): string => `${detail.replace(/\.$/, '')}. ${remedy}`
