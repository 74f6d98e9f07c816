/** Backends as tests need them: retrievers and chat models that answer what, and when, the test says. */
import type { Clock } from '../../src/runtime/clock.ts'
import type {
  ChatModel,
  Completion,
  Hit,
  Leg,
  Message,
  RetrieveOptions,
  Retriever,
  SubQuery,
} from '../../src/types.ts'

/** Hits in this order with falling scores: `hits('a', 'b')` are a at rank 1 with score 2 and b at rank 2 with score 1. */
export function hits(...docids: readonly string[]): Hit[] {
  return docids.map((docid, index) => ({ docid, score: docids.length - index, rank: index + 1 }))
}

export interface ScriptedRetriever extends Retriever {
  /** The batches it was asked for, with what came along. */
  readonly calls: { readonly texts: readonly string[]; readonly options: RetrieveOptions }[]
}

export interface RetrieverScript {
  readonly name?: string
  /** Text → docids found, or the error of that leg. Other texts find nothing. */
  readonly found?: Readonly<Record<string, readonly string[] | Error>>
  /** The whole batch fails with this. */
  readonly fails?: Error
  /** Milliseconds of `clock` until it answers. It does not listen to the signal, as a native call would not. */
  readonly ms?: number
  readonly clock?: Clock
}

export function scriptedRetriever({
  name = 'bm25',
  found = {},
  fails,
  ms,
  clock,
}: RetrieverScript = {}): ScriptedRetriever {
  const calls: ScriptedRetriever['calls'] = []
  const legOf = (subQuery: SubQuery): Leg => {
    const answer = found[subQuery.text] ?? []
    return answer instanceof Error
      ? { retriever: name, subQuery, error: answer }
      : { retriever: name, subQuery, hits: hits(...answer) }
  }
  return {
    name,
    calls,
    async retrieve(subQueries, options) {
      calls.push({ texts: subQueries.map(({ text }) => text), options })
      if (ms !== undefined) await new Promise<void>((resolve) => clock?.after(ms, resolve))
      if (fails !== undefined) throw fails
      return subQueries.map(legOf)
    },
  }
}

export interface ScriptedChat extends ChatModel {
  readonly calls: { readonly messages: readonly Message[]; readonly signal: AbortSignal | undefined }[]
}

/** Answers one text or error after the other; `ms` milliseconds of `clock` after it was asked. */
export function scriptedChat(
  answers: readonly (string | Error)[],
  { ms, clock }: { readonly ms?: number; readonly clock?: Clock } = {},
): ScriptedChat {
  const calls: ScriptedChat['calls'] = []
  return {
    name: 'scripted',
    calls,
    async complete(messages, { signal } = {}): Promise<Completion> {
      calls.push({ messages, signal })
      const answer = answers[calls.length - 1]
      if (ms !== undefined) await new Promise<void>((resolve) => clock?.after(ms, resolve))
      if (answer === undefined) throw new Error('the script has no further answer')
      if (answer instanceof Error) throw answer
      return { text: answer, tokens: { prompt: 10, completion: 5 } }
    },
  }
}
