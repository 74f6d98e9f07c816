/**
 * `filter_path`: the parts of an answer that the caller wants. Engines filter their own answers. Querent filters composed
 * answers, by the same rules: dots between names, `*` within a name, `**` for one or more names, `-` before a pattern that
 * excludes. Patterns apply to each item of a list. Parts that become empty are removed.
 */
import { isObject, type JsonObject, listOf } from '../json.ts'
import { matches } from './wildcard.ts'

type Pattern = readonly string[]

/** @param filter comma-separated as in the URL, or a list; undefined keeps everything */
export function filterPath(answer: JsonObject, filter: unknown): JsonObject {
  const all = listOf(filter ?? [])
    .flatMap((part) => String(part).split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const leftOut = all.filter((part) => part.startsWith('-')).map((part) => split(part.slice(1)))
  const wanted = all.filter((part) => !part.startsWith('-')).map(split)
  const kept = wanted.length === 0 ? answer : keep(answer, wanted)
  const left = leftOut.length === 0 ? kept : drop(kept, leftOut)
  return isObject(left) ? left : {}
}

/** A backslash before a dot makes it part of a name. */
const split = (pattern: string): Pattern =>
  pattern.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'))

/** Keeps only what the patterns match. Undefined if nothing is left. */
function keep(value: unknown, patterns: readonly Pattern[]): unknown {
  if (!isObject(value) && !Array.isArray(value)) return undefined
  const kept = mapped(value, (inner, name) => {
    const left = name === undefined ? patterns : after(name, patterns)
    return left.some(isAtEnd) ? inner : keep(inner, left)
  })
  return isEmpty(kept) ? undefined : kept
}

/** Removes what the patterns match. Undefined if nothing is left. A value that was empty before stays. */
function drop(value: unknown, patterns: readonly Pattern[]): unknown {
  if (patterns.length === 0 || !(isObject(value) || Array.isArray(value)) || isEmpty(value)) return value
  const left = mapped(value, (inner, name) => {
    const further = name === undefined ? patterns : after(name, patterns)
    return further.some(isAtEnd) ? undefined : drop(inner, further)
  })
  return isEmpty(left) ? undefined : left
}

/** Maps the values of a list or object. Values that become undefined are removed. Items of a list have no name. */
function mapped(
  value: JsonObject | readonly unknown[],
  map: (inner: unknown, name: string | undefined) => unknown,
): JsonObject | readonly unknown[] {
  if (Array.isArray(value))
    return value.map((item) => map(item, undefined)).filter((item) => item !== undefined)
  const entries = Object.entries(value).map(([name, inner]) => [name, map(inner, name)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined))
}

const isEmpty = (value: JsonObject | readonly unknown[]): boolean => Object.keys(value).length === 0

/**
 * The rest of each pattern below a name. `**` stands for one or more names. Duplicates are removed, or the patterns would double
 * with each name.
 */
function after(name: string, patterns: readonly Pattern[]): Pattern[] {
  const left = patterns.flatMap((pattern): Pattern[] => {
    const [first, ...rest] = pattern
    if (first === '**') return [rest, pattern]
    return first !== undefined && matches(first, name) ? [rest] : []
  })
  return [...new Map(left.map((pattern) => [JSON.stringify(pattern), pattern])).values()]
}

const isAtEnd = (pattern: Pattern): boolean => pattern.length === 0
