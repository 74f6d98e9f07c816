/**
 * `filter_path`: which parts of an answer the caller wants. Engines filter what they send; an answer that was made of
 * several is filtered here, by the same rules: names with points between them, `*` within a name, `**` for one or more
 * names, `-` before a pattern that leaves out. Lists are seen through, and what becomes empty is gone.
 */
import { isObject, type JsonObject, listOf } from '../json.ts'
import { matches } from './wildcard.ts'

type Pattern = readonly string[]

/** @param filter as in the URL, with commas, or a list; undefined keeps everything */
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

/** A point of a name is written with a backslash before it. */
const split = (pattern: string): Pattern =>
  pattern.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'))

/** Only what the patterns reach; undefined where that is nothing. */
function keep(value: unknown, patterns: readonly Pattern[]): unknown {
  if (!isObject(value) && !Array.isArray(value)) return undefined
  const kept = mapped(value, (inner, name) => {
    const left = name === undefined ? patterns : after(name, patterns)
    return left.some(isAtEnd) ? inner : keep(inner, left)
  })
  return isEmpty(kept) ? undefined : kept
}

/** All but what the patterns reach; undefined where that leaves nothing. What was empty before stays. */
function drop(value: unknown, patterns: readonly Pattern[]): unknown {
  if (patterns.length === 0 || !(isObject(value) || Array.isArray(value)) || isEmpty(value)) return value
  const left = mapped(value, (inner, name) => {
    const further = name === undefined ? patterns : after(name, patterns)
    return further.some(isAtEnd) ? undefined : drop(inner, further)
  })
  return isEmpty(left) ? undefined : left
}

/** The same list or object with other values; what becomes undefined is gone. Items of a list have no name. */
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

/** What is left of the patterns under a name: `**` stands for one name or more. Each once, or they would double name by name. */
function after(name: string, patterns: readonly Pattern[]): Pattern[] {
  const left = patterns.flatMap((pattern): Pattern[] => {
    const [first, ...rest] = pattern
    if (first === '**') return [rest, pattern]
    return first !== undefined && matches(first, name) ? [rest] : []
  })
  return [...new Map(left.map((pattern) => [JSON.stringify(pattern), pattern])).values()]
}

const isAtEnd = (pattern: Pattern): boolean => pattern.length === 0
