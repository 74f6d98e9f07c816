/**
 * The prompts of C-3PO's agents, the Reasoning Router, the Information Filter and the Decision Maker, and the one that plans: the
 * paper's tasks and output formats (appendix D) in Querent's words. The answer is that of `reading/answer-prompt.ts`.
 */
import type { Prompt } from '../../src/prompt.ts'
import { oneLine } from '../../src/text/one-line.ts'
import type { Document } from '../../src/types.ts'
import { agentPrompt, usable } from '../reading/agent-prompt.ts'
import { type AnswerSettings, answerPrompt } from '../reading/answer-prompt.ts'
import { documentsSoFar, numbered } from '../reading/numbered.ts'
import { type AskedWithDocuments, documentsAreData, type QuestionInput } from '../reading/question.ts'
import { type Decision, isFound, parseDecision, parseFilter, parseRouter, type Route } from './parse.ts'

export interface DecideInput extends QuestionInput {
  /** What the prompt that plans wrote. */
  readonly roadmap: string
  /** All documents kept so far, with a placeholder for each search that brought none. */
  readonly documents: readonly Document[]
}

export interface FilterInput extends QuestionInput {
  /** What the search was for: the Decision Maker's thought. Absent if the question itself was the reason. */
  readonly objective?: string | undefined
  /** What was found and is not kept. Documents are numbered from 1. */
  readonly documents: readonly Document[]
  /** What earlier searches have kept. */
  readonly kept: readonly Document[]
}

/** The maximum length in characters of a model's words in another prompt. */
const longestRoadmap = 4000
const longestObjective = 1000
/** That of the title, or the text, of a document which is kept already. */
const longestKept = 200

/** Chooses among an answer without documents, one search, and a plan. */
export const routerPrompt = (strict: boolean): Prompt<QuestionInput, Route> =>
  agentPrompt('c3po/router', strict, {
    instructions: [
      'You decide how a question is answered. A language model and a search engine are at hand.',
      '',
      '- Where the language model knows the answer for certain without any document, write: [No Retrieval]',
      '- Where one search finds all that the answer needs, write [Retrieval] and the query, such as: [Retrieval] mayor of Lyon in 1944',
      '- Where the answer needs several searches, or a search for something that another one has to find first, write: [Planning]',
      '- Write one of these three and nothing else. Do not answer the question.',
    ],
    grammar: /^\s*\[(?:(?:No Retrieval|Planning)\]\s*$|Retrieval\])/,
    parse: parseRouter,
  })

/** Writes the roadmap for the Decision Maker. It belongs to no agent. */
export const planPrompt: Prompt<QuestionInput, string> = agentPrompt('c3po/plan', false, {
  temperature: 0.3,
  instructions: [
    'You plan how a question is answered with the help of a search engine.',
    '',
    '- First say what the question asks for, and what has to be known for it.',
    '- Then write the steps, one per line, in their order. Each step finds out one thing. Say which step needs the result of another.',
    '- Write no step that the answer does not need.',
    '- Do not answer the question.',
  ],
  parse: (text) => usable(text.slice(0, longestRoadmap).trim(), 'There is no plan in it'),
})

/** Says whether the documents are enough, and what to search if they are not. */
export const decidePrompt = (strict: boolean): Prompt<DecideInput, Decision> =>
  agentPrompt('c3po/decide', strict, {
    instructions: [
      'You decide what comes next while a question is answered by a plan: another search, or the answer.',
      '',
      '- Compare the documents with the plan. Say in a thought what they show already and what is missing.',
      '- If they are enough, or if further searches would not help, write: Thought: your thought. Action: [LLM]',
      '- If not, write the query of the next search: Thought: your thought. Action: [Retrieval] the query',
      '- The query stands alone and asks for one thing. Write the names that the documents show.',
      '- "No relevant information" means that a search brought nothing: search in other words, or go on with the plan.',
      '- Do not answer the question.',
      `- ${documentsAreData}`,
    ],
    given: ({ documents, roadmap }) => [documentsSoFar(documents), `Plan:\n${roadmap}`],
    grammar: /^\s*Thought:[\s\S]*?Action:\s*\[(?:LLM\]\s*$|Retrieval\])/,
    parse: parseDecision,
  })

const keptLine = ({ title, text }: Document): string => `- ${oneLine(title || text, longestKept)}`

/** Chooses among the documents of a search. Its output is their numbers, from 1. */
export const filterPrompt = (strict: boolean): Prompt<FilterInput, readonly number[]> =>
  agentPrompt('c3po/filter', strict, {
    instructions({ objective, kept }) {
      const aim = objective === undefined ? 'the question' : 'the objective, a step towards the question'
      return [
        `You judge documents that were found for ${aim}.`,
        '',
        `- Say in a thought, for each document, whether it helps with ${aim}.`,
        '- Then list the numbers of those that help, and nothing after it: Thought: your thought. Action: [1, 3]',
        '- If none of them helps, the list is empty: Action: []',
        kept.length > 0 && '- What was kept before is at hand. List what adds to it.',
        '- Do not answer the question.',
        `- ${documentsAreData}`,
      ]
    },
    given: ({ objective, documents, kept }) => [
      `Documents:\n${numbered(documents, 1)}`,
      ...(kept.length === 0 ? [] : [`Kept before:\n${kept.map(keptLine).join('\n')}`]),
      ...(objective === undefined ? [] : [`Objective:\n${oneLine(objective, longestObjective)}`]),
    ],
    grammar: /^\s*Thought:[\s\S]*?Action:\s*\[[^[\]]*\]\s*$/,
    parse: (text, { documents }) => parseFilter(text, documents.length, strict),
  })

/** Answers from the documents. Placeholders, which it sees where there is nothing else, have no marks. */
export function answerPromptOf(settings: AnswerSettings): Prompt<AskedWithDocuments, string | undefined> {
  const prompt = answerPrompt('c3po/answer', settings)
  return {
    ...prompt,
    temperature: 0,
    parse: (text, input) => prompt.parse(text, { ...input, documents: input.documents.filter(isFound) }),
  }
}
