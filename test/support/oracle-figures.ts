/** What an answering policy reaches on the sample with agents that know the judgments. It says nothing about models. */
import { openaiChat } from '../../adapters/models/openai.ts'
import { buildWinkBm25 } from '../../adapters/search/wink-bm25.ts'
import { createOptimizer } from '../../src/optimizer.ts'
import type { Policy } from '../../src/policy.ts'
import { exactMatch } from '../../src/text/answer.ts'
import { completion, startChatServer } from './chat-server.ts'
import { judgedSample, oracleAgents } from './oracle-agents.ts'
import { sampleDocuments } from './small-policy.ts'

export interface OracleFigures {
  readonly queries: number
  readonly em: number
  /** Of the first five hits. */
  readonly recall: number
  readonly citedRecall: number
  readonly asks: number
  readonly rounds: number
}

/** Means over the sample, rounded to three places. `history: false` leaves the conversations before the questions out. */
export async function oracleFigures(
  policy: Policy,
  { history: withHistory = true }: { readonly history?: boolean } = {},
): Promise<OracleFigures> {
  const sample = await judgedSample()
  const oracle = await oracleAgents(sample)
  const server = await startChatServer((request) => completion(oracle(request)))
  const chat = openaiChat({ baseUrl: server.url, model: 'oracle' })
  const retrievers = [await buildWinkBm25(await sampleDocuments())]
  const { search } = createOptimizer({ retrievers, policy, chat })
  const sums = { em: 0, recall: 0, citedRecall: 0, asks: 0, rounds: 0 }
  for (const { query, relevant, answer } of sample) {
    const { history, ...alone } = query
    const result = await search(withHistory ? query : alone)
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
  const mean = (sum: number): number => Number((sum / sample.length).toFixed(3))
  return {
    queries: sample.length,
    em: mean(sums.em),
    recall: mean(sums.recall),
    citedRecall: mean(sums.citedRecall),
    asks: mean(sums.asks),
    rounds: mean(sums.rounds),
  }
}
