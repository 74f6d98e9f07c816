/** A language model decides what to search, and the local policy re-ranks what was found. */
import { acqo, createOptimizer } from 'querent'
import { openaiChat } from 'querent/models'
import { localPolicy } from 'querent/policies/local'
import { buildWinkBm25 } from 'querent/search'

const documents = [
  { docid: 'vltava', title: 'Vltava', text: 'The Vltava runs through Prague and joins the Elbe at Mělník.' },
  { docid: 'elbe', title: 'Elbe', text: 'The Elbe rises in Bohemia and reaches the North Sea at Cuxhaven.' },
]
const retrievers = [await buildWinkBm25(documents)]
const chat = openaiChat() // OPENAI_BASE_URL, OPENAI_API_KEY and QUERENT_CHAT_MODEL, or the same as options
const optimizer = createOptimizer({
  retrievers,
  chat,
  ...(await localPolicy({ retrievers, decider: acqo() })), // or `policy: acqo()`, without re-ranking
})

const { hits, trace } = await optimizer.search('Into which sea does the river of Prague finally flow?')
console.log(trace.kind, trace.subQueries, hits)
