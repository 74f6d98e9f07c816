/** Searches of several sub-queries, made at random. */
import fc from 'fast-check'
import type { RankedList } from '../../../src/types.ts'
import { anyLists } from '../../fusion/lists.ts'

/** One list a sub-query. */
export const each = (lists: readonly RankedList[]): RankedList[][] => lists.map((one) => [one])

/** One to five sub-queries at one or two retrievers, ranks and scores with many ties. */
export const anySearch: fc.Arbitrary<RankedList[][]> = fc
  .tuple(anyLists, anyLists, fc.boolean())
  .map(([first, second, hybrid]) =>
    hybrid
      ? first.map((one, index) => {
          const other = second[index]
          return other === undefined ? [one] : [one, { ...other, retriever: 'dense' }]
        })
      : each([...first, ...second].slice(0, 5)),
  )
