import { createOptimizer } from 'querent'
import { localPolicy } from 'querent/policies/local'
import { buildWinkBm25 } from 'querent/search'

const documents = [
  { docid: 'vltava', title: 'Vltava', text: 'The Vltava runs through Prague and joins the Elbe at Mělník.' },
  { docid: 'elbe', title: 'Elbe', text: 'The Elbe rises in Bohemia and reaches the North Sea at Cuxhaven.' },
]
const retrievers = [await buildWinkBm25(documents)]
const find = async (docids: readonly string[]) =>
  docids.map((docid) => documents.find((one) => one.docid === docid))
const optimizer = createOptimizer({ retrievers, documents: find, ...(await localPolicy({ retrievers })) })

const { hits, trace } = await optimizer.search('Into which sea does the river of Prague finally flow?')
console.log(trace.kind, trace.reason, trace.subQueries, hits)
