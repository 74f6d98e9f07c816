/** The sample collection in an index as an application has one: its own mapping, its own ids, nothing of Querent's. */
import { randomBytes } from 'node:crypto'
import type { Document } from '../../src/types.ts'
import { send } from '../support/search-world.ts'
import { sampleDocuments } from '../support/small-policy.ts'

export interface SampleIndex {
  readonly name: string
  delete(): Promise<void>
}

/** A keyword field `kind` of every document. */
type KindOf = (document: Document) => string

/**
 * @param settings of the index; one shard without a copy by default
 * @param kindOf absent: documents have a title and a text alone
 */
export async function createSampleIndex(
  url: string,
  settings: object = {},
  kindOf?: KindOf,
): Promise<SampleIndex> {
  const name = `qx-sample-${randomBytes(5).toString('hex')}`
  const english = { type: 'text', analyzer: 'english' }
  await send(
    url,
    'PUT',
    `/${name}?wait_for_active_shards=all`,
    JSON.stringify({
      settings: { number_of_shards: 1, number_of_replicas: 0, ...settings },
      mappings: {
        properties: { title: english, text: english, ...(kindOf && { kind: { type: 'keyword' } }) },
      },
    }),
  )
  const lines = (await sampleDocuments()).flatMap((document) => {
    const { docid, title, text } = document
    const kind = kindOf && { kind: kindOf(document) }
    return [JSON.stringify({ index: { _id: docid } }), JSON.stringify({ title, text, ...kind })]
  })
  const answer = await send(
    url,
    'POST',
    `/${name}/_bulk?refresh=true`,
    `${lines.join('\n')}\n`,
    'application/x-ndjson',
  )
  if (answer.errors === true) throw new Error(JSON.stringify(answer).slice(0, 2000))
  return { name, delete: async () => void (await send(url, 'DELETE', `/${name}`)) }
}
