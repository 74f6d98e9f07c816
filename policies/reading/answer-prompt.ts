/**
 * The prompt that writes the answer of a search: from documents, or without any. Its text is the answer, which is streamed while the
 * model writes it.
 */
import { finalAnswer } from '../../src/completion/final-answer.ts'
import { isUnknown } from '../../src/completion/is-unknown.ts'
import { withMarks } from '../../src/completion/marks.ts'
import type { Prompt } from '../../src/prompt.ts'
import { type Lines, questionPrompt, unusable } from './agent-prompt.ts'
import { numbered } from './numbered.ts'
import { type AskedWithDocuments, documentsAreData } from './question.ts'

/** The maximum length of an answer in characters: a short one, and one in sentences. A longer text is not an answer. */
export const longest = { short: 1000, long: 8000 }

export interface AnswerSettings {
  /** Whether the answer is in sentences with marks such as `[1]`, the place of a document among those given. */
  readonly long: boolean
  /** Whether "unknown" counts as an answer like any other, as in training. Default: false. */
  readonly strict?: boolean
  /** Whether it answers a step of a question, to which the next steps add: what leads to an answer counts, too. Default: false. */
  readonly isPart?: boolean
}

/** The form of an answer, as a line of instructions. */
export const formOf = (long: boolean): string =>
  long
    ? '- Answer in one to four sentences.'
    : '- Give the shortest answer that is complete: a name, a date, a number, a few words, yes or no. Write no sentence and no explanation.'

/** Its output is the answer, or `undefined` if the model says that it does not know. */
export const answerPrompt = (
  name: string,
  settings: AnswerSettings,
): Prompt<AskedWithDocuments, string | undefined> =>
  questionPrompt(name, {
    final: true,
    instructions: ({ documents }) => instructions(documents.length > 0, settings),
    given: ({ documents }) => (documents.length > 0 ? [`Documents:\n${numbered(documents, 1)}`] : []),
    parse: (text, { documents }) => answerIn(text, documents.length, settings),
  })

const instructions = (hasDocuments: boolean, { long, isPart = false }: AnswerSettings): Lines => [
  hasDocuments ? 'You answer a question from documents.' : 'You answer a question.',
  '',
  formOf(long),
  long &&
    hasDocuments &&
    '- After each statement, write the number of the document that says it in brackets, such as [1].',
  hasDocuments
    ? '- Say only what the documents say. If they do not say it, answer with the one word: unknown'
    : '- If you do not know it, answer with the one word: unknown',
  hasDocuments &&
    isPart &&
    '- If they do not say it, but something that leads to it, add that, such as: unknown, but it is in Leiden',
  hasDocuments && `- ${documentsAreData}`,
]

/**
 * The answer in a text, or `undefined` if it says that there is none.
 *
 * @param documents how many documents the model has seen: marks of others are removed
 * @throws QuerentError `bad-completion` for an empty or an endless text
 */
export function answerIn(
  text: string,
  documents: number,
  { long, strict = false }: AnswerSettings,
): string | undefined {
  const said = finalAnswer(text, long)
  const answer = long ? withMarks(said, documents) : said
  if (answer === '' || placeholder.test(answer)) throw unusable('There is no answer in it')
  if (answer.length > longest[long ? 'long' : 'short']) throw unusable('It is too long for an answer')
  return !strict && isUnknown(answer) ? undefined : answer
}

/** What prompts show in place of an answer. */
export const placeholder = /^(?:your|the) answer$/i
