/**
 * ACQO's rewriting prompt. It has the structure of the paper's Figure 7a (7b without decomposition) in Querent's words. The
 * conversation comes before the current question. The question ends the last user message.
 */
import type { Prompt } from '../../src/prompt.ts'
import { oneLine } from '../../src/text/one-line.ts'
import type { Message } from '../../src/types.ts'
import { conversationOf, intentOf } from '../conversation.ts'
import { asking, type Lines } from '../reading/agent-prompt.ts'
import type { Asked } from '../reading/question.ts'
import { parseLenient, parseStrict } from './parse.ts'

/** The values that fill your own prompt. */
export interface TemplateInput {
  readonly question: string
  /** The conversation as lines `Q1: …`, `A1: …`, and what the search is for below it; empty without either. */
  readonly context: string
}

/**
 * Your own text for the prompt, for example for a model that was trained on it. A string becomes one user message, with
 * `{context}` and `{question}` replaced. A function makes the messages.
 */
export type Template = string | ((input: TemplateInput) => readonly Message[])

export interface RewriteSettings {
  readonly decompose: boolean
  readonly maxSubQueries: number
  readonly strict: boolean
  readonly template: Template | undefined
}

export function rewritePrompt({
  decompose,
  maxSubQueries,
  strict,
  template,
}: RewriteSettings): Prompt<Asked, string[]> {
  const limit = decompose ? maxSubQueries : 1
  const instructed = instructions(limit)
  return {
    name: 'acqo/rewrite',
    render({ question: asked, history, intent }) {
      const question = oneLine(asked)
      const [conversation, purpose] = [conversationOf(history), intentOf(intent)]
      const context = [conversation, ...purpose].filter((part) => part !== '').join('\n\n')
      const input = { question, context }
      if (typeof template === 'function') return template(input)
      if (template !== undefined) return [{ role: 'user', content: fill(template, input) }]
      const shown = [`Conversation so far:\n${conversation}`, ...purpose, `Current question:\n${question}`]
      return asking(instructed, ...shown)
    },
    parse: (text, { question, history }) =>
      strict
        ? parseStrict(text, limit)
        : parseLenient(text, limit, [question, ...history.map((turn) => turn.text)].join(' ')),
  }
}

const instructions = (limit: number): Lines => [
  'You write queries for a search engine. Work out what the user’s current question asks for, with the help of the conversation where there is one, and put it in words that stand alone.',
  '',
  '- Keep the meaning and the telling words of the question; add related words where they help the search. A question that needs no change is given back as it is.',
  '- What you write is searched, not read: it has to lead to the documents that hold the answer.',
  limit > 1 &&
    `- You may give several queries, ${limit} at the most, where separate searches would find more than one.`,
  '- Answer with JSON and nothing else, the text under the key "query": {"query": "text"}',
  limit > 1 && '- Separate several queries by %% inside that one string: {"query": "first %% second"}',
]

/** Fills both placeholders in one pass, so braces in the user's words are never taken for placeholders. */
function fill(template: string, input: TemplateInput): string {
  return template.replace(/\{(context|question)\}/g, (_, place: keyof TemplateInput) => input[place])
}
