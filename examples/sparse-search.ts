/** Searches by learned sparse weights, beside BM25: an encoder and both indexes in this process. */
import { createOptimizer } from 'querent'
import { onnxSparseEncoder } from 'querent/models'
import { buildSparse, buildWinkBm25 } from 'querent/search'

const encoder = await onnxSparseEncoder({ model: 'splade-tiny' })
const documents = [
  { docid: 'orchestra', text: 'The orchestra tunes to the oboe.' },
  { docid: 'glacier', text: 'Meltwater of the glacier feeds the river.' },
]
const retrievers = [await buildWinkBm25(documents), await buildSparse(documents, { encoder })]
const { search, close } = createOptimizer({ retrievers })
const { hits } = await search('musicians of a symphony', { k: 1 })
console.log(hits.map(({ docid }) => docid))

await close()
await encoder.close?.()
