/**
 * `filter_path`: which parts of an answer the caller wants. Engines filter what they send; an answer that was made of
 * several is filtered here, by the same rules: names with points between them, `*` within a name, `**` for any number of
 * names, `-` before a pattern that leaves out. Lists are seen through, and what becomes empty is gone.
 */
import { isObject, type JsonObject, listOf } from './json.ts'

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
  if (patterns.some(isAtEnd)) return value
  return descend(
    value,
    (name, inner) => keep(inner, after(name, patterns)),
    (item) => keep(item, patterns),
  )
}

/** All but what the patterns reach. */
function drop(value: unknown, patterns: readonly Pattern[]): unknown {
  if (patterns.some(isAtEnd)) return undefined
  if (patterns.length === 0 || !(isObject(value) || Array.isArray(value))) return value
  return descend(
    value,
    (name, inner) => drop(inner, after(name, patterns)),
    (item) => drop(item, patterns),
  )
}

function descend(
  value: unknown,
  under: (name: string, inner: unknown) => unknown,
  within: (item: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) {
    const items = value.map(within).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (!isObject(value)) return undefined
  const entries = Object.entries(value)
    .map(([name, inner]) => [name, under(name, inner)] as const)
    .filter(([, inner]) => inner !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** What is left of the patterns under a name. */
function after(name: string, patterns: readonly Pattern[]): Pattern[] {
  return patterns.flatMap((pattern): Pattern[] => {
    const [first, ...rest] = pattern
    if (first === undefined) return []
    if (first === '**') return [pattern, ...after(name, [rest])]
    return matches(first, name) ? [rest] : []
  })
}

/** `**` at the end reaches everything below. */
const isAtEnd = (pattern: Pattern): boolean => pattern.length === 0 || pattern.every((part) => part === '**')

function matches(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name
  const source = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${source.join('.*')}$`, 's').test(name)
}
