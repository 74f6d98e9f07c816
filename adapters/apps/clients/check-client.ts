/** Checks that an object is a client of the expected engine. Querent cannot read another client's answers. */
import { QuerentError } from '../../../src/errors.ts'
import { fieldsOf } from '../../resilience/retry-after.ts'

const clients = {
  elasticsearch: '@elastic/elasticsearch 8 or 9',
  opensearch: '@opensearch-project/opensearch 3',
} as const

/** The engine of a client, recognized by members that the other client does not have. Undefined if it has neither. */
function engineOf(client: unknown): keyof typeof clients | undefined {
  const { diagnostic, createPit } = fieldsOf(client)
  if (diagnostic !== undefined) return 'elasticsearch'
  return createPit === undefined ? undefined : 'opensearch'
}

/** @throws QuerentError `bad-config` if the object is not a client of that engine, with the right import for the other client */
export function checkClient(client: unknown, engine: keyof typeof clients): void {
  const found = engineOf(client)
  if (found !== undefined && found !== engine) {
    throw new QuerentError('bad-config', `querent/${engine} was given a client of ${clients[found]}`, {
      remedy: `Import querent from 'querent/${found}'.`,
    })
  }
  const missing = ['search', 'msearch', 'child'].filter(
    (name) => typeof fieldsOf(client)[name] !== 'function',
  )
  if (missing.length === 0 && (found === engine || engine === 'opensearch')) return
  const lacks = missing.length === 0 ? '' : `: it has no ${missing.join(', ')}`
  throw new QuerentError(
    'bad-config',
    `querent/${engine} was given no client of ${clients[engine]}${lacks}`,
    {
      remedy: 'Pass a `new Client({ … })` of that package.',
    },
  )
}
