/** One search of an answering policy, over lists that are given, with a model that gives these answers. */
import { createOptimizer } from '../../src/optimizer.ts'
import type { Policy } from '../../src/policy.ts'
import type { SearchOptions } from '../../src/search.ts'
import type { Document, Query, Step } from '../../src/types.ts'
import { finderOf } from './finder.ts'
import { scriptedChat, scriptedRetriever } from './scripted.ts'

interface Given {
  /** Text → docids, or the failure of its search. */
  readonly found: NonNullable<NonNullable<Parameters<typeof scriptedRetriever>[0]>['found']>
  readonly documents: readonly Document[]
  readonly search: SearchOptions
  readonly query: Query
}

/** @returns the result, and what was searched, shown to the model, and which prompts it was asked */
export async function searchAnswering(
  policy: Policy,
  answers: readonly (string | Error)[],
  { found, documents, search, query }: Given,
) {
  const chat = scriptedChat(answers)
  const retriever = scriptedRetriever({ found })
  const optimizer = createOptimizer({ retrievers: [retriever], policy, chat, documents: finderOf(documents) })
  const result = await optimizer.search(query, search)
  return {
    result,
    docids: result.hits.map(({ docid }) => docid),
    searched: retriever.calls.map(({ texts }) => texts),
    shown: chat.calls.map(({ messages }) => messages.at(-1)!.content),
    asks: result.trace.steps.flatMap((step: Step) => (step.type === 'ask' ? [step.prompt] : [])),
  }
}
