/** A language model answers a question from your documents, and names those that it read. */
import { agentic, createOptimizer } from 'querent'
import { openaiChat } from 'querent/models'
import { buildWinkBm25 } from 'querent/search'

const documents = [
  { docid: 'vltava', title: 'Vltava', text: 'The Vltava runs through Prague and joins the Elbe at Mělník.' },
  { docid: 'elbe', title: 'Elbe', text: 'The Elbe rises in Bohemia and reaches the North Sea at Cuxhaven.' },
]
const { search } = createOptimizer({
  retrievers: [await buildWinkBm25(documents)],
  policy: agentic(),
  chat: openaiChat(), // OPENAI_BASE_URL, OPENAI_API_KEY and QUERENT_CHAT_MODEL, or the same as options
})

const { answer, citations, hits } = await search('Into which sea does the river of Prague finally flow?')
console.log(answer ?? 'No answer', citations, hits)
