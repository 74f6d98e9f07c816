/** Queries in groups that are looked at by themselves, each with some queries. */
import type { Example } from '../../policies/local/training/example.ts'
import { type QueryType, queryTypes } from './query-type.ts'
import type { QueryGroup } from './study.ts'

/** All queries together, as one group. */
export const allQueries = (examples: readonly Example[]): QueryGroup => ({
  name: 'all queries',
  examples: [...examples.keys()],
})

/** In the order in which the collections come. */
export const byCollection = (examples: readonly Example[]): QueryGroup[] =>
  groupsBy(examples, ({ collection }) => collection)

/** @param types one a query */
export const byType = (types: readonly QueryType[]): QueryGroup[] =>
  Object.keys(queryTypes)
    .map((name) => ({ name, examples: [...types.keys()].filter((index) => types[index] === name) }))
    .filter(({ examples }) => examples.length > 0)

/** By how many documents are relevant. */
export const byGolds = (examples: readonly Example[]): QueryGroup[] =>
  sorted(
    groupsBy(examples, ({ golds }) =>
      golds.size >= 4
        ? '4 or more relevant documents'
        : golds.size === 1
          ? '1 relevant document'
          : `${golds.size} relevant documents`,
    ),
  )

/** Where the query as it is has all that is relevant among its first documents, there is little to win. */
const easyDepth = 10

/** Easy and hard ones. */
export const byDifficulty = (examples: readonly Example[]): QueryGroup[] =>
  sorted(
    groupsBy(examples, ({ lists, golds }) => {
      const first = new Set(lists.flatMap(({ hits }) => hits.slice(0, easyDepth).map(({ docid }) => docid)))
      return [...golds.keys()].every((docid) => first.has(docid)) ? 'easy' : 'hard'
    }),
  )

function groupsBy(examples: readonly Example[], nameOf: (example: Example) => string): QueryGroup[] {
  const groups = new Map<string, number[]>()
  examples.forEach((example, index) => {
    const name = nameOf(example)
    groups.set(name, [...(groups.get(name) ?? []), index])
  })
  return [...groups].map(([name, own]) => ({ name, examples: own }))
}

const sorted = (groups: readonly QueryGroup[]): QueryGroup[] =>
  [...groups].sort((a, b) => (a.name < b.name ? -1 : 1))
