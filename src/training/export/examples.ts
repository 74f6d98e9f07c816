/** The judged queries of a split, with the prompt that a model is trained on. */
import { rewritePrompt, type Template } from '../../../policies/acqo/prompt.ts'
import type { Message, Qrels, Query } from '../../types.ts'
import { relevantOf } from '../data/relevant-docs.ts'
import type { Example } from './formats.ts'

export interface PromptOptions {
  /** Sub-queries that an answer may hold; 1 is the paper's prompt without decomposition. Default: 3. */
  readonly maxSubQueries?: number
  /** Other words for the prompt. */
  readonly template?: Template
}

/** A query → the messages that ask a model to rewrite it: what the policy `acqo` asks, so that what is trained fits it. */
export function messagesFor({
  maxSubQueries = 3,
  template,
}: PromptOptions = {}): (query: Query) => readonly Message[] {
  const prompt = rewritePrompt({ decompose: true, maxSubQueries, strict: true, template })
  return ({ text, history = [] }) => prompt.render({ question: text, history })
}

export interface ExampleOptions extends PromptOptions {
  readonly collection: string
  readonly split: string
  /** Docids that the index has: queries without a relevant one are left out. Default: all are taken. */
  readonly indexed?: ReadonlySet<string>
  /** Whether examples name their relevant documents. Default: true. */
  readonly withGolds?: boolean
}

export interface Examples {
  readonly examples: readonly Example[]
  /** Queries without relevant documents. */
  readonly unjudged: number
  /** Queries whose relevant documents are not in the index: nothing can be learned from them. */
  readonly unreachable: number
}

/** In the order of the queries. */
export function examplesOf(
  queries: readonly Query[],
  qrels: Qrels,
  { collection, split, indexed, withGolds = true, ...options }: ExampleOptions,
): Examples {
  const messages = messagesFor(options)
  const examples: Example[] = []
  let [unjudged, unreachable] = [0, 0]
  for (const query of queries) {
    const { qid = '', text: question } = query
    const golds = relevantOf(qrels.get(qid))
    if (golds.length === 0) unjudged++
    else if (indexed !== undefined && !golds.some((docid) => indexed.has(docid))) unreachable++
    else
      examples.push({
        qid,
        question,
        messages: messages(query),
        ...(withGolds && { golds }),
        collection,
        split,
        index: examples.length,
      })
  }
  return { examples, unjudged, unreachable }
}
