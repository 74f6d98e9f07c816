/** MMOA-RAG with agents that know the judgments: what the pipeline can reach on the sample. It says nothing about models. */
import { expect, it } from 'vitest'
import { openaiChat } from '../../../adapters/models/openai.ts'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { mmoa } from '../../../policies/mmoa-rag/mmoa.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import { exactMatch } from '../../../src/text/answer.ts'
import { startChatServer } from '../../support/chat-server.ts'
import { judgedSample, oracleAgents } from '../../support/oracle-agents.ts'
import { sampleDocuments } from '../../support/small-policy.ts'

it('oracle agents answer 97 % of the sample with three prompts and one round', async () => {
  const sample = await judgedSample()
  const server = await startChatServer(await oracleAgents(sample))
  const chat = openaiChat({ baseUrl: server.url, model: 'oracle' })
  const { search } = createOptimizer({
    retrievers: [await buildWinkBm25(await sampleDocuments())],
    policy: mmoa(),
    chat,
  })
  const sums = { em: 0, recall: 0, citedRecall: 0, asks: 0, rounds: 0 }
  for (const { query, relevant, answer } of sample) {
    const result = await search(query)
    const { hits, trace, citations = [] } = result
    const share = (docids: readonly string[]): number =>
      relevant.filter((docid) => docids.includes(docid)).length / relevant.length
    sums.em += exactMatch(result.answer ?? '', [answer])
    sums.recall += share(hits.slice(0, 5).map(({ docid }) => docid))
    sums.citedRecall += share(citations)
    sums.asks += trace.steps.filter(({ type }) => type === 'ask').length
    sums.rounds += trace.steps.filter((step) => step.type === 'retrieve' && step.round > 0).length
  }
  await server.close()
  const means = Object.fromEntries(
    Object.entries(sums).map(([name, sum]) => [name, Number((sum / sample.length).toFixed(3))]),
  )
  expect(sample).toHaveLength(36)
  expect(means).toEqual({ em: 0.972, recall: 0.993, citedRecall: 0.972, asks: 3, rounds: 0.972 })
})
