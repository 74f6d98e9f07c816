/** A policy that asks a model what the best document leaves open, searches for that, and answers from both. */
import type { Document, Policy, Prompt } from 'querent'

interface Reading {
  readonly question: string
  readonly documents: readonly Document[]
}

const prompt = (name: string, task: string, final: boolean): Prompt<Reading, string> => ({
  name,
  final, // its text is the answer of the search, and may be streamed
  render: ({ question, documents }) => [
    { role: 'system', content: task },
    { role: 'user', content: [question, ...documents.map(({ text }) => text)].join('\n\n') },
  ],
  parse: (text) => text.trim(),
})
const ask = prompt('follow-up/ask', 'Write the one search query whose result is still missing.', false)
const answer = prompt('follow-up/answer', 'Answer from the documents, in one sentence.', true)

export const followUp: Policy = {
  name: 'follow-up',
  budget: { rounds: 1, asks: 2, timeout: 20_000, askTimeout: 10_000 },
  reads: true,
  prompts: [ask.name, answer.name],
  async run({ text: question }, tools) {
    const original = await tools.original()
    const [best] = tools.fuse(original)
    if (best === undefined) return { hits: [] }
    const documentOf = await tools.documents([best.docid])
    const documents = [documentOf(best.docid)].filter((document) => document !== undefined)
    const text = await tools.ask(ask, { question, documents })
    const found = await tools.retrieve([{ text, from: best.docid }], {
      reason: 'what the best document lacks',
    })
    const hits = tools.fuse([...original, ...found], { first: [best.docid] })
    if (!tools.answers) return { hits }
    const citations = hits.slice(0, 2).map(({ docid }) => docid)
    const cited = await tools.documents(citations)
    const read = citations.map(cited).filter((document) => document !== undefined)
    return { hits, answer: await tools.ask(answer, { question, documents: read }), citations }
  },
}
