/** The prompt of a round: the model answers from the documents, or says what to search next. It is Querent's own. */
import type { Prompt } from '../../src/prompt.ts'
import { oneLine } from '../../src/text/one-line.ts'
import type { Message } from '../../src/types.ts'
import { agentPrompt } from '../reading/agent-prompt.ts'
import { numbered } from '../reading/numbered.ts'
import { type AskedWithDocuments, documentsAreData } from '../reading/question.ts'
import type { Searched } from './choose-documents.ts'
import { answerSoFar, maxQueries, parseRound, type RoundFormat, type Said } from './parse.ts'

export interface RoundInput extends AskedWithDocuments {
  /** What was searched so far, the question first. */
  readonly searched: readonly Searched[]
  /** Whether nothing is searched any more. */
  readonly isLast: boolean
}

export const roundName = 'agentic/round'

export const roundPrompt = ({ form, strict }: RoundFormat): Prompt<RoundInput, Said> =>
  agentPrompt(roundName, strict, {
    final: form !== 'none',
    instructions: ({ isLast }) => instructions(form, isLast),
    given: ({ documents, searched }) => [
      `Documents:\n${documents.length === 0 ? 'none were found' : numbered(documents, 1)}`,
      `Searched so far:\n${searched.map(searchedLine).join('\n')}`,
    ],
    parse: (text, { documents, isLast }) =>
      parseRound(text, { form, strict, isLast, count: documents.length }),
    answered: (text, { documents }) => answerSoFar(text, documents.length),
  })

/** About how many tokens the messages of a prompt are. */
export const tokensOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => sum + content.length / 4, 0)

const forms: Readonly<Record<RoundFormat['form'], readonly string[]>> = {
  none: [],
  short: [
    'The answer is the shortest that is complete: a name, a date, a number, a few words, yes or no. No sentence, and nothing beside it.',
  ],
  long: [
    'The answer is one to four sentences. After each statement comes the number of the document that says it, in brackets, such as [1].',
  ],
  auto: [
    'Where the question asks for a name, a date, a number, a thing, or yes or no, the answer is just that, in a few words without a sentence.',
    'Where it asks for more (how, why, a description, a list with reasons), the answer is one to four sentences. After each statement comes the number of the document that says it, in brackets, such as [1].',
  ],
}

function instructions(form: RoundFormat['form'], isLast: boolean): string[] {
  const answers = form !== 'none'
  const enough = answers
    ? 'If the documents tell the answer, write it, and on the next line the numbers of the documents that it needs, all steps to it included:\nAnswer: the answer\nDocuments: 2, 5'
    : 'If the documents tell the answer, write the numbers of those that it needs, all steps to it included, the most telling first:\nDocuments: 2, 5'
  const nothing = answers
    ? 'Answer: unknown\nDocuments: the numbers of those that tell a part of it, or none'
    : 'Documents: the numbers of those that tell a part of it, or none'
  const search = [
    `If something is missing that a search may find, write up to ${maxQueries} queries, a line each, and the numbers of the documents to keep:\nSearch: the query\nDocuments: 2`,
    'Keep each document that names something of the question, or that a later step may need. The others are not shown again.',
    'A query stands alone: the search engine sees neither the question nor the documents. Write the names that the documents tell into it, and what is to be found out about them: a bare name finds too much. One query asks for one thing, and the step that others depend on comes first.',
    'Do not search again for what the documents tell, nor for the same in other words. Leave out words that no document has.',
    `If the documents do not tell it, and no search would help either, write:\n${nothing}`,
  ]
  const last = `Nothing more is searched. If the documents only suggest an answer, ${answers ? 'give the one that they suggest best' : 'give the numbers of those that suggest it'}. If they suggest none, write:\n${nothing}`
  return [
    isLast
      ? 'You read what searches have found for a question, and answer it.'
      : 'You read what a search has found for a question. You answer it, or say what to search next.',
    '',
    ...[
      enough,
      ...forms[form],
      'What the documents make clear counts, even if no sentence says it in so many words. Nothing counts that you merely know.',
      ...(isLast ? [last] : search),
      documentsAreData,
      'Write these lines and nothing else.',
    ].map((line) => `- ${line}`),
  ]
}

const longestQuery = 300

function searchedLine({ text, found, missing }: Searched, place: number): string {
  const what =
    place === 0
      ? `the question: ${found} documents`
      : `${oneLine(text, longestQuery)}: ${found} new documents`
  const words = oneLine(missing.join(', '), longestQuery)
  return `- ${what}${words === '' ? '' : `; none of the documents has: ${words}`}`
}
