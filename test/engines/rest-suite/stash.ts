/** What a test remembers of earlier answers, and how it names parts of them: `hits.hits.0._id`, `nodes.$master`. */
import { isObject, type JsonObject } from '../../../adapters/apps/drop-in/parse/json.ts'

/** By name; `body` is the last answer's. */
export type Stash = Record<string, unknown>

/** Stands for any key of an object, and gives its name. */
const anyKey = '_arbitrary_key_'

const embedded = /\$\{([^}]+)\}/g

export const isStashed = (text: unknown): text is string =>
  typeof text === 'string' && (text.startsWith('$') || text.search(embedded) !== -1)

/**
 * The part of a value that a path leads to; undefined where there is none. A point in a name is written `\.`.
 *
 * @throws Error where the path leads into a text, a number, or beyond the end of a list
 */
export function valueAt(whole: unknown, path: string, stash: Stash): unknown {
  const parts = path
    .split(/(?<!\\)\./)
    .map((part) => part.replaceAll('\\', ''))
    .filter((part) => part !== '')
  return parts.reduce<unknown>((value, part) => {
    if (value === undefined || value === null) return undefined
    const key = isStashed(part) ? String(stashedValue(part, stash)) : part
    if (isObject(value)) return key === anyKey ? Object.keys(value)[0] : value[key]
    if (!Array.isArray(value)) throw new Error(`${path}: there is nothing within ${String(value)}`)
    if (!(Number(key) < value.length)) throw new Error(`${path}: a list of ${value.length} has no ${key}`)
    return value[Number(key)]
  }, whole)
}

/** @throws Error where nothing is remembered under that name */
export function stashedValue(text: string, stash: Stash): unknown {
  if (text.startsWith('$') && text[1] !== '{') return remembered(text.slice(1), stash)
  return text.replace(embedded, (_, name: string) => String(remembered(name, stash)))
}

function remembered(path: string, stash: Stash): unknown {
  const value = valueAt(stash, path, {})
  if (value === undefined || value === null) throw new Error(`Nothing is remembered as ${path}`)
  return value
}

/** The value with what is remembered in place of its names. */
export function unstashed(value: unknown, stash: Stash): unknown {
  if (isStashed(value)) return stashedValue(value, stash)
  if (Array.isArray(value)) return value.map((item) => unstashed(item, stash))
  return isObject(value) ? unstashedObject(value, stash) : value
}

const unstashedObject = (object: JsonObject, stash: Stash): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      isStashed(key) ? String(stashedValue(key, stash)) : key,
      unstashed(value, stash),
    ]),
  )
