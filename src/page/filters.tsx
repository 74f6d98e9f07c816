/** Words of the query that were read as filters, and what became of them. */
import { filterWords } from '../condition-words.ts'
import type { ReadFilter } from '../types.ts'

export function Filters({ read }: { readonly read: readonly ReadFilter[] }) {
  if (read.length === 0) return null
  return (
    <ul aria-label="Filters that were read out of your words">
      {read.map((filter) => (
        <li key={filter.words}>{filterWords(filter)}</li>
      ))}
    </ul>
  )
}
