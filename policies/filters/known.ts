/** What is known of the fields: the values and ranges that the operator lists, or that the index has. */
import type { FieldValues, ValuesWanted } from '../../src/types.ts'
import type { Field } from './fields.ts'
import { normsOf } from './tokens.ts'

/** A value of a keyword field, with the words that mean it. */
export interface KnownValue {
  readonly field: Field
  readonly value: string
  readonly norms: readonly string[]
}

/** What a query can be read by. */
export interface Known {
  readonly fields: readonly Field[]
  /** By their first word, the longest first. */
  readonly valuesByWord: ReadonlyMap<string, readonly KnownValue[]>
  /** Of fields that the index has. */
  readonly ranges: ReadonlyMap<Field, FieldValues>
}

/** What to ask the index: what the operator does not list. */
export function wantedOf(
  fields: readonly Field[],
): { readonly field: Field; readonly wanted: ValuesWanted }[] {
  return fields.flatMap((field): { field: Field; wanted: ValuesWanted }[] => {
    const { name } = field
    if (field.type === 'keyword')
      return field.values === undefined ? [{ field, wanted: { field: name, of: 'values' } }] : []
    if (field.type === 'flag') return []
    if (field.type === 'number' && field.min !== undefined && field.max !== undefined) return []
    return [{ field, wanted: { field: name, of: 'range' } }]
  })
}

/** @param found what the index has, by field */
export function knownOf(fields: readonly Field[], found: ReadonlyMap<Field, FieldValues>): Known {
  const valuesByWord = new Map<string, KnownValue[]>()
  for (const field of fields) {
    for (const one of field.type === 'keyword' ? meaningsOf(field, found.get(field)) : []) {
      const others = valuesByWord.get(one.norms[0]!)
      if (others === undefined) valuesByWord.set(one.norms[0]!, [one])
      else others.push(one)
    }
  }
  for (const values of valuesByWord.values())
    values.sort((one, other) => other.norms.length - one.norms.length)
  const ranges = new Map(fields.flatMap((field) => rangeOf(field, found.get(field))))
  return { fields, valuesByWord, ranges }
}

/** The range of a field, if one is known. Numbers and dates must be what the index has. */
function rangeOf(field: Field, found: FieldValues = {}): [Field, FieldValues][] {
  if (field.type === 'keyword' || field.type === 'flag') return []
  const listed: { readonly min?: number | undefined; readonly max?: number | undefined } =
    field.type === 'number' ? field : {}
  const { min = found.min, max = found.max } = listed
  if (min === undefined || max === undefined) return []
  const type = field.type === 'date' ? 'string' : 'number'
  return typeof min === type && typeof max === type ? [[field, { min, max }]] : []
}

function meaningsOf(field: Field & { readonly type: 'keyword' }, found: FieldValues = {}): KnownValue[] {
  const listed = field.values
  const words: readonly (readonly [string, readonly string[]])[] =
    listed === undefined
      ? (found.values ?? []).flatMap((value) => (typeof value === 'string' ? [[value, []] as const] : []))
      : Array.isArray(listed)
        ? listed.map((value: string) => [value, []] as const)
        : Object.entries(listed as Readonly<Record<string, readonly string[]>>)
  return words.flatMap(([value, others]) =>
    [value, ...others].flatMap((meaning) => {
      const norms = normsOf(meaning)
      return norms.length === 0 ? [] : [{ field, value, norms }]
    }),
  )
}
