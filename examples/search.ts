import { createOptimizer } from 'querent'
import { localPolicy } from 'querent/policies/local'
import { buildWinkBm25 } from 'querent/search'

const elbe = { docid: 'elbe', text: 'The Elbe flows from Bohemia to the North Sea.' }
const vltava = { docid: 'vltava', text: 'The Vltava flows through Prague and joins the Elbe.' }
const retrievers = [await buildWinkBm25([elbe, vltava])]
const { search } = createOptimizer({ retrievers, ...(await localPolicy({ retrievers })) })
console.log((await search('Where does the river end that the Vltava joins?')).hits.map(({ docid }) => docid))
