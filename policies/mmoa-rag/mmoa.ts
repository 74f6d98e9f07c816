/**
 * MMOA-RAG ("Improving retrieval-augmented generation through multi-agent reinforcement learning"), section 4.1: a Query Rewriter
 * splits the question, a Selector chooses among the documents that the sub-questions find, and a Generator answers from them. Three
 * prompts and one round, whatever the question.
 */
import { z } from 'zod'
import { count, milliseconds, parseConfig } from '../../src/config.ts'
import type { Policy } from '../../src/policy.ts'
import type { Document } from '../../src/types.ts'
import { answerPrompt } from '../reading/answer-prompt.ts'
import { reading } from '../reading/reading.ts'
import { allocateDocuments, searchedSubQuestions } from './parse.ts'
import { rewritePrompt, selectPrompt } from './prompts.ts'

export interface MmoaOptions {
  /** Whether the Query Rewriter is asked. `false` searches the question: the paper's S+G. Default: true. */
  readonly rewrite?: boolean | undefined
  /** Whether the Selector is asked. `false` answers from all documents: the paper's QR+G. Default: true. */
  readonly select?: boolean | undefined
  /** K: how many documents all sub-questions find together, from 4 to 50. Default: 10, as in the paper. */
  readonly documents?: number | undefined
  /** Whether the answer is in sentences with marks such as `[1]`, the place in `citations`. Default: false, a few words. */
  readonly longAnswer?: boolean | undefined
  /** Milliseconds for the whole search. Default: 20,000. */
  readonly timeout?: number | undefined
  /** Milliseconds for each prompt. Default: 10,000. */
  readonly askTimeout?: number | undefined
}

const optionsSchema = z.strictObject({
  rewrite: z.boolean().default(true),
  select: z.boolean().default(true),
  documents: count.min(4).max(50).default(10),
  longAnswer: z.boolean().default(false),
  timeout: milliseconds.default(20_000),
  askTimeout: milliseconds.default(10_000),
})

/** @throws QuerentError `bad-config` naming the wrong option */
export function mmoa(options: MmoaOptions = {}): Policy {
  const {
    rewrite,
    select,
    documents: wanted,
    longAnswer,
    ...times
  } = parseConfig(optionsSchema, options, 'mmoa')
  const answerFrom = answerPrompt('mmoa/answer', { long: longAnswer })
  const prompts = [...(rewrite ? [rewritePrompt] : []), ...(select ? [selectPrompt] : []), answerFrom]
  return {
    name: 'mmoa',
    budget: { rounds: 1, subQueries: 4, asks: prompts.length, ...times },
    reads: true,
    prompts: prompts.map(({ name }) => name),
    async run({ text: question, history = [] }, tools) {
      const asked = { question, history }
      const written = rewrite ? await tools.ask(rewritePrompt, asked).catch(() => []) : []
      const texts = searchedSubQuestions(written, question)
      const read = reading(tools)
      const lists = await read.search(
        texts,
        allocateDocuments(texts.length, wanted),
        reasonOf(written, texts),
      )
      const found = lists.flat()
      if (found.length === 0) return { hits: tools.fuse(read.legs) }

      const chosen = select
        ? await tools.ask(selectPrompt, { ...asked, documents: found }).catch(() => undefined)
        : undefined
      const evidence = distinct(chosen?.map((place) => found[place]!) ?? found)
      const answer = tools.answers
        ? await tools.ask(answerFrom, { ...asked, documents: evidence }).catch(() => undefined)
        : undefined

      // Without a choice and without an answer, nothing says that these documents are better than the fusion's.
      if (chosen === undefined && answer === undefined) return { hits: tools.fuse(read.legs) }
      const citations = evidence.map(({ docid }) => docid)
      const hits = tools.fuse(read.legs, { first: citations })
      return { hits, citations, ...(answer !== undefined && { answer }) }
    },
  }
}

function reasonOf(written: readonly string[], texts: readonly string[]): string {
  if (written.length === 0) return 'no sub-questions: searched the question'
  if (written.length > texts.length)
    return `${written.length} sub-questions: searched ${texts.length} of them or the question`
  return `${texts.length} sub-${texts.length === 1 ? 'question' : 'questions'}`
}

/** Each document once: two sub-questions may find the same one. */
function distinct(documents: readonly Document[]): Document[] {
  return [...new Map(documents.map((document) => [document.docid, document])).values()]
}
