/** Searches by meaning: an embedding model and an index of vectors in this process. */
import { createOptimizer } from 'querent'
import { onnxEmbedder } from 'querent/models'
import { buildFaiss } from 'querent/search'

const embedder = await onnxEmbedder()
const documents = [
  { docid: 'moby-dick', title: 'Moby-Dick', text: 'A captain hunts a white whale.' },
  { docid: 'emma', title: 'Emma', text: 'A young woman arranges marriages for her friends.' },
]
const retriever = await buildFaiss(documents, { embedder })
const { search, close } = createOptimizer({ retrievers: [retriever] })
console.log((await search('a matchmaker')).hits.map(({ docid }) => docid))

await close()
await embedder.close?.()
