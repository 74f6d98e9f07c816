/** Bounds that a part of a query sets to a field, before they are a condition. */
import type { Condition } from '../../src/types.ts'
import type { Comparative, Comparison } from './comparatives.ts'
import type { Field, FilterOperator } from './fields.ts'
import type { Known } from './known.ts'
import { type Reading, withLeads } from './spans.ts'
import type { Token } from './tokens.ts'

/** A comparison read from the query, with a number or a time. */
export interface Bound<Value> {
  readonly comparison: Comparison
  readonly limit: Value
}

/** The part of a query that says it: from one token to another, the last one excluded. */
export interface Stretch {
  readonly tokens: readonly Token[]
  readonly known: Known
  readonly from: number
  readonly to: number
  /** What its comparative is about. Absent for two bounds, and where the comparative stands behind. */
  readonly about?: Comparative['about']
  /** The field that is named inside of it. */
  readonly named?: Field
}

type Parts = Readonly<Partial<Record<Comparison, string | number>>>

const operatorOf = (comparison: Comparison): FilterOperator =>
  comparison === 'is' ? 'is' : comparison.startsWith('g') ? 'above' : 'below'

/** The reading, if the operator allows it. */
export function readingOf(
  { tokens, from, to }: Stretch,
  field: Field,
  said: readonly Bound<unknown>[],
  { is, ...bounds }: Parts,
): Reading | undefined {
  const allowed: readonly FilterOperator[] = field.operators
  if (!said.every(({ comparison }) => allowed.includes(operatorOf(comparison)))) return undefined
  const condition: Condition = { field: field.name, ...(is === undefined ? bounds : { is: [is] }) }
  return { field, condition, from: withLeads(tokens, from), to }
}

export const only = (fields: readonly Field[]): Field | undefined =>
  fields.length === 1 ? fields[0] : undefined
