/**
 * Sets of sub-queries whatever the query: which slots are filled, and whether the query as it is votes. That is what a policy
 * sees that knows no context, so it is read off the same inputs.
 */

import { actionInputs, shapeInputs } from '../../policies/local/actions.ts'
import type { ActionSpace } from '../../policies/local/decision.ts'
import { countBits } from '../../src/learn/bits.ts'

/** Bits: the first is the query as it is, each further one a slot. */
export type Template = number

const prefix = 'has '
const slots = shapeInputs.flatMap((input, column) =>
  input.startsWith(prefix) ? [{ name: input.slice(prefix.length), column }] : [],
)

export const slotNames: readonly string[] = slots.map(({ name }) => name)

/** The query as it is, alone. */
export const asIs: Template = 1

/** The template of each choice. */
export function templatesOf({ choices, features }: Pick<ActionSpace, 'choices' | 'features'>): Int32Array {
  return Int32Array.from(choices, ({ withOriginal }, choice) => {
    let template = withOriginal ? asIs : 0
    slots.forEach(({ column }, slot) => {
      if (features[choice * actionInputs.length + column]! > 0) template |= 2 << slot
    })
    return template
  })
}

/** Whether a template has a slot, by its place in `slotNames`. */
export const hasSlot = (template: Template, slot: number): boolean => (template & (2 << slot)) !== 0

/**
 * The choice that makes most of a template: of those that fill none but its slots, and let the query as it is vote as it does,
 * the one with the most slots; of equal ones the first. The query as it is where nothing can be made.
 */
export function madeOf(template: Template, templates: Int32Array): number {
  let best = 0
  let most = -1
  templates.forEach((made, choice) => {
    if ((made & ~template) !== 0 || (made & asIs) !== (template & asIs)) return
    const filled = countBits(made)
    if (filled > most) [best, most] = [choice, filled]
  })
  return best
}

/** In words: `the query + names + bridge 1`. */
export function describeTemplate(template: Template): string {
  const parts = slotNames.filter((_, slot) => hasSlot(template, slot))
  return [...((template & asIs) !== 0 ? ['the query'] : []), ...parts].join(' + ')
}
