/**
 * Fields: which of them a body asks for, which hold the texts of hits, and of what kinds they are. A `match` on a keyword or a number is
 * a condition, and one on a text is a question.
 */
import { isObject, type JsonObject, listOf, matches, namesIn } from './json.ts'

/**
 * `text`: a text field in every searched index. `partly`: some of the indices do not have it. `none`: no index has it. Otherwise at
 * least one index has it with another type. A pattern is `text` if one of its fields is.
 */
export type FieldKind = 'text' | 'partly' | 'none' | ValueField

/** A field that holds values, or may: what it is, as the end of "this field is …". */
export interface ValueField {
  readonly is: string
}

export const isValues = (kind: FieldKind | undefined): kind is ValueField => typeof kind === 'object'

/** The kind of a field or pattern. Undefined if unknown. */
export type KindOf = (field: string) => FieldKind | undefined

/** The types of text fields. Engines report families of types: `match_only_text` is `text`. */
const textTypes = new Set(
  namesIn('text match_only_text search_as_you_type annotated_text semantic_text semantic'),
)

/** The kind of a field or pattern, from the answer to `_field_caps`. */
export function kindIn(caps: JsonObject, field: string): FieldKind {
  if (!field.includes('*')) return kindOfTypes(Object.hasOwn(caps, field) ? caps[field] : {})
  const names = Object.keys(caps).filter(
    (name) => matches(field, name) && !name.startsWith('_') && !isExact(name),
  )
  const kinds = names.map((name) => kindOfTypes(caps[name]))
  const first = kinds.includes('text') ? 'text' : kinds.find(isValues)
  return first ?? (kinds.includes('partly') ? 'partly' : 'none')
}

/** The kind of a field, from its types in the searched indices. */
export function kindOfTypes(types: unknown): FieldKind {
  const names = Object.keys(isObject(types) ? types : {})
  const mapped = names.filter((name) => name !== 'unmapped')
  if (mapped.length === 0) return 'none'
  const [other] = mapped.filter((name) => !textTypes.has(name))
  if (other !== undefined) {
    const text = mapped.find((name) => textTypes.has(name))
    if (text !== undefined) return { is: `${text} in one index and ${other} in another` }
    return { is: `${/^[aeiou]/.test(other) ? 'an' : 'a'} ${other} field` }
  }
  return mapped.length === names.length ? 'text' : 'partly'
}

/** Names of multi-fields that are searched for a whole value, whatever their type. */
const exactNames = new Set(['keyword', 'raw', 'exact', 'untouched', 'verbatim', 'sort'])

/** What such a field is. */
export const exact: ValueField = { is: 'a field for whole values, by its name' }

export const isExact = (field: string): boolean =>
  field.includes('.') && exactNames.has(field.slice(field.lastIndexOf('.') + 1).toLowerCase())

/** Common names of the field with a title, and of those with texts. */
export const titleNames = namesIn('title name headline heading subject')
export const textNames = namesIn('text body content contents description abstract passage summary')

/** Common names of text fields. `name` and `subject` are not among them: their values may come from a short list. */
const ofTexts = new Set([...titleNames, ...textNames].filter((name) => name !== 'name' && name !== 'subject'))

/** The kind of a field if the engine does not report it: `text` if the application or the field's name says so. */
export function kindByName(field: string, { title, text = [] }: TextFields): FieldKind {
  if (isExact(field)) return exact
  if (field === title || text.includes(field)) return 'text'
  return ofTexts.has(field.split('.')[0]!) ? 'text' : { is: 'not known to be text' }
}

/** The fields with a hit's texts, for indices with uncommon field names. */
export interface TextFields {
  /** Default: the first of `title`, `name`, `headline`, `heading`, `subject` that a hit has. */
  readonly title?: string | undefined
  /** Default: the fields that the body searches. If hits do not contain these: `text`, `body`, `content` and similar names. */
  readonly text?: readonly string[] | undefined
}

export const isPattern = (name: string): boolean => name.includes('*')

/** The patterns with `*` that the caller's body lists for what its hits have. Each is compared with every searched field. */
export function patternsOf(body: JsonObject): string[] {
  const { includes = [], excludes } = sourceOf(body)
  return [...fieldsOf(body), ...includes, ...excludes].filter(isPattern)
}

/** The names and patterns of the parts of `_source` that hits have. Without `includes`, they have all but `excludes`. */
export function sourceOf({ _source: source, stored_fields: stored }: JsonObject): {
  readonly includes?: readonly string[]
  readonly excludes: readonly string[]
} {
  if (source === undefined ? stored === undefined : source === true) return { excludes: [] }
  if (!isObject(source)) return { includes: textsIn(source), excludes: [] }
  // Engines also know the singular.
  const listed = (...keys: readonly string[]) => keys.flatMap((key) => textsIn(source[key]))
  const [includes, excludes] = [listed('includes', 'include'), listed('excludes', 'exclude')]
  return { ...(includes.length > 0 && { includes }), excludes }
}

/** The names and patterns that the caller's body lists for the hits' `fields`. */
export function fieldsOf({
  fields,
  docvalue_fields,
  stored_fields,
  script_fields,
  collapse,
}: JsonObject): string[] {
  const listed = [fields, docvalue_fields, stored_fields].flatMap((list) =>
    listOf(list ?? []).flatMap(nameOf),
  )
  return [...listed, ...Object.keys(isObject(script_fields) ? script_fields : {}), ...nameOf(collapse)]
}

/** The name of an entry of a body's `fields`: the entry itself, or its `field`. */
function nameOf(field: unknown): string[] {
  const name = isObject(field) ? field.field : field
  return typeof name === 'string' ? [name] : []
}

export const textsIn = (value: unknown): string[] => listOf(value).filter((one) => typeof one === 'string')
