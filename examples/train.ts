/** Trains a local policy on the judged queries of `my-collection`, for the index `my-index`. */
import { writeFile } from 'node:fs/promises'
import { readBeir } from 'querent/evaluation'
import { openIndex } from 'querent/index-folder'
import { trainOnIndexes } from 'querent/training'

const index = await openIndex('my-index')
const { queries, qrels } = await readBeir('my-collection', { split: 'train' })
const { policy } = await trainOnIndexes([{ name: 'mine', queries, qrels, index }], { seed: 1 })
await writeFile('policy.json', JSON.stringify(policy))

await index.close()
