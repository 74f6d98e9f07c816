/** Settings that are JSON, from the configuration or from a file that they name. */
import { readFile } from 'node:fs/promises'
import type { Rule } from '../../../adapters/apps/drop-in/run/settings.ts'
import { type FilterFields, filterFieldsSchema } from '../../../policies/filters/fields.ts'
import { parseConfig } from '../../config.ts'
import { QuerentError } from '../../errors.ts'
import { withoutMark } from '../settings/config-file.ts'

/**
 * The fields that queries may filter by.
 *
 * @throws QuerentError `missing-file`; `bad-config` for fields that cannot be used
 */
export async function readFilterFields(
  given: string | FilterFields | undefined,
): Promise<FilterFields | undefined> {
  if (given === undefined) return undefined
  const fields = await jsonOf(given, 'one object such as {"price": "EUR", "brand": "keyword"}')
  parseConfig(filterFieldsSchema, fields, '--set filterFields')
  return fields as FilterFields
}

/**
 * The rules for some indices. `createProxy` checks them.
 *
 * @throws QuerentError `missing-file`; `bad-config` for a file that is not JSON
 */
export async function readRules(
  given: string | readonly Rule[] | undefined,
): Promise<readonly Rule[] | undefined> {
  if (given === undefined) return undefined
  return (await jsonOf(given, 'a list such as [{"index": "logs-*", "optimize": false}]')) as readonly Rule[]
}

/** @param example what the file should have */
async function jsonOf(given: unknown, example: string): Promise<unknown> {
  if (typeof given !== 'string') return given
  const content = await readFile(given, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('missing-file', `${given} cannot be read`, { cause })
  })
  try {
    return JSON.parse(withoutMark(content))
  } catch (cause) {
    throw new QuerentError('bad-config', `${given} is not JSON: ${(cause as Error).message}`, {
      remedy: `Write ${example}.`,
      cause,
    })
  }
}
