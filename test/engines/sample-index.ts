/** The sample collection in an index as an application has one: its own mapping, its own ids, nothing of Querent's. */
import { randomBytes } from 'node:crypto'
import { send } from '../support/search-world.ts'
import { sampleDocuments } from '../support/small-policy.ts'

export interface SampleIndex {
  readonly name: string
  delete(): Promise<void>
}

/** @param settings of the index; one shard without a copy by default */
export async function createSampleIndex(url: string, settings: object = {}): Promise<SampleIndex> {
  const name = `qx-sample-${randomBytes(5).toString('hex')}`
  const english = { type: 'text', analyzer: 'english' }
  await send(
    url,
    'PUT',
    `/${name}?wait_for_active_shards=all`,
    JSON.stringify({
      settings: { number_of_shards: 1, number_of_replicas: 0, ...settings },
      mappings: { properties: { title: english, text: english } },
    }),
  )
  const lines = (await sampleDocuments()).flatMap(({ docid, title, text }) => [
    JSON.stringify({ index: { _id: docid } }),
    JSON.stringify({ title, text }),
  ])
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
