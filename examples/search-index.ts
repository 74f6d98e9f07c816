/** Searches the index in the folder `my-index`, which `querent index` made. */
import { createOptimizer } from 'querent'
import { openIndex } from 'querent/index-folder'
import { localPolicy } from 'querent/policies/local'

const index = await openIndex('my-index')
const { retrievers } = index
const optimizer = createOptimizer({
  retrievers,
  documents: (docids) => index.documents.get(docids),
  ...(await localPolicy({ retrievers })),
})
const question = 'Was the author of Dracula born in the same city as the author of Ulysses?'
const { hits, trace } = await optimizer.search(question, { k: 5, documents: true })
console.log(trace.kind, trace.reason)
for (const { rank, docid, document } of hits) console.log(rank, docid, document?.title)

await index.close()
