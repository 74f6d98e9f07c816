/** Short labels and colors of the texts that were searched, so that the parts of the page can refer to each other. */
import type { SubQuery } from '../types.ts'
import type { RoundView } from './view.ts'

export interface Label {
  /** `Q` for the user's words, numbers in the order of searching, `+` for what only adds documents to re-rank. */
  readonly mark: string
  /** A color of the style sheet: 0 for the user's words and for `+`, else 1 to 8. Marks tell apart what has the same color. */
  readonly color: number
}

export type LabelOf = (subQuery: Pick<SubQuery, 'text' | 'round'>) => Label

const colors = 8
const original = { mark: 'Q', color: 0 }
const extra = { mark: '+', color: 0 }

/** Gives every searched text a label. @param voting whose lists were fused; all, while that is not known */
export function labelsOf(rounds: readonly RoundView[], voting?: readonly SubQuery[]): LabelOf {
  const votes = voting && new Set(voting.map(({ text }) => text))
  const labels = new Map<string, Label>()
  for (const { subQueries } of rounds) {
    for (const { text, round } of subQueries) {
      if (round === 0 || labels.has(text) || votes?.has(text) === false) continue
      const place = labels.size
      labels.set(text, { mark: String(place + 1), color: (place % colors) + 1 })
    }
  }
  return ({ text, round }) => (round === 0 ? original : (labels.get(text) ?? extra))
}
