/** `querent.json`: settings that stay the same. */
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError } from '../../errors.ts'

/** Read from the working folder without `--config`. */
const usualName = 'querent.json'

export interface ConfigFile {
  /** The path in messages. */
  readonly path: string
  readonly content: unknown
}

/**
 * Reads the file that `--config` names, or the `querent.json` of the folder, if there is one.
 *
 * @param named the file of `--config`; `false` after `--no-config`: no file is read
 * @throws QuerentError `missing-file` if the file of `--config` cannot be read; `bad-config` for a file that is not JSON
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

/** A text without the byte order mark that some editors write. */
const withoutMark = (content: string): string => content.replace(/^\ufeff/, '')

/** @param what the file is, for messages. @throws QuerentError `missing-file` */
export const readText = (path: string, what: string): Promise<string> =>
  readFile(path, 'utf8').then(withoutMark, (cause: unknown) => {
    throw new QuerentError('missing-file', `${what} ${path} cannot be read`, { cause })
  })

/**
 * The value in a JSON file.
 *
 * @param what the file is, for messages
 * @param remedy what it should have
 * @throws QuerentError `missing-file`; `code` for a file that is not JSON
 */
export async function readJson(
  path: string,
  what: string,
  remedy: string,
  code: 'bad-file' | 'bad-config' = 'bad-config',
): Promise<unknown> {
  const content = await readText(path, what)
  try {
    return JSON.parse(content)
  } catch (cause) {
    throw new QuerentError(code, `${path} is not JSON: ${(cause as Error).message}`, { remedy, cause })
  }
}
