/** Whether a cluster of the configuration has what is searched by default. */
import type { Cluster } from '../../../adapters/search/cluster/cluster.ts'
import { defaultField } from '../../../adapters/search/cluster/plan.ts'
import { QuerentError } from '../../errors.ts'
import type { EngineDefinition } from '../settings/engine-definition.ts'
import { statusOf } from './engine-error.ts'
import { type Fields, fieldsIn } from './text-fields.ts'

/** What a definition says of how it searches. */
const searching = ['fields', 'body', 'vector', 'sparse'] as const

/** Most fields that an error names. */
const maxNames = 10

/**
 * Checks a definition that does not say what to search. A cluster finds nothing in a field that it does not have, and does not say
 * so. An index without any field passes: its documents may still come.
 *
 * @param name of the retriever
 * @throws QuerentError `bad-config` that names the text fields; the client's own error
 */
export async function checkSearchable(
  engine: Cluster,
  name: string,
  definition: EngineDefinition,
  signal: AbortSignal,
): Promise<void> {
  if (searching.some((key) => definition[key] !== undefined)) return
  const { text, others } = await readFields(engine, [definition.index].flat(), signal)
  const all = [...text, ...others]
  if (all.length === 0 || all.includes(defaultField)) return
  const more = text.length > maxNames ? ', …' : ''
  throw new QuerentError(
    'bad-config',
    `The index of ${name} has no field "${defaultField}", which is searched where no other is named`,
    {
      remedy:
        text.length === 0
          ? 'Name a "vector" or "sparse" field to search: none of its fields holds text.'
          : `Name fields to search, as in "fields": ["${text[0]}"]. Its text fields are ${text.slice(0, maxNames).join(', ')}${more}.`,
    },
  )
}

/** @returns no fields if the index does not exist, or this user may only search it */
async function readFields(engine: Cluster, indexes: readonly string[], signal: AbortSignal): Promise<Fields> {
  const path = `/${indexes.map(encodeURIComponent).join(',')}/_field_caps`
  const none = { text: [], others: [] }
  try {
    const asked = { name: 'field_caps', method: 'GET', path, querystring: { fields: '*' } } as const
    return fieldsIn((await engine.send(asked, { signal })).body) ?? none
  } catch (error) {
    if (statusOf(error) === 403 || statusOf(error) === 404) return none
    throw error
  }
}
