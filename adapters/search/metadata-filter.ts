/** A small filter on the metadata of documents, for the retrievers in this process. */
import { z } from 'zod'
import { QuerentError } from '../../src/errors.ts'

/** @inline */
type Value = string | number | boolean

/** Bounds of one type: numbers hold for numbers, texts for texts in the order of their code units, such as ISO dates. */
export interface Range {
  readonly gt?: string | number | undefined
  readonly gte?: string | number | undefined
  readonly lt?: string | number | undefined
  readonly lte?: string | number | undefined
}

/** A range of numbers. */
export type NumberRange = { readonly [Bound in keyof Range]: number | undefined }

/** What a field must be: a value, one of several, within bounds, or none of several. */
export type FieldCondition = Value | readonly Value[] | Range | { readonly not: Value | readonly Value[] }

/**
 * Field → condition. All must hold. A field is a key of the metadata, or a path of keys with dots. Types count: 7 is not "7".
 * Of a list, one element must meet the condition. A document without the field meets only `not`.
 */
export type MetadataFilter = Readonly<Record<string, FieldCondition>>

const value = z.union([z.string(), z.number(), z.boolean()])
const values = z.union([value, z.array(value).max(10_000).readonly()])
const bound = z.union([z.string(), z.number()]).optional()
const allowed = 'must be a value, a list of values, bounds (gt, gte, lt, lte) or {"not": …}'
const schema = z.record(
  z.string(),
  z.union(
    [
      values,
      z.strictObject({ not: values }),
      z
        .strictObject({ gt: bound, gte: bound, lt: bound, lte: bound })
        .refine((range) => Object.values(range).some((one) => one !== undefined)),
    ],
    allowed,
  ),
)

/** Zod leaves this field out of what it returns: the filter would let more pass than it says. */
const lost = '__proto__'

/** @throws QuerentError `bad-config` that names the field */
export function parseFilter(retriever: string, filter: unknown): MetadataFilter {
  const parsed = schema.safeParse(filter)
  if (!parsed.success) {
    const [field] = parsed.error.issues[0]!.path
    const isField = field !== undefined
    throw wrongFilter(
      retriever,
      isField ? `${JSON.stringify(field)} ${allowed}` : 'it is no object of fields',
    )
  }
  if (Object.hasOwn(filter as object, lost))
    throw wrongFilter(retriever, `${JSON.stringify(lost)} is no name of a field`)
  return parsed.data
}

const wrongFilter = (retriever: string, why: string): QuerentError =>
  new QuerentError('bad-config', `Retriever "${retriever}" cannot filter by this: ${why}`, {
    remedy: 'Write it like {"lang": "en", "year": {"gte": 2019}, "tag": {"not": ["draft"]}}.',
  })

/** A function that tells whether a value of the metadata, `undefined` if there is none, meets the condition. */
export function meeting(condition: FieldCondition): (found: unknown) => boolean {
  if (typeof condition === 'object' && 'not' in condition) {
    const isOne = meeting(condition.not)
    return (found) => !isOne(found)
  }
  const isMet = elementMeeting(condition)
  return (found) => (Array.isArray(found) ? found.some(isMet) : isMet(found))
}

function elementMeeting(condition: Value | readonly Value[] | Range): (element: unknown) => boolean {
  if (typeof condition !== 'object') return (element) => element === condition
  if (isList(condition)) {
    const wanted = new Set<unknown>(condition)
    return (element) => wanted.has(element)
  }
  const { gt, gte, lt, lte } = condition
  return (element) =>
    (gt === undefined || (typeof element === typeof gt && (element as typeof gt) > gt)) &&
    (gte === undefined || (typeof element === typeof gte && (element as typeof gte) >= gte)) &&
    (lt === undefined || (typeof element === typeof lt && (element as typeof lt) < lt)) &&
    (lte === undefined || (typeof element === typeof lte && (element as typeof lte) <= lte))
}

/** The bounds of a condition that are all numbers; `undefined` for any other condition. */
export function numberBounds(condition: FieldCondition): NumberRange | undefined {
  if (typeof condition !== 'object' || isList(condition) || 'not' in condition) return undefined
  const isOfNumbers = Object.values(condition).every((one) => one === undefined || typeof one === 'number')
  return isOfNumbers ? (condition as NumberRange) : undefined
}

/** `Array.isArray` does not tell readonly arrays apart. */
const isList = (condition: FieldCondition): condition is readonly Value[] => Array.isArray(condition)
