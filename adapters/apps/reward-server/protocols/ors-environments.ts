/** The environments of the Open Reward Standard: their tasks, prompts and tools. */
import { z } from 'zod'
import { conversationOf } from '../../../../policies/conversation.ts'
import type { Query } from '../../../../src/types.ts'
import { searchRequest } from './nemo-gym.ts'
import { identifier, type Service } from './protocol.ts'

/** What is asked of an agent, and what it submits. */
export const environments = {
  documents: {
    task: 'Find the documents that are needed to answer the question. Search as often as you like, then submit their ids, the most useful first.',
    schema: z.object({ documents: z.array(identifier).describe('ids of documents that a search has shown') }),
  },
  answer: {
    task: 'Answer the question by what a search engine finds. Search as often as you like, then submit the answer in a few words.',
    schema: z.object({ answer: z.string().describe('the answer alone') }),
  },
  rewrite: {
    task: 'Write the queries that a search engine needs to find all documents that answer the question. Submit them once.',
    schema: z.object({ queries: z.array(z.string()).min(1).describe('one query, or several to be merged') }),
  },
} as const

export type Name = keyof typeof environments

export const names = Object.keys(environments) as readonly Name[]

/** The queries that can earn something: those with relevant documents, or with accepted answers. */
export const tasksOf = (name: Name, { tasks }: Service): readonly Query[] =>
  name === 'answer' ? tasks.answered : tasks.judged

export const specsOf = (name: Name, service: Service): readonly object[] =>
  tasksOf(name, service).map(({ qid, text }) => ({ query_id: qid, question: text }))

export const toolsOf = (name: Name): readonly object[] => [
  ...(name === 'rewrite'
    ? []
    : [{ name: 'search', description: 'Searches the index.', input_schema: z.toJSONSchema(searchRequest) }]),
  {
    name: 'submit',
    description: 'Submits the result, once, which ends the episode.',
    input_schema: z.toJSONSchema(environments[name].schema, { io: 'input' }),
  },
]

export function promptOf(name: Name, { text, history = [] }: Query): string {
  const before = history.length === 0 ? [] : [`Conversation so far:\n${conversationOf(history)}`]
  return [environments[name].task, ...before, `Question:\n${text}`].join('\n\n')
}
