/** The form, and the part of it that the address of the page keeps. */
import type { GivenTurn } from '../types.ts'
import { turnsIn } from './judgments.ts'

/** The ways in which a search is looked at. */
export const shapes = { after: 'Before → after', list: 'List', judge: 'Judge' } as const
export type Shape = keyof typeof shapes

export interface Form {
  readonly text: string
  readonly k: number
  /** The conversation. It is not in the address, which logs and histories keep. */
  readonly history: readonly GivenTurn[]
  /** The name of an optimizer to compare with. */
  readonly beside?: string | undefined
  readonly shape: Shape
}

const usualHits = 10
export const mostHits = 100

/**
 * The form of an address such as `?q=who+wrote+it&k=5`. What makes no sense there is left out.
 *
 * @param state what the history of the browser keeps beside the address: the conversation
 */
export function formOf(address: string, others: readonly string[], state?: unknown): Form {
  const parameters = new URLSearchParams(address)
  const k = Number(parameters.get('k') ?? usualHits)
  const beside = parameters.get('beside')
  const shape = parameters.get('view') ?? ''
  return {
    text: parameters.get('q') ?? '',
    k: Number.isInteger(k) && k >= 1 && k <= mostHits ? k : usualHits,
    history: turnsIn(state),
    shape: Object.hasOwn(shapes, shape) ? (shape as Shape) : 'after',
    ...(beside !== null && others.includes(beside) && { beside }),
  }
}

export function addressOf({ text, k, beside, shape }: Form): string {
  const parameters = new URLSearchParams({ q: text.trim() })
  if (k !== usualHits) parameters.set('k', String(k))
  if (beside !== undefined) parameters.set('beside', beside)
  if (shape !== 'after') parameters.set('view', shape)
  return `?${parameters}`
}
