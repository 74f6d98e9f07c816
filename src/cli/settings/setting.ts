/** A setting: a key of `querent.json` and of `--set`. Those that change between two runs are flags, too. */
import type { z } from 'zod'
import { QuerentError } from '../../errors.ts'
import type { EngineDefinitions } from './engine-definition.ts'

export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  /** The value in the help: `<dir>`. Empty for a flag without a value. */
  readonly argument: string
  /** One or two lines of help, with the default. Absent: only the flag with `--no-` exists. */
  readonly description?: string
  /** Whether there is a flag of this name. */
  readonly isFlag: boolean
  /** The help of the flag with `--no-`, which sets `false`. Absent: there is no such flag. */
  readonly negation?: string
  /** Whether the flag may come several times. */
  readonly isRepeated?: boolean
}

/** The settings of a command as in its help: heading → key → setting. A flag is its key in kebab case. */
export type SettingGroups = Readonly<Record<string, Readonly<Record<string, Setting>>>>

type AllOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type FieldsOf<Groups extends SettingGroups> = AllOf<Groups[keyof Groups]>

/** The settings of a command, and the examples of its help. */
export interface CommandSettings<Groups extends SettingGroups = SettingGroups> {
  readonly groups: Groups
  /** Commands, each with its purpose, as they stand in the help. */
  readonly examples: string
}

/** The values that the user set. The code that needs a value knows its default. */
export type ValuesOf<Groups extends SettingGroups> = {
  readonly [Name in keyof FieldsOf<Groups>]?:
    | (FieldsOf<Groups>[Name] extends Setting<infer Schema> ? z.output<Schema> : never)
    | undefined
} & {
  /** The clusters that the file defines under `retrievers`, by name. */
  readonly engines?: EngineDefinitions | undefined
}

/** The settings of all groups by key. */
export const settingsIn = (groups: SettingGroups): Readonly<Record<string, Setting>> =>
  Object.assign({}, ...Object.values(groups))

/** How a key is written as a flag: `--max-sub-queries`. */
export const dashed = (name: string): string =>
  name === 'k' ? '-k' : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** The key of a flag, also of one with `--no-`. */
export const keyOf = (flag: string): string =>
  flag.replace(/^--?(no-)?/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The flags of a setting as commander declares them, each with its help. */
export function flagsOf(
  name: string,
  { isFlag, argument, description, negation }: Setting,
): { readonly flag: string; readonly argument: string; readonly description: string }[] {
  const flag = dashed(name)
  return [
    ...(isFlag && description !== undefined ? [{ flag, argument, description }] : []),
    ...(negation === undefined
      ? []
      : [{ flag: `--no-${flag.slice(2)}`, argument: '', description: negation }]),
  ]
}

/** A setting that the command needs. @throws QuerentError `bad-config` if it is not set */
export function required<Settings extends object, Name extends keyof Settings & string>(
  settings: Settings,
  name: Name,
): NonNullable<Settings[Name]> {
  const value = settings[name]
  if (value !== undefined && value !== null) return value
  throw new QuerentError('bad-config', `${dashed(name)} is missing`, {
    remedy: 'Add it. --help shows examples.',
  })
}

/** The members that are set. */
export const given = <Options extends object>(options: Options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>
  }

/** @throws QuerentError `bad-config` where settings do not go together */
export function refuse(isWrong: boolean, what: string, remedy: string): void {
  if (isWrong) throw new QuerentError('bad-config', what, { remedy })
}
