/** Which fields of a hit a body asks for, and which fields hold the texts of hits. */
import { isObject, type JsonObject, listOf } from './json.ts'

/** The fields with a hit's texts, for indices with uncommon field names. */
export interface TextFields {
  /** Default: the first of `title`, `name`, `headline`, `heading`, `subject` that a hit has. */
  readonly title?: string | undefined
  /** Default: the fields that the body searches. If hits do not contain these: `text`, `body`, `content` and similar names. */
  readonly text?: readonly string[] | undefined
}

/** Common names of the field with a title, and of those with texts. */
export const titleNames = ['title', 'name', 'headline', 'heading', 'subject']
export const textNames = [
  'text',
  'body',
  'content',
  'contents',
  'description',
  'abstract',
  'passage',
  'summary',
]

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
