/** A language model chooses among what the local policy finds, and says what else to search. */
import { createOptimizer } from 'querent'
import { openaiChat } from 'querent/models'
import { agentic } from 'querent/policies/agentic'
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
  // By default the model is not asked where the local policy is sure of its first hit, as it is of one in two documents.
  policy: agentic({ askWhen: 'always' }), // or, for one short prompt: ...(await localPolicy({ retrievers, decider: acqo() }))
})

const { hits, trace } = await optimizer.search('Into which sea does the river of Prague flow?', {
  answer: false,
})
console.log(trace.kind, trace.subQueries, hits)
