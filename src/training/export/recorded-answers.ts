/** The answers to ACQO's prompt that traces recorded. */
import type { Trace } from '../../types.ts'

/** The prompt whose answers are used. */
const trained = 'acqo/rewrite'

interface RecordedAnswer {
  readonly completion: string
  /** Whether the first attempt was malformed, and this is what the model wrote when it was asked to repair it. */
  readonly isRepaired: boolean
}

export interface RecordedQuery {
  readonly text: string
  /** One for each search, in their order. */
  readonly answers: readonly RecordedAnswer[]
}

/**
 * @param traces the traces of any number of runs. Traces without qid are ignored, and answers to other prompts
 * @param qids the queries to use
 * @returns qid → what was recorded, in the order of the first traces
 */
export async function recordedAnswers(
  traces: AsyncIterable<Trace>,
  qids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, RecordedQuery>> {
  const recorded = new Map<string, { readonly text: string; readonly answers: RecordedAnswer[] }>()
  for await (const { query, steps } of traces) {
    if (query.qid === undefined || !qids.has(query.qid)) continue
    for (const step of steps) {
      if (step.type !== 'ask' || step.output === undefined || step.prompt !== trained) continue
      const entry = recorded.get(query.qid) ?? { text: query.text, answers: [] }
      entry.answers.push({ completion: step.output.trim(), isRepaired: step.attempts > 1 })
      recorded.set(query.qid, entry)
    }
  }
  return recorded
}
