/** The fields of an index, out of what `_field_caps` answers. */

import { kindOfTypes } from '../../../adapters/apps/drop-in/parse/field-kinds.ts'
import { isObject } from '../../../adapters/apps/drop-in/parse/json.ts'
import { QuerentError } from '../../errors.ts'
import type { TargetClient } from './ask-target.ts'

export interface Fields {
  /** Fields that hold text in every index, in the order of the engine. */
  readonly text: readonly string[]
  /** Those of every other type. */
  readonly others: readonly string[]
}

/** @returns `undefined` if the answer has no fields */
export function fieldsIn(body: unknown): Fields | undefined {
  const caps = isObject(body) && isObject(body.fields) ? body.fields : undefined
  if (caps === undefined) return undefined
  const names = Object.keys(caps).filter((name) => !name.startsWith('_') && !isObjectField(caps[name]))
  const isText = (name: string): boolean => kindOfTypes(caps[name]) === 'text'
  return { text: names.filter(isText), others: names.filter((name) => !isText(name)) }
}

/** The fields of an index, asked of its cluster. @throws QuerentError `bad-config` for an index that there is not */
export async function fieldsOf(target: TargetClient, index: string): Promise<Fields> {
  const { status, body } = await target.get(`/${encodeURIComponent(index)}/_field_caps?fields=*`)
  const fields = fieldsIn(body)
  if (status < 400 && fields !== undefined) return fields
  throw new QuerentError(
    'bad-config',
    `The fields of ${index} cannot be read: the cluster answers ${status}`,
    { remedy: 'Check --name, and that the credentials may read the index.' },
  )
}

const isObjectField = (types: unknown): boolean =>
  Object.keys(types as object).every((type) => type === 'object' || type === 'nested')
