/**
 * The title and the text of a hit, which policies and re-rankers read. They are in `_source`. If the caller's body excludes all or
 * part of `_source`, Querent requests the same values as `fields` and removes them from the answer.
 *
 * Texts that may leave the process are only those that the body returns or searches. If it excludes parts of `_source`, only the
 * rest of `_source` is read: what is excluded may also be in a field that it is copied to.
 */
import type { Document } from '../../../../src/types.ts'
import {
  fieldsOf,
  isPattern,
  sourceOf,
  type TextFields,
  textNames,
  textsIn,
  titleNames,
} from '../parse/field-kinds.ts'
import { isObject, type JsonObject, listOf, matches, namesIn, without } from '../parse/json.ts'
import { withoutInnerHits } from './fetch-plan.ts'

export interface HitTexts {
  /** The body that returns the texts. The same object if it already does. */
  ask(body: JsonObject): JsonObject
  /** The body that returns only the texts of a hit. */
  askAlone(body: JsonObject): JsonObject
  /** Undefined if a hit has no text. */
  documentOf(docid: string, hit: JsonObject): Document | undefined
  /** The hit without the values that Querent requested in addition. */
  restore(hit: JsonObject): JsonObject
}

/** For policies that read no documents. */
export const noTexts: HitTexts = {
  ask: (body) => body,
  askAlone: (body) => ({ ...plainly(body), _source: false }),
  documentOf: () => undefined,
  restore: (hit) => hit,
}

/** Parts of a body that decide what each hit contains. */
const ofHits = namesIn(`
  _source fields stored_fields docvalue_fields script_fields highlight explain version seq_no_primary_term`)

/** The body without these parts. */
function plainly(body: JsonObject): JsonObject {
  const { query, ...rest } = without(body, ...ofHits)
  return { ...rest, query: withoutInnerHits(query) }
}

/** Levels of a field's name. An index has at most so many, unless its settings allow more. */
const maxLevels = 20

/**
 * @param body the caller's body
 * @param searched the names and patterns of the fields that the body searches; deeper names are ignored
 * @param leaves whether the texts may leave the process
 */
export function hitTexts(
  body: JsonObject,
  searched: readonly string[],
  chosen: TextFields,
  leaves = false,
): HitTexts {
  const { includes, excludes } = sourceOf(body)
  const isExcluding = leaves && excludes.length > 0
  const isWhole = includes === undefined && (leaves || excludes.length === 0)
  const [isIncluded, isExcluded] = [within(includes ?? []), within(excludes)]
  const own = [chosen.title ?? [], chosen.text ?? []].flat()
  // What the application names counts as searched.
  const isSearched = anyOf([...own, ...searched, ...searched.map(baseOf)])
  const isAsked = anyOf(fieldsOf(body))
  const isRead = (name: string): boolean =>
    !leaves || (!isExcluded(name) && (isWhole || isSearched(name) || isAsked(name) || isIncluded(name)))
  const titles = (chosen.title === undefined ? titleNames : [chosen.title]).filter(isRead)
  const usual = chosen.text === undefined ? textNames.filter(isRead) : []
  const plain = searched.filter(
    (name) => !isPattern(name) && name.split('.').length <= maxLevels && isRead(name),
  )
  const texts = chosen.text?.filter(isRead) ?? plain.filter((name) => !titles.includes(baseOf(name)))
  const wanted = [...new Set([...titles, ...(chosen.text === undefined ? [...plain, ...usual] : texts)])]
  const added = isWhole || isExcluding ? [] : wanted.filter((name) => !isAsked(name))
  const extra = new Set(added)

  /** Skips values that equal the title: a field that others are copied to holds the title, too. */
  function textOf(hit: JsonObject, names: readonly string[], title?: string): string {
    return names
      .flatMap((name) => valuesOf(hit, name))
      .filter((value) => value !== title)
      .join(' ')
  }

  return {
    ask: (from) =>
      added.length === 0 ? from : { ...from, fields: [...listOf(from.fields ?? []), ...added] },

    askAlone(from) {
      if (isExcluding) return { ...plainly(from), _source: body._source }
      // Without known text fields, any field may hold the text.
      return isWhole && plain.length === 0 && chosen.text === undefined
        ? plainly(from)
        : { ...plainly(from), _source: false, fields: wanted }
    },

    documentOf(docid, given) {
      const hit = isExcluding ? without(given, 'fields') : given
      const title = titles.map((name) => textOf(hit, [name])).find((text) => text !== '')
      const text =
        textOf(hit, texts, title) ||
        textOf(hit, usual, title) ||
        (chosen.text === undefined ? longTexts(hit, (name) => isRead(name) && !titles.includes(name)) : '')
      if (title === undefined && text === '') return undefined
      return title === undefined ? { docid, text } : { docid, title, text }
    },

    restore: (hit) =>
      added.length === 0 ? hit : withoutIn(withoutIn(hit, 'fields', extra), 'ignored_field_values', extra),
  }
}

/** The same texts, and beside each the values of a field, as the metadata of its document. They stay in this process. */
export function withField(texts: HitTexts, body: JsonObject, field: string): HitTexts {
  if (fieldsOf(body).includes(field)) return { ...texts, documentOf }
  const asking = (from: JsonObject): JsonObject => ({
    ...from,
    fields: [...listOf(from.fields ?? []), field],
  })
  const added = new Set([field])

  function documentOf(docid: string, hit: JsonObject): Document | undefined {
    const document = texts.documentOf(docid, hit)
    const value = isObject(hit.fields) ? hit.fields[field] : undefined
    return value === undefined ? document : { docid, text: '', ...document, metadata: { [field]: value } }
  }

  return {
    ask: (from) => asking(texts.ask(from)),
    askAlone: (from) => asking(texts.askAlone(from)),
    documentOf,
    restore: (hit) => withoutIn(texts.restore(hit), 'fields', added),
  }
}

/** The field of a multi-field: `title` for `title.english`. */
const baseOf = (name: string): string => name.split('.')[0]!

/** Tells whether one of these names and patterns stands for a name. Only patterns take time. */
function anyOf(listed: readonly string[]): (name: string) => boolean {
  const names = new Set(listed)
  const patterns = listed.filter(isPattern).map((pattern) => pattern.replace(/\*+/g, '*'))
  // A pattern that is more than twice as long has more letters than the name.
  const fits = (pattern: string, name: string): boolean =>
    pattern.length <= 2 * name.length + 1 && matches(pattern, name)
  return (name) => names.has(name) || patterns.some((pattern) => fits(pattern, name))
}

/** Tells whether a name, or an object that it is in, is one of these names and patterns. */
function within(listed: readonly string[]): (name: string) => boolean {
  const isNamed = anyOf(listed.filter((name) => !isPattern(name)))
  const isMatched = anyOf(listed.filter(isPattern).flatMap((pattern) => [pattern, `${pattern}.*`]))
  const isIn = (name: string): boolean =>
    isNamed(name) || (name.includes('.') && isIn(name.slice(0, name.lastIndexOf('.'))))
  return (name) => isIn(name) || isMatched(name)
}

/** The hit without these names in one of its parts. A part that becomes empty is removed. */
function withoutIn(hit: JsonObject, part: string, names: ReadonlySet<string>): JsonObject {
  const all = hit[part]
  if (!isObject(all)) return hit
  const left = Object.entries(all).filter(([name]) => !names.has(name))
  return left.length > 0 ? { ...hit, [part]: Object.fromEntries(left) } : without(hit, part)
}

/** The texts of a field, from `fields` or `_source`. In `_source`, the value of a multi-field stands under its field. */
function valuesOf(hit: JsonObject, name: string): string[] {
  const given = isObject(hit.fields) ? textsIn(hit.fields[name]) : []
  if (given.length > 0) return given
  const own = textsAt(hit._source, name)
  const point = name.lastIndexOf('.')
  return own.length > 0 || point <= 0 ? own : textsAt(hit._source, name.slice(0, point))
}

/** Reads nested objects, flat objects with dots in their keys, and mixtures of both. */
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

/** All long texts of a hit, if no name tells which field is the text. Identifiers and labels are shorter. */
const longTexts = ({ _source: source }: JsonObject, isRead: (name: string) => boolean): string =>
  isObject(source)
    ? Object.entries(source)
        .filter(([name, value]) => isRead(name) && typeof value === 'string' && value.length > 40)
        .map(([, value]) => value)
        .join(' ')
    : ''
