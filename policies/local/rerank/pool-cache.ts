/**
 * Features of pools: reads their documents and compares them with the question. The last ones are cached, because re-ranking often
 * needs the pool that the decision has read, and always documents of it.
 */
import { isDeepStrictEqual } from 'node:util'
import type { DocumentOf } from '../../../src/reranker.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import { compareDocument, type PoolDocument } from './compare-document.ts'
import { featuresOf, type PoolFeatures } from './features.ts'
import { poolAtHand, type Retrieved } from './pool.ts'
import { type Question, readQuestion } from './question.ts'

/** A pool as the networks see it. */
export interface PoolView {
  readonly question: Question
  readonly retrieved: Retrieved
  readonly reads: readonly ParsedDocument[]
  readonly features: PoolFeatures
}

/** A query that is being searched, with what was read for it. */
interface Searched {
  readonly query: Pick<Query, 'text' | 'history'>
  readonly lexicon: Lexicon
  readonly question: Question
  /** As long as the reader or the last view has the document. */
  readonly compared: WeakMap<ParsedDocument, PoolDocument>
  view?: PoolView
}

/** At most so many searches are remembered for each reader. What is forgotten is computed again. */
const maxSearches = 16

const searches = new WeakMap<Reader, Searched[]>()

/** The question of a query. Call `reader.begin()` before. */
export const questionOf = (query: Query, reader: Reader): Question => searchedOf(query, reader).question

/** The pool of these lists. Call `reader.begin()` before. */
export function viewPool(
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  reader: Reader,
): PoolView {
  const searched = searchedOf(query, reader)
  const { question, compared, lexicon, view: last } = searched
  const { retrieved, documents } = poolAtHand(query, lists, documentOf)
  const reads = documents.map((document) => reader.read(document))
  const isRead = reads.length === last?.reads.length && reads.every((read, row) => read === last.reads[row])
  if (last !== undefined && isRead && isDeepStrictEqual(last.retrieved, retrieved)) return last
  function compare(read: ParsedDocument): PoolDocument {
    const known = compared.get(read)
    if (known !== undefined) return known
    const made = compareDocument(read, question, lexicon)
    compared.set(read, made)
    return made
  }
  const features = featuresOf(question, retrieved, reads, lexicon, compare)
  searched.view = { question, retrieved, reads, features }
  return searched.view
}

function searchedOf({ text, history = [] }: Query, reader: Reader): Searched {
  const { lexicon } = reader
  const asked = { text, history }
  const all = searches.get(reader) ?? []
  searches.set(reader, all)
  const known = all.find(({ query, lexicon: own }) => own === lexicon && isDeepStrictEqual(query, asked))
  if (known !== undefined) return known
  const made = { query: asked, lexicon, question: readQuestion(asked, lexicon), compared: new WeakMap() }
  all.push(made)
  if (all.length > maxSearches) all.shift()
  return made
}
