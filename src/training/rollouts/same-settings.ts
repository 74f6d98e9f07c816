/** Rollouts of a file are all made with the same settings: rewards of others could not be compared. */
import { isDeepStrictEqual } from 'node:util'
import { QuerentError } from '../../errors.ts'
import { cut } from '../../text/cut.ts'

type Settings = Readonly<Record<string, unknown>>

/**
 * @param made the settings of a line of the file
 * @param now those of this run
 * @throws QuerentError `bad-config` that names those that differ
 */
export function checkSameSettings(file: string, made: Settings, now: Settings): void {
  // As a line keeps them.
  const kept: Settings = JSON.parse(JSON.stringify(now))
  const names = new Set([...Object.keys(made), ...Object.keys(kept)])
  const others = [...names].filter((name) => !isDeepStrictEqual(made[name], kept[name]))
  if (others.length === 0) return
  const differences = others.map((name) => `${name}: ${shown(made[name])}, now ${shown(kept[name])}`)
  throw new QuerentError('bad-config', `${file} was made with other settings (${differences.join('; ')})`, {
    remedy: 'Name another file, or give the same settings.',
  })
}

/** A prompt template, for one, is too long to show. */
const shown = (value: unknown): string => (value === undefined ? 'none' : cut(JSON.stringify(value), 60))
