/**
 * A second look, which is Querent's and no part of the paper: the model reads the best documents that its sub-queries found, and may
 * write one more batch, for example with a name that it could not know before.
 */
import { refersElsewhere } from '../../src/completion/refers.ts'
import { searchKey, withFewNew } from '../../src/dedupe.ts'
import type { Tools } from '../../src/policy.ts'
import type { Prompt } from '../../src/prompt.ts'
import { oneLine } from '../../src/text/one-line.ts'
import type { Leg } from '../../src/types.ts'
import { asking, type Lines } from '../reading/agent-prompt.ts'
import { numbered } from '../reading/numbered.ts'
import { type AskedWithDocuments, documentsAreData, questionOf } from '../reading/question.ts'
import { parseFollowUp } from './parse.ts'

/** How many documents the model reads. */
const readDocuments = 5

export interface FollowUpInput extends AskedWithDocuments {
  /** The sub-queries that found the documents. */
  readonly searched: readonly string[]
}

/** Its output is the texts to search, none if what was found is enough. */
export function followUpPrompt(maxSubQueries: number): Prompt<FollowUpInput, string[]> {
  return {
    name: 'acqo/follow-up',
    render: (input) =>
      asking(
        instructions(maxSubQueries),
        `Queries searched:\n${input.searched.map((text) => `- ${oneLine(text)}`).join('\n')}`,
        `The best documents found:\n${numbered(input.documents, 1)}`,
        questionOf(input),
      ),
    parse: (text) => parseFollowUp(text, maxSubQueries),
  }
}

const instructions = (limit: number): Lines => [
  'You decide whether a search needs one more step. You see the user’s question, the queries that were searched for it, and the best documents that they found.',
  '',
  '- If the documents tell something that the question depends on and that has to be looked up next, such as the name of a person, a place or a work, write a query with it.',
  '- Do not search again for what the documents already say, and do not repeat a query in other words.',
  '- If one more search would not help, leave the query empty: {"query": ""}',
  '- Each query has to stand alone: the search engine sees neither the question nor the documents.',
  `- ${documentsAreData}`,
  '- Answer with JSON and nothing else, the text under the key "query": {"query": "text"}',
  limit > 1 &&
    `- You may give several queries, ${limit} at the most, separated by %% inside that one string: {"query": "first %% second"}`,
]

interface SecondLook {
  /** What was searched. */
  readonly texts: readonly string[]
  readonly legs: readonly Leg[]
  readonly reason: string
}

/**
 * Shows the model what these legs found, and searches what it writes. Without documents there is nothing to look at. What goes wrong
 * costs nothing that was found before.
 *
 * @returns `undefined` if nothing more was searched
 * @throws only if the search is over
 */
export async function lookAgain(
  prompt: Prompt<FollowUpInput, string[]>,
  asked: Omit<FollowUpInput, 'documents'>,
  legs: readonly Leg[],
  tools: Tools,
): Promise<SecondLook | undefined> {
  const known = new Set([asked.question, ...asked.searched].map(searchKey))
  const left = tools.budget.subQueries - (known.size - 1)
  if (tools.budget.rounds === 1 || left === 0) return undefined
  try {
    const docids = tools.fuse(legs, { k: readDocuments }).map(({ docid }) => docid)
    const documentOf = await tools.documents(docids)
    const documents = docids.flatMap((docid) => documentOf(docid) ?? [])
    if (documents.length === 0) return undefined
    const written = await tools.ask(prompt, { ...asked, documents })
    const fresh = written.filter(
      (text) => !known.has(searchKey(text)) && !refersElsewhere(text, asked.question),
    )
    const texts = withFewNew(fresh, [], left)
    if (texts.length === 0) return undefined
    const reason = `what they found led to ${texts.length} more`
    const subQueries = texts.map((text) => ({ text }))
    return { texts, legs: await tools.retrieve(subQueries, { reason }), reason }
  } catch (error) {
    if (tools.signal.aborted) throw error
    return undefined
  }
}
