/** Short labels and colors of the texts that were searched, so that the parts of the page can refer to each other. */
import type { SubQuery } from '../types.ts'
import type { RoundView } from './view.ts'

export interface Label {
  /** `Q` for the user's words, then numbers in the order of searching. */
  readonly mark: string
  /** A color of the style sheet: 0 for the user's words, else 1 to 8. Marks tell apart what has the same color. */
  readonly color: number
}

export type LabelOf = (subQuery: Pick<SubQuery, 'text' | 'round'>) => Label

const colors = 8

/** Gives every searched text a label. */
export function labelsOf(rounds: readonly RoundView[]): LabelOf {
  const labels = new Map<string, Label>()
  for (const { subQueries } of rounds) {
    for (const subQuery of subQueries) {
      if (subQuery.round > 0 && !labels.has(subQuery.text)) {
        const place = labels.size
        labels.set(subQuery.text, { mark: String(place + 1), color: (place % colors) + 1 })
      }
    }
  }
  const original = { mark: 'Q', color: 0 }
  return ({ text, round }) => (round === 0 ? original : (labels.get(text) ?? original))
}
