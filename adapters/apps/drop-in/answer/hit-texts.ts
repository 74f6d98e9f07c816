/**
 * The title and the text of a hit, which the local policy reads. They are in `_source`; where the caller's body leaves
 * that out, or a part of it, the same values are asked for as `fields`, beside, and taken out again.
 */
import type { Document } from '../../../../src/types.ts'
import { isObject, type JsonObject, listOf, without } from '../json.ts'
import { withoutInnerHits } from '../run/reach.ts'
import { matches } from './wildcard.ts'

/** Where a hit's texts are, for indices whose names do not tell. */
export interface TextFields {
  /** Default: the first of `title`, `name`, `headline`, `heading`, `subject` that a hit has. */
  readonly title?: string | undefined
  /** Default: the fields that the body searches; where they are not kept in hits, `text`, `body`, `content` and the like. */
  readonly text?: readonly string[] | undefined
}

export interface HitTexts {
  /** The body that brings the texts; the same one where it does already. */
  ask(body: JsonObject): JsonObject
  /** The body that brings the texts and nothing else of a hit. */
  askAlone(body: JsonObject): JsonObject
  /** Undefined where a hit has no text. */
  documentOf(docid: string, hit: JsonObject): Document | undefined
  /** The hit without what was asked for beside. */
  restore(hit: JsonObject): JsonObject
}

/** For policies that read no documents. */
export const noTexts: HitTexts = {
  ask: (body) => body,
  askAlone: (body) => ({ ...plainly(body), _source: false }),
  documentOf: () => undefined,
  restore: (hit) => hit,
}

/** What of a body says what hits bring along. */
const ofHits = [
  ...['_source', 'fields', 'stored_fields', 'docvalue_fields', 'script_fields', 'highlight', 'explain'],
  ...['version', 'seq_no_primary_term'],
]

/** The body without what its hits bring along. */
function plainly(body: JsonObject): JsonObject {
  const { query, ...rest } = without(body, ...ofHits)
  return { ...rest, query: withoutInnerHits(query) }
}

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

/**
 * @param body the caller's
 * @param searched the fields that it searches; patterns are of no use
 */
export function hitTexts(body: JsonObject, searched: readonly string[], chosen: TextFields): HitTexts {
  const isWhole = (body._source === undefined && body.stored_fields === undefined) || body._source === true
  const titles = chosen.title === undefined ? titleNames : [chosen.title]
  const plain = searched.filter((name) => !name.includes('*'))
  const texts = chosen.text ?? plain.filter((name) => !titles.includes(baseOf(name)))
  const wanted = [...new Set([...titles, ...(chosen.text ?? [...plain, ...textNames])])]
  const asked = fieldsOf(body)
  const added = isWhole ? [] : wanted.filter((name) => !asked.some((pattern) => matches(pattern, name)))

  /** A field that others are copied to holds the title, too. */
  function textOf(hit: JsonObject, names: readonly string[], title?: string): string {
    return names
      .flatMap((name) => valuesOf(hit, name))
      .filter((value) => value !== title)
      .join(' ')
  }

  return {
    ask: (from) =>
      added.length === 0 ? from : { ...from, fields: [...listOf(from.fields ?? []), ...added] },

    askAlone: (from) =>
      // Where no name tells which fields are the texts, all of them may be.
      isWhole && plain.length === 0 && chosen.text === undefined
        ? plainly(from)
        : { ...plainly(from), _source: false, fields: wanted },

    documentOf(docid, hit) {
      const title = titles.map((name) => textOf(hit, [name])).find((text) => text !== '')
      const text =
        textOf(hit, texts, title) ||
        (chosen.text === undefined ? textOf(hit, textNames, title) || longTexts(hit, titles) : '')
      if (title === undefined && text === '') return undefined
      return title === undefined ? { docid, text } : { docid, title, text }
    },

    restore: (hit) =>
      added.length === 0 ? hit : withoutIn(withoutIn(hit, 'fields', added), 'ignored_field_values', added),
  }
}

/** `title.english` is another view of `title`. */
const baseOf = (name: string): string => name.split('.')[0]!

/** What a hit has under `fields` by the caller's own wish, as names and patterns. */
function fieldsOf({ fields, docvalue_fields, stored_fields, script_fields, collapse }: JsonObject): string[] {
  const listed = [fields, docvalue_fields, stored_fields].flatMap((list) =>
    listOf(list ?? []).flatMap(nameOf),
  )
  return [...listed, ...Object.keys(isObject(script_fields) ? script_fields : {}), ...nameOf(collapse)]
}

/** The hit without these names in a part of it, which is gone where nothing is left of it. */
function withoutIn(hit: JsonObject, part: string, names: readonly string[]): JsonObject {
  const all = hit[part]
  if (!isObject(all)) return hit
  const left = without(all, ...names)
  return Object.keys(left).length > 0 ? { ...hit, [part]: left } : without(hit, part)
}

/** A field of a body's `fields`: a name, or an object with one. */
function nameOf(field: unknown): string[] {
  const name = isObject(field) ? field.field : field
  return typeof name === 'string' ? [name] : []
}

/** The texts of a field: of `fields`, or of `_source`, where a multi-field is its field. */
function valuesOf(hit: JsonObject, name: string): string[] {
  const given = isObject(hit.fields) ? textsIn(hit.fields[name]) : []
  if (given.length > 0) return given
  for (let path = name; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    const found = textsAt(hit._source, path)
    if (found.length > 0) return found
  }
  return []
}

/** Objects may be nested, or flat with points in their keys, or both. */
function textsAt(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, path))
  if (!isObject(value)) return []
  const own = Object.hasOwn(value, path) ? textsIn(value[path]) : []
  if (own.length > 0) return own
  for (let point = path.indexOf('.'); point !== -1; point = path.indexOf('.', point + 1)) {
    const head = path.slice(0, point)
    const found = Object.hasOwn(value, head) ? textsAt(value[head], path.slice(point + 1)) : []
    if (found.length > 0) return found
  }
  return []
}

const textsIn = (value: unknown): string[] => listOf(value).filter((one) => typeof one === 'string')

/** Whatever long texts a hit has, where no name tells which is its text: identifiers and labels are shorter. */
const longTexts = ({ _source: source }: JsonObject, titles: readonly string[]): string =>
  isObject(source)
    ? Object.entries(source)
        .filter(([name, value]) => !titles.includes(name) && typeof value === 'string' && value.length > 40)
        .map(([, value]) => value)
        .join(' ')
    : ''
