/** The form, and the part of it that the address of the page keeps. */
import type { GivenTurn } from '../types.ts'

export interface Form {
  readonly text: string
  readonly k: number
  /** The conversation. It is not in the address, which logs and histories keep. */
  readonly history: readonly GivenTurn[]
  /** The name of an optimizer that searches beside the first. */
  readonly beside?: string | undefined
}

const usualHits = 10
export const mostHits = 100

/** The form of an address such as `?q=who+wrote+it&k=5`. What makes no sense there is left out. */
export function formOf(address: string, others: readonly string[]): Form {
  const parameters = new URLSearchParams(address)
  const k = Number(parameters.get('k') ?? usualHits)
  const beside = parameters.get('beside')
  return {
    text: parameters.get('q') ?? '',
    k: Number.isInteger(k) && k >= 1 && k <= mostHits ? k : usualHits,
    history: [],
    ...(beside !== null && others.includes(beside) && { beside }),
  }
}

export function addressOf({ text, k, beside }: Form): string {
  const parameters = new URLSearchParams({ q: text.trim() })
  if (k !== usualHits) parameters.set('k', String(k))
  if (beside !== undefined) parameters.set('beside', beside)
  return `?${parameters}`
}
