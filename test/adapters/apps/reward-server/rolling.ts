/** What a reward server needs for rollouts: models that answer as C-3PO's agents, and queries. */
import type { RewardServerOptions } from '../../../../adapters/apps/reward-server/server.ts'
import type { ChatModel } from '../../../../src/types.ts'

/** C-3PO's agents: one search, whose first document is kept; the plan is enough at once. The answer is the title that was kept. */
const says = (instructions: string, shown: string): string => {
  if (instructions.startsWith('You decide how')) return '[Retrieval] desert planet'
  if (instructions.startsWith('You plan')) return 'Search.'
  if (instructions.startsWith('You decide what')) return 'Thought: enough. Action: [LLM]'
  if (instructions.startsWith('You judge')) return 'Thought: the first. Action: [1]'
  if (instructions.startsWith('You write queries')) return '{"query": "desert planet"}'
  return /\(Title: (.*?)\)/.exec(shown)?.[1] ?? 'nothing'
}
export const modelOf = (name: string, say = says): ChatModel => ({
  name,
  async complete([system, user]) {
    return { text: say(system!.content, user!.content), tokens: { prompt: 0, completion: 0 } }
  },
})

export const rollingOptions = (agents = modelOf('small')): Partial<RewardServerOptions> => ({
  models: { environment: modelOf('large'), agents: () => agents, judge: undefined },
  queries: [
    { qid: 'q1', text: 'Which novel has a desert planet?' },
    { qid: 'q2', text: 'Which novel has a matchmaker?' },
  ],
  answers: new Map([['q1', ['Dune']]]),
})
