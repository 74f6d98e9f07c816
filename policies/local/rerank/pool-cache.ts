/**
 * Features of pools: reads their documents and compares them with the question. The last ones are cached, because re-ranking often
 * needs the pool that the decision has read, and always documents of it.
 */
import type { DocumentOf } from '../../../src/reranker.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import { compareDocument, type PoolDocument } from './compare-document.ts'
import { featuresOf, type PoolFeatures } from './features.ts'
import { type Candidate, poolAtHand, type Retrieved } from './pool.ts'
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
  if (last !== undefined && isSamePool(last, retrieved, reads)) return last
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
  const all = searches.get(reader) ?? []
  searches.set(reader, all)
  const known = all.find(
    ({ query, lexicon: own }) =>
      own === lexicon && query.text === text && isSameTalk(query.history!, history),
  )
  if (known !== undefined) return known
  const query = { text, history }
  const made = { query, lexicon, question: readQuestion(query, lexicon), compared: new WeakMap() }
  all.push(made)
  if (all.length > maxSearches) all.shift()
  return made
}

const isSameTalk = (one: NonNullable<Query['history']>, other: NonNullable<Query['history']>): boolean =>
  one.length === other.length &&
  one.every(({ role, text }, turn) => role === other[turn]!.role && text === other[turn]!.text)

/** Whether all that features are made of is the same. */
function isSamePool(last: PoolView, retrieved: Retrieved, reads: readonly ParsedDocument[]): boolean {
  const { candidates, lists, hasDense, hasOthers, lexical, dense } = last.retrieved
  return (
    reads.length === last.reads.length &&
    lists === retrieved.lists &&
    hasDense === retrieved.hasDense &&
    hasOthers === retrieved.hasOthers &&
    isSame(lexical, retrieved.lexical) &&
    isSame(dense, retrieved.dense) &&
    reads.every((read, row) => read === last.reads[row]) &&
    retrieved.candidates.every((candidate, row) => isSameCandidate(candidate, candidates[row]!))
  )
}

const isSameCandidate = (one: Candidate, other: Candidate): boolean =>
  one.docid === other.docid &&
  one.fused === other.fused &&
  one.high === other.high &&
  isSame(one.lexical, other.lexical) &&
  isSame(one.dense, other.dense) &&
  one.foundFrom.size === other.foundFrom.size &&
  [...one.foundFrom].every(([seed, rank]) => other.foundFrom.get(seed) === rank)

/** Whether two flat objects of the same shape are equal. */
function isSame<T extends object>(one: T, other: T): boolean {
  for (const key in one) if (one[key] !== other[key]) return false
  return true
}
