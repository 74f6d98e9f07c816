/** `querent.json`: settings that are always the same. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QuerentError } from '../../errors.ts'

/** Found by itself in the folder where `querent` is called. */
const usualName = 'querent.json'

export interface ConfigFile {
  /** As messages name it. */
  readonly path: string
  readonly content: unknown
}

/**
 * Reads the file that `--config` names, or the `querent.json` of the folder, if there is one.
 *
 * @param named `false` after `--no-config`: no file is read
 * @throws QuerentError `missing-file` for a file that `--config` names and that cannot be read; `bad-config` for a file that
 *   is not JSON
 */
export function readConfigFile(named: string | false | undefined, folder = ''): ConfigFile | undefined {
  if (named === false) return undefined
  const place = named ?? join(folder, usualName)
  if (named === undefined && !existsSync(place)) return undefined
  const path = named ?? usualName
  let text: string
  try {
    text = readFileSync(place, 'utf8')
  } catch (cause) {
    throw new QuerentError('missing-file', `The configuration file ${path} cannot be read`, { cause })
  }
  try {
    return { path, content: JSON.parse(withoutMark(text)) }
  } catch (cause) {
    throw new QuerentError('bad-config', `${path} is not JSON: ${(cause as Error).message}`, {
      remedy: `Write one JSON object${named === undefined ? ', or add --no-config' : ''}.`,
      cause,
    })
  }
}

/** A text without the byte order mark that some editors put before it. */
export const withoutMark = (content: string): string => content.replace(/^\ufeff/, '')
