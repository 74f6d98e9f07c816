/** The settings of a command, from its flags and from the file. Flags win. */
import { z } from 'zod'
import { QuerentError } from '../../errors.ts'
import type { ConfigFile } from './config-file.ts'
import { type EngineDefinitions, withoutEngines } from './engine-definition.ts'
import { flagOf, type SettingGroups, settingsIn } from './setting.ts'

/** Values by key, with the types of `ValuesOf`. */
export type Values = Readonly<Record<string, unknown>> & { readonly engines?: EngineDefinitions }

/** @throws QuerentError `bad-config` that names the flag */
export function settingsOfFlags(groups: SettingGroups, flags: Readonly<Record<string, unknown>>): Values {
  return parse(groups, flags, flagOf)
}

/**
 * The settings of a file. All commands share it: keys of other commands are ignored.
 *
 * @param others the keys of all commands; called only for a key that this command does not have
 * @throws QuerentError `bad-config` that names the file and the key
 */
export async function settingsOfFile(
  groups: SettingGroups,
  { path, content }: ConfigFile,
  others: () => Promise<ReadonlySet<string>>,
): Promise<Values> {
  const { engines, others: plain } = withoutEngines(content, path)
  // Editors look for the schema of the file under this key.
  const { $schema: _, ...record } = parseRecord(plain, path)
  const own = settingsIn(groups)
  const foreign = Object.keys(record).filter((key) => !Object.hasOwn(own, key))
  const known = foreign.length === 0 ? undefined : await others()
  const unknown = foreign.filter((key) => !known?.has(key))
  if (unknown.length > 0)
    throw new QuerentError(
      'bad-config',
      unknown.map((key) => `${path}: ${key} is not a setting`).join('; '),
      { remedy: `The settings of this command are ${Object.keys(own).join(', ')}.` },
    )
  const mine = Object.fromEntries(Object.entries(record).filter(([key]) => Object.hasOwn(own, key)))
  return { ...parse(groups, mine, (key) => `${path}: ${key}`), ...(engines && { engines }) }
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
