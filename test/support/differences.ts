/** Where two JSON values differ: the structure, not the text. */
import { isObject } from '../../adapters/apps/drop-in/parse/json.ts'

export interface Difference {
  /** With points between keys. */
  readonly path: string
  /** `undefined` where it is absent. */
  readonly before: unknown
  readonly after: unknown
}

/** Every leaf, and every missing or additional part, by path, in the order of the first one. */
export function differences(before: unknown, after: unknown, path: readonly string[] = []): Difference[] {
  if (Array.isArray(before) && Array.isArray(after))
    return indices(Math.max(before.length, after.length)).flatMap((place) =>
      differences(before[place], after[place], [...path, String(place)]),
    )
  if (isObject(before) && isObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      differences(ownOf(before, key), ownOf(after, key), [...path, key]),
    )
  return areSame(before, after) ? [] : [{ path: path.join('.'), before, after }]
}

/** Numbers of a lossless parser are told by their digits. */
function areSame(before: unknown, after: unknown): boolean {
  const areNumbers = [before, after].every((one) => typeof one === 'object' && one !== null && !isObject(one))
  return Object.is(before, after) || (areNumbers && String(before) === String(after))
}

const indices = (count: number): readonly number[] => [...Array(count).keys()]

/** Of its own: every object has a `constructor`. */
const ownOf = (object: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined
