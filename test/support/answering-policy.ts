/** A policy as a reader of the docs would write it: asks a model twice, retrieves in three rounds, answers with citations. */
import type { Policy, Prompt } from 'querent'

const prompt = (name: string, final = false): Prompt<string, string> => ({
  name,
  final,
  render: (question) => [{ role: 'user', content: question }],
  parse: (text) => text,
})
const rewrite = prompt('reader/rewrite')
const answer = prompt('reader/answer', true)

export const reader: Policy = {
  name: 'reader',
  budget: { rounds: 3, asks: 2 },
  prompts: [rewrite.name, answer.name],
  async run({ text }, tools) {
    const better = await tools.ask(rewrite, text)
    let legs = await tools.retrieve([{ text }, { text: better }], { reason: 'the question and its rewrite' })
    const followed = new Set<string>()
    for (const reason of ['the first document found', 'and the first one after that']) {
      const best = tools.fuse(legs).find(({ docid }) => !followed.has(docid))
      if (best === undefined) break
      followed.add(best.docid)
      legs = [...legs, ...(await tools.retrieve([{ text: best.docid, from: best.docid }], { reason }))]
    }
    const citations = tools.fuse(legs, { k: 2 }).map(({ docid }) => docid)
    const hits = tools.fuse(legs, { first: citations })
    if (!tools.answers) return { hits }
    return { hits, answer: await tools.ask(answer, citations.join(' and ')), citations }
  },
}
