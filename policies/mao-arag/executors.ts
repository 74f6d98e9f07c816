/** What MAO-ARAG's workflows do with questions: rewriting, searching, choosing documents, answering. */

import type { Tools } from '../../src/policy.ts'
import type { Prompt } from '../../src/prompt.ts'
import type { Document } from '../../src/types.ts'
import type { AskedWithDocuments } from '../reading/question.ts'
import type { Reading } from '../reading/reading.ts'
import type { Executor } from './parse.ts'
import { rewritePrompt, type Solved, selectPrompt } from './prompts.ts'

/** How many documents a search brings. As in the authors' code. */
const found = 5

/** A question, or a sub-question, and its workflow, which ends with AG. */
export interface Planned {
  readonly question: string
  readonly workflow: readonly Executor[]
}

interface SolveOptions {
  /** The prompt that answers; without one, documents are found but nothing is answered. */
  readonly answer: Prompt<AskedWithDocuments, string | undefined> | undefined
  /** For the trace. */
  readonly reason: string
}

/** What a question came to. */
export interface Solution {
  /** The documents that the answer was read from, or would have been, the best first. */
  readonly documents: readonly Document[]
  /** Absent where there is none. */
  readonly answer: string | undefined
}

export interface Executors {
  /** Whether a document selector chose any documents. */
  readonly isChosen: boolean
  /** The sub-question with what its answer needs of those before it; as it is if it needs nothing, or if the rewriter fails. */
  complete(question: string, solved: readonly Solved[]): Promise<string>
  /**
   * Runs the workflows at the same time, with one search for all.
   *
   * @throws the error of the search, if nothing has been found yet
   */
  solve(planned: readonly Planned[], options: SolveOptions): Promise<readonly Solution[]>
}

/** The executors of one search. */
export function createExecutors(tools: Tools, read: Reading): Executors {
  let isChosen = false

  const rewritten = (question: string, solved: readonly Solved[]): Promise<string> =>
    tools.ask(rewritePrompt, { question, solved }).catch(() => question)

  async function selected(question: string, documents: readonly Document[]): Promise<readonly Document[]> {
    const places = await tools.ask(selectPrompt, { question, history: [], documents }).catch(() => [])
    if (places.length === 0) return documents
    isChosen = true
    return places.map((place) => documents[place]!)
  }

  return {
    get isChosen() {
      return isChosen
    },
    complete: async (question, solved) => (solved.length === 0 ? question : rewritten(question, solved)),
    async solve(planned, { answer, reason }) {
      const texts = await Promise.all(
        planned.map(({ question, workflow }) =>
          workflow.includes('QR') ? rewritten(question, []) : question,
        ),
      )
      const searched = texts.filter((_, place) => planned[place]!.workflow.includes('RA'))
      const lists =
        searched.length === 0
          ? []
          : await read.search(
              searched,
              searched.map(() => found),
              reason,
            )
      let next = 0
      const listOf = planned.map(({ workflow }) => (workflow.includes('RA') ? lists[next++]! : []))
      const chosen = await Promise.all(
        planned.map(({ question, workflow }, place) =>
          workflow.includes('DS') && listOf[place]!.length > 0
            ? selected(question, listOf[place]!)
            : listOf[place]!,
        ),
      )
      return Promise.all(
        planned.map(async ({ question }, place) => {
          const documents = chosen[place]!
          const text =
            answer && (await tools.ask(answer, { question, history: [], documents }).catch(() => undefined))
          return { documents, answer: text }
        }),
      )
    },
  }
}
