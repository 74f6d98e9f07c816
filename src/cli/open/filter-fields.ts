/** The fields that queries may filter by, from the settings or from a file that they name. */
import { readFile } from 'node:fs/promises'
import { type FilterFields, filterFieldsSchema } from '../../../policies/filters/fields.ts'
import { parseConfig } from '../../config.ts'
import { QuerentError } from '../../errors.ts'
import { withoutMark } from '../settings/config-file.ts'

/** @throws QuerentError `missing-file`; `bad-config` for fields that cannot be used */
export async function readFilterFields(
  given: string | FilterFields | undefined,
): Promise<FilterFields | undefined> {
  if (given === undefined) return undefined
  const fields = typeof given === 'string' ? await readFields(given) : given
  parseConfig(filterFieldsSchema, fields, '--filter-fields')
  return fields as FilterFields
}

async function readFields(path: string): Promise<unknown> {
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The fields ${path} cannot be read`, { cause })
  })
  try {
    return JSON.parse(withoutMark(content))
  } catch (cause) {
    throw new QuerentError('bad-config', `${path} is not JSON: ${(cause as Error).message}`, {
      remedy: 'Write one object such as {"price": "EUR", "brand": "keyword"}.',
      cause,
    })
  }
}
