/** Searches of an answering policy, over lists that are given, with a model that gives these answers. */
import { createOptimizer, type OptimizerOptions } from '../../src/optimizer.ts'
import type { Policy } from '../../src/policy.ts'
import type { SearchOptions } from '../../src/search.ts'
import type { Document, Query } from '../../src/types.ts'
import { finderOf } from './finder.ts'
import { scriptedChat, scriptedRetriever } from './scripted.ts'

interface Given {
  /** Text → docids, or the failure of its search. */
  readonly found: NonNullable<NonNullable<Parameters<typeof scriptedRetriever>[0]>['found']>
  readonly documents: readonly Document[]
  readonly search: SearchOptions
  readonly query: Query
  readonly budget?: OptimizerOptions['budget']
}

type Answers = readonly (string | Error)[]

/** @returns the result, and what was searched, shown to the model, and which prompts it was asked */
export async function searchAnswering(
  policy: Policy,
  answers: Answers,
  { found, documents, search, query, budget }: Given,
) {
  const chat = scriptedChat(answers)
  const retriever = scriptedRetriever({ found })
  const optimizer = createOptimizer({
    retrievers: [retriever],
    policy,
    chat,
    documents: finderOf(documents),
    ...(budget && { budget }),
  })
  const result = await optimizer.search(query, search)
  const { answer, citations, trace } = result
  return {
    result,
    docids: result.hits.map(({ docid }) => docid),
    /** Whether each hit says where the fusion had it. */
    fused: result.hits.map((hit) => 'fused' in hit),
    searched: retriever.calls.map(({ texts }) => texts),
    shown: chat.calls.map(({ messages }) => messages.at(-1)!.content),
    asks: trace.steps.flatMap((step) =>
      step.type === 'ask' ? [step.prompt.replace(`${policy.name}/`, '')] : [],
    ),
    answer,
    citations,
    kind: trace.kind,
    reason: trace.reason,
    fallback: trace.fallback,
    /** What the result does not have. */
    lacks: ['answer', 'citations'].filter((name) => !(name in result)),
  }
}

/** What a search came to. */
export type Answered = Awaited<ReturnType<typeof searchAnswering>>

/** A search to check: its name, the answers of the model, and what the search comes to, or a part of that. */
export type AnsweringCase = readonly [name: string, answers: Answers, expected: object]

/** The result of a search without an answer. */
export const noAnswer = { lacks: ['answer', 'citations'], answer: undefined, fallback: undefined }

/** Documents with a title, and a text that names them. */
export const documentsNamed = (docids: Iterable<string>, text = 'text of'): readonly Document[] =>
  Array.from(docids, (docid) => ({ docid, title: docid.toUpperCase(), text: `${text} ${docid}` }))

/** @returns a function that searches "who" with these answers of the model, one after the other */
export const answeringBy =
  <Options extends object>(
    policyOf: (options: Options) => Policy,
    given: Pick<Given, 'found' | 'documents'>,
  ) =>
  (
    answers: Answers,
    options: Options = {} as Options,
    search: SearchOptions = {},
    query: Query = { text: 'who' },
    budget?: OptimizerOptions['budget'],
  ): Promise<Answered> =>
    searchAnswering(policyOf(options), answers, { ...given, search, query, ...(budget && { budget }) })
