/** Turns the judged queries of a split into training examples with prompts. */
import { rewritePrompt, type Template } from '../../../policies/acqo/prompt.ts'
import type { Message, Qrels, Query } from '../../types.ts'
import { relevantOf } from '../data/relevant-docs.ts'
import type { Example } from './formats.ts'

export interface PromptOptions {
  /** The maximum number of sub-queries in an answer. 1 gives the paper's prompt without decomposition. Default: 3. */
  readonly maxSubQueries?: number
  /** A template that replaces the default prompt. */
  readonly template?: Template
}

/**
 * Returns a function from a query to the messages that ask a model to rewrite it. The policy `acqo` sends the same messages,
 * so the trained model fits it.
 */
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
  /** Docids of the index. Queries without a relevant document among them are omitted. Default: no query is omitted. */
  readonly indexed?: ReadonlySet<string>
  /** Whether examples include their relevant documents. Default: true. */
  readonly withGolds?: boolean
}

export interface Examples {
  readonly examples: readonly Example[]
  /** Number of queries without relevant documents. */
  readonly unjudged: number
  /** Number of queries whose relevant documents are not in the index. A model cannot learn from them. */
  readonly unreachable: number
}

/** Examples are in the order of the queries. */
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
