/** The fields of an index, out of what `_field_caps` answers. */

import { kindOfTypes } from '../../../adapters/apps/drop-in/parse/field-kinds.ts'
import { isObject } from '../../../adapters/apps/drop-in/parse/json.ts'

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

const isObjectField = (types: unknown): boolean =>
  Object.keys(types as object).every((type) => type === 'object' || type === 'nested')
