/** What a setting is: a flag of a command, and a key of `querent.json`. */
import type { z } from 'zod'
import { QuerentError } from '../../errors.ts'
import type { EngineDefinitions } from './engine-definition.ts'

export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  /** What follows the flag: `<dir>`. Empty for a flag without a value. */
  readonly argument: string
  /** One or two lines of help, with the default. Absent: the flag is offered with `--no-` alone. */
  readonly description?: string
  /** The help of the flag with `--no-` in front, which is `false`. Absent: there is none. */
  readonly negation?: string
  /** Whether the flag may come several times. */
  readonly isRepeated?: boolean
}

/** The settings of a command as its help shows them: heading → key → setting. A flag is its key in kebab case. */
export type SettingGroups = Readonly<Record<string, Readonly<Record<string, Setting>>>>

type AllOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type FieldsOf<Groups extends SettingGroups> = AllOf<Groups[keyof Groups]>

/** All that can be typed after a command's name. */
export interface CommandSettings<Groups extends SettingGroups = SettingGroups> {
  readonly groups: Groups
  /** What can be typed, each with what it does. */
  readonly examples: readonly (readonly [typed: string, meaning: string])[]
  /** Whether the one argument is a query, which several words are after forgotten quotes. */
  readonly isQuery?: boolean
}

/** What a user set. An absent key was not set: the code that needs the value knows the default. */
export type ValuesOf<Groups extends SettingGroups> = {
  readonly [Name in keyof FieldsOf<Groups>]?:
    | (FieldsOf<Groups>[Name] extends Setting<infer Schema> ? z.output<Schema> : never)
    | undefined
} & {
  /** The clusters that the file defines under `retrievers`, by name. */
  readonly engines?: EngineDefinitions | undefined
}

export const setting = <Schema extends z.ZodType>(
  schema: Schema,
  argument: string,
  description: string,
  others: Pick<Setting, 'negation' | 'isRepeated'> = {},
): Setting<Schema> => ({ schema, argument, description, ...others })

/** The settings of all groups by key. */
export const settingsIn = (groups: SettingGroups): Readonly<Record<string, Setting>> =>
  Object.assign({}, ...Object.values(groups))

/** How a setting is typed: `--max-sub-queries`. */
export const flagOf = (name: string): string =>
  name === 'k' ? '-k' : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** A setting that the command cannot do without. @throws QuerentError `bad-config` where it was not set */
export function required<Settings extends object, Name extends keyof Settings & string>(
  settings: Settings,
  name: Name,
): NonNullable<Settings[Name]> {
  const value = settings[name]
  if (value !== undefined && value !== null) return value
  throw new QuerentError('bad-config', `${flagOf(name)} is missing`, {
    remedy: 'Add it: --help shows examples.',
  })
}
