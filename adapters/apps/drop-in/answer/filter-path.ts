/**
 * `filter_path`: the parts of an answer that the caller wants. Engines filter their own answers. Querent filters composed
 * answers, by the same rules: dots between names, `*` within a name, `**` for one or more names, `-` before a pattern that
 * excludes. Patterns apply to each item of a list. Parts that become empty are removed.
 */
import { isObject, type JsonObject, matches } from '../parse/json.ts'
import { filtersIn } from '../parse/parameters.ts'

/** A name of a pattern, and the rest of the pattern below it. */
interface Pattern {
  readonly name: string
  /** Undefined if the pattern ends with this name. */
  readonly rest: Pattern | undefined
}

/** @param filter comma-separated as in the URL, or a list; undefined keeps everything */
export function filterPath(answer: JsonObject, filter: unknown): JsonObject {
  const all = filtersIn(filter)
  const leftOut = all.filter((part) => part.startsWith('-')).map((part) => read(part.slice(1)))
  const wanted = all.filter((part) => !part.startsWith('-')).map(read)
  const kept = wanted.length === 0 ? answer : keep(answer, placeOf(wanted))
  const left = leftOut.length === 0 ? kept : drop(kept, placeOf(leftOut))
  return isObject(left) ? left : {}
}

/** A backslash before a dot makes it part of a name. */
const read = (pattern: string): Pattern | undefined =>
  pattern
    .split(/(?<!\\)\./)
    .reduceRight<Pattern | undefined>(
      (rest, name) => ({ name: name.replaceAll('\\.', '.'), rest }),
      undefined,
    )

/** A place of the answer: what is left of the patterns there. */
interface Place {
  /** Whether a pattern ends here. */
  readonly isEnd: boolean
  /** Whether no pattern leads further down. */
  readonly isLast: boolean
  /** The place below a name. */
  below(name: string): Place
}

/**
 * Hits have the same names, so each name is compared with the patterns once. Names that the same patterns match share one place.
 *
 * @param left undefined for a pattern that ends here
 */
function placeOf(left: readonly (Pattern | undefined)[]): Place {
  const patterns = left.filter((pattern) => pattern !== undefined)
  const named = patterns.filter(({ name }) => !isAny(name))
  // `**` stands for one or more names.
  const anywhere = patterns
    .filter(({ name }) => isAny(name))
    .flatMap((pattern) => (pattern.name === '*' ? [pattern.rest] : [pattern.rest, pattern]))
  const known = new Map<string, Place>()
  const shared = new Map<string, Place>()

  function find(name: string): Place {
    const found = named.flatMap((pattern, place) => (matches(pattern.name, name) ? [place] : []))
    const which = found.join()
    const place =
      shared.get(which) ?? placeOf([...new Set([...found.map((one) => named[one]!.rest), ...anywhere])])
    shared.set(which, place)
    return place
  }

  return {
    isEnd: patterns.length < left.length,
    isLast: patterns.length === 0,
    below(name) {
      const place = known.get(name) ?? find(name)
      known.set(name, place)
      return place
    },
  }
}

/** Whether a name of a pattern stands for each name. */
const isAny = (name: string): boolean => name === '*' || name === '**'

/** Keeps only what the patterns match. Undefined if nothing is left. */
function keep(value: unknown, place: Place): unknown {
  if (place.isEnd) return value
  if (place.isLast || !(isObject(value) || Array.isArray(value))) return undefined
  const kept = mapped(value, place, keep)
  return isEmpty(kept) ? undefined : kept
}

/** Removes what the patterns match. Undefined if nothing is left. A value that was empty before stays. */
function drop(value: unknown, place: Place): unknown {
  if (place.isEnd) return undefined
  if (place.isLast || !(isObject(value) || Array.isArray(value)) || isEmpty(value)) return value
  const left = mapped(value, place, drop)
  return isEmpty(left) ? undefined : left
}

/** Maps the values of a list or object. Values that become undefined are removed. Items of a list have no name. */
function mapped(
  value: JsonObject | readonly unknown[],
  place: Place,
  map: (inner: unknown, place: Place) => unknown,
): JsonObject | readonly unknown[] {
  if (Array.isArray(value)) return value.map((item) => map(item, place)).filter((item) => item !== undefined)
  const entries = Object.entries(value).map(([name, inner]) => [name, map(inner, place.below(name))] as const)
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined))
}

const isEmpty = (value: JsonObject | readonly unknown[]): boolean => Object.keys(value).length === 0
