/** The settings of a command: from its flags, else from `--set`, else from the file. */
import { z } from 'zod'
import { QuerentError } from '../../errors.ts'
import { isObject, jsonOf } from '../../runtime/json.ts'
import type { ConfigFile } from './config-file.ts'
import { type EngineDefinitions, engineKey, withoutEngines } from './engine-definition.ts'
import { dashed, type SettingGroups, settingsIn } from './setting.ts'

/** Values by key, with the types of `ValuesOf`. */
export type Values = Readonly<Record<string, unknown>> & { readonly engines?: EngineDefinitions }

/** @throws QuerentError `bad-config` that names the flag */
export function settingsOfFlags(groups: SettingGroups, flags: Readonly<Record<string, unknown>>): Values {
  return parse(groups, flags, dashed)
}

/**
 * The settings of a file, with those of `--set` in their place. All commands share a file: keys of other commands are ignored.
 *
 * @param set each `key=value` that was typed
 * @param others the keys of all commands; called only for a key that this command does not have
 * @throws QuerentError `bad-config` that names the file or `--set`, and the key
 */
export async function settingsOfFile(
  groups: SettingGroups,
  { path, content }: ConfigFile,
  set: readonly string[],
  others: () => Promise<ReadonlySet<string>>,
): Promise<Values> {
  const own = Object.keys(settingsIn(groups))
  // Editors look for the schema of the file under this key.
  const { $schema: _, ...written } = parseRecord(content, path)
  const foreign = Object.keys(written).filter((key) => !own.includes(key))
  const known = foreign.length === 0 ? undefined : await others()
  for (const key of foreign) if (!known?.has(key)) throw unknownKey(`${path}: ${key}`, key, own)
  const typed = typedValues(groups, set, written)
  const { engines, others: plain } = withoutEngines({ ...written, ...typed }, placeOf(engineKey))
  const mine = Object.fromEntries(Object.entries(Object(plain)).filter(([key]) => own.includes(key)))
  return { ...parse(groups, mine, placeOf), ...(engines && { engines }) }

  function placeOf(key: string): string {
    return Object.hasOwn(typed, key) ? `--set ${key}` : `${path}: ${key}`
  }
}

/** What `--set` says, by top-level key. A dotted key sets a value in the object that the file has there. */
function typedValues(
  groups: SettingGroups,
  set: readonly string[],
  written: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const own = settingsIn(groups)
  const typed: Record<string, unknown> = {}
  for (const one of set) {
    const [, dotted, text] = /^([^=]+)=(.*)$/s.exec(one) ?? []
    if (dotted === undefined || text === undefined)
      throw new QuerentError('bad-config', `--set ${one} has no value`, {
        remedy: 'Write --set key=value, such as --set chatTimeout=5s.',
      })
    const [key, ...inside] = dotted.split('.') as [string, ...string[]]
    if (!Object.hasOwn(own, key)) throw unknownKey(`--set ${key}`, key, Object.keys(own))
    const isRead = (value: unknown): boolean =>
      inside.length > 0 || isObject(value) || own[key]!.schema.safeParse(value).success
    const value = valueIn(text, isRead)
    typed[key] =
      inside.length === 0 ? value : within(typed[key] ?? written[key], inside, value, `--set ${key}`)
  }
  return typed
}

/** A copy of an object with this value at the path. @throws QuerentError `bad-config` for a path through something else */
function within(outer: unknown, [first, ...rest]: readonly string[], value: unknown, place: string): unknown {
  if (first === undefined) return value
  if (outer !== undefined && !isObject(outer))
    throw new QuerentError('bad-config', `${place} is not an object, so ${first} cannot be set in it`)
  const inner = Object.hasOwn(outer ?? {}, first) ? outer?.[first] : undefined
  return { ...outer, [first]: within(inner, rest, value, `${place}.${first}`) }
}

/** JSON if it can be read as such, else the text itself. */
function valueIn(text: string, isRead: (value: unknown) => boolean): unknown {
  const value = jsonOf(text)
  return value !== undefined && isRead(value) ? value : text
}

function unknownKey(place: string, key: string, own: readonly string[]): QuerentError {
  const nearest = own.toSorted((one, other) => distance(key, one) - distance(key, other))[0]
  return new QuerentError('bad-config', `${place} is not a setting`, {
    remedy: `The nearest one is ${nearest}. --help lists them.`,
  })
}

/** How many letters differ: the fewest insertions, deletions and replacements. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (const [line, letter] of [...one.toLowerCase()].entries()) {
    const next = [line + 1]
    for (const [place, target] of [...other.toLowerCase()].entries())
      next.push(Math.min(row[place]! + (letter === target ? 0 : 1), row[place + 1]! + 1, next[place]! + 1))
    row = next
  }
  return row.at(-1)!
}

function parseRecord(content: unknown, path: string): Readonly<Record<string, unknown>> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(content)
  if (parsed.success && !Array.isArray(content)) return parsed.data
  throw new QuerentError('bad-config', `${path}: its content must be one JSON object`, {
    remedy: 'Write an object such as {"index": "my-index"}.',
  })
}

function parse(
  groups: SettingGroups,
  values: Readonly<Record<string, unknown>>,
  place: (key: string) => string,
): Values {
  const own = settingsIn(groups)
  const problems: string[] = []
  const read = Object.entries(values).map(([key, value]) => {
    const parsed = own[key]!.schema.safeParse(value)
    if (!parsed.success)
      problems.push(...parsed.error.issues.map(({ message }) => `${place(key)} ${message}`))
    return [key, parsed.data]
  })
  if (problems.length > 0) throw new QuerentError('bad-config', problems.join('; '))
  return Object.fromEntries(read)
}
