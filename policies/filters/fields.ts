/** The fields that an operator lets queries filter by. */
import { z } from 'zod'
import { normsOf } from './tokens.ts'
import { fieldUnit, type Unit } from './units.ts'

/** `is`: a value, or one of several. `not`: none of them. `above`, `below`: bounds, strict or not. */
export type FilterOperator = 'is' | 'not' | 'above' | 'below'

interface SharedOptions {
  /** Words that name the field in a query. Default: the words of its key, such as "release year" of `releaseYear`. */
  readonly words?: readonly string[] | undefined
  /** What queries may ask of the field. Default: all that its type allows. */
  readonly operators?: readonly FilterOperator[] | undefined
}

/** A field with texts that are compared as a whole. */
export interface KeywordField extends SharedOptions {
  readonly type: 'keyword'
  /** Its values, or each value with the words that mean it beside its own. Default: the values that the index has. */
  readonly values?: readonly string[] | Readonly<Record<string, readonly string[]>> | undefined
}

export interface NumberField extends SharedOptions {
  readonly type: 'number'
  /** A currency code, which is never converted, a measure such as `kg`, which is, or any word, such as `stars`. Default: none. */
  readonly unit?: string | undefined
  /** The least and the greatest value. Default: those that the index has. */
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** `date`: texts in ISO's form, or a cluster's dates. `year`: numbers. */
export interface TimeField extends SharedOptions {
  readonly type: 'date' | 'year'
}

/** A field that is true or false. Its words say that it is true. */
export interface FlagField extends SharedOptions {
  readonly type: 'flag'
}

export type FilterField = KeywordField | NumberField | TimeField | FlagField

/**
 * Field → what it is. A text is short for its type, or for a number with that unit: `{ brand: 'keyword', price: 'EUR' }`. Keys are
 * those of the metadata; before a cluster, fields of the mapping.
 */
export type FilterFields = Readonly<Record<string, FilterField | string>>

const words = z.array(z.string().min(1)).readonly().optional()
const operatorsOf = <Names extends readonly [FilterOperator, ...FilterOperator[]]>(...names: Names) =>
  z
    .array(z.enum(names))
    .min(1)
    .readonly()
    .default([...names])
const bound = z.number().optional()

const field = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('keyword'),
    words,
    operators: operatorsOf('is', 'not'),
    values: z
      .union([
        z.array(z.string().min(1)).min(1).readonly(),
        z.record(z.string().min(1), z.array(z.string().min(1)).readonly()),
      ])
      .optional(),
  }),
  z.strictObject({
    type: z.literal('number'),
    words,
    operators: operatorsOf('is', 'above', 'below'),
    unit: z.string().min(1).optional(),
    min: bound,
    max: bound,
  }),
  z.strictObject({ type: z.enum(['date', 'year']), words, operators: operatorsOf('is', 'above', 'below') }),
  z.strictObject({ type: z.literal('flag'), words, operators: operatorsOf('is', 'not') }),
])

const types = ['keyword', 'number', 'date', 'year', 'flag']

export const filterFieldsSchema = z
  .record(
    z.string().min(1),
    z.preprocess(
      (given) =>
        typeof given !== 'string'
          ? given
          : types.includes(given)
            ? { type: given }
            : { type: 'number', unit: given },
      field,
    ),
  )
  .refine((fields) => Object.keys(fields).length > 0, 'must name a field')

/** A field, prepared for reading. */
export type Field = z.output<typeof field> & {
  readonly name: string
  /** The phrases that name it, each as normalized words, the longest first. */
  readonly names: readonly (readonly string[])[]
  readonly measure: Unit | undefined
}

export const fieldsOf = (given: z.output<typeof filterFieldsSchema>): Field[] =>
  Object.entries(given).map(([name, one]) => ({
    ...one,
    name,
    names: (one.words ?? [wordsOfKey(name)])
      .map(normsOf)
      .filter((phrase) => phrase.length > 0)
      .sort((one, other) => other.length - one.length),
    measure: one.type === 'number' && one.unit !== undefined ? fieldUnit(one.unit) : undefined,
  }))

/** The words of a key: "release year" of `product.releaseYear.keyword`. */
function wordsOfKey(key: string): string {
  const last = key
    .replace(/\.(?:keyword|raw)$/, '')
    .split('.')
    .at(-1)!
  return last.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/[_-]+/g, ' ')
}
