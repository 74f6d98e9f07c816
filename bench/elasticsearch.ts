/** An Elasticsearch of the benchmarks' own, or the one that `QUERENT_ELASTICSEARCH_URL` names. */
import { Client } from '@elastic/elasticsearch'
import type { Document } from '../src/types.ts'
import { startEngine } from '../test/support/engines.ts'

/** Works with an index of these documents, which is deleted afterwards. */
export async function withIndex<Result>(
  index: string,
  documents: readonly Document[],
  work: (client: Client, url: string) => Promise<Result>,
): Promise<Result> {
  const existing = process.env.QUERENT_ELASTICSEARCH_URL
  const engine = existing === undefined ? await startEngine('elasticsearch') : undefined
  const url = existing ?? engine!.urls[0]!
  const client = new Client({ node: url })
  try {
    await fill(client, index, documents)
    return await work(client, url)
  } finally {
    await client.indices.delete({ index }, { ignore: [404] })
    await client.close()
    await engine?.stop()
  }
}

async function fill(client: Client, index: string, documents: readonly Document[]): Promise<void> {
  const text = { type: 'text', analyzer: 'english' } as const
  await client.indices.delete({ index }, { ignore: [404] })
  await client.indices.create({
    index,
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
    mappings: { properties: { title: text, text } },
  })
  await client.helpers.bulk<Document>({
    datasource: [...documents],
    onDocument: ({ docid, title = '', text }) => [{ index: { _index: index, _id: docid } }, { title, text }],
  })
  await client.indices.forcemerge({ index, max_num_segments: 1 }, { requestTimeout: 300_000 })
  await client.indices.refresh({ index })
}
