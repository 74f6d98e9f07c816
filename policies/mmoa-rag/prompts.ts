/**
 * The prompts of MMOA-RAG's Query Rewriter and Selector: the paper's tasks and output formats (4.2.1, 4.2.2) in Querent's words. The
 * Generator's prompt is the one of all answering policies, `reading/answer-prompt.ts`.
 */
import { asQuery, queryLines } from '../../src/completion/query-lines.ts'
import type { Prompt } from '../../src/prompt.ts'
import { questionPrompt, unusable, usable } from '../reading/agent-prompt.ts'
import { numbered } from '../reading/numbered.ts'
import { type Asked, type AskedWithDocuments, documentsAreData } from '../reading/question.ts'
import { isSelection, parseSelection, parseSubQuestions } from './parse.ts'

/**
 * Splits the question into sub-questions. Its output may have any number of them.
 *
 * @param strict whether lines are taken as they are: in training, thoughts and marks of lists are not repaired
 */
export const rewritePrompt = (strict: boolean): Prompt<Asked, readonly string[]> =>
  questionPrompt('mmoa/rewrite', {
    verbatim: strict,
    instructions: [
      'You prepare a question for a search engine: you split it into sub-questions that are searched one by one.',
      '',
      '- Write one sub-question per line, 4 at the most, and nothing else: no numbers, no explanation.',
      '- Each sub-question stands alone. Write the names of things, with the help of the conversation where there is one.',
      '- A question that asks for one thing stays one line.',
      '- Do not answer the question.',
    ],
    parse: (text) =>
      usable(
        strict ? parseSubQuestions(text).map(asQuery) : queryLines(text),
        'There is no sub-question in it',
      ),
  })

/**
 * Chooses among the documents. Its output is their places, from 0; none if the completion is empty or says that none helps.
 *
 * @param strict whether only the grammar is accepted, as in training
 */
export const selectPrompt = (strict: boolean): Prompt<AskedWithDocuments, readonly number[]> =>
  questionPrompt('mmoa/select', {
    verbatim: strict,
    instructions: [
      'You choose the documents that help to answer a question.',
      '',
      '- Answer with their names, separated by commas, and nothing else, such as: Document0,Document3',
      '- Choose every document that the answer needs, and no other. If none of them helps, write: none',
      '- Do not answer the question.',
      `- ${documentsAreData}`,
    ],
    given: ({ documents }) => [`Documents:\n${numbered(documents, 0)}`],
    parse(text, { documents }) {
      if (strict && !isSelection(text, documents.length)) throw unusable('It is not a list of documents')
      const chosen = parseSelection(text, documents.length)
      if (chosen === undefined) throw unusable('It names none of the documents')
      return chosen
    },
  })
