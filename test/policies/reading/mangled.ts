/** Recorded completions, and the ways in which models write the same. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rewritePrompt } from '../../../policies/acqo/prompt.ts'
import { decidePrompt, filterPrompt, routerPrompt } from '../../../policies/c-3po/prompts.ts'
import { decomposePrompt, planPrompt, summarizePrompt } from '../../../policies/mao-arag/prompts.ts'
import { selectPrompt, rewritePrompt as splitPrompt } from '../../../policies/mmoa-rag/prompts.ts'
import { answerPrompt } from '../../../policies/reading/answer-prompt.ts'
import { standalonePrompt } from '../../../policies/reading/standalone.ts'
import {
  formulatePrompt,
  integratePrompt,
  decidePrompt as neededPrompt,
} from '../../../policies/sparkle/prompts.ts'
import type { Prompt } from '../../../src/prompt.ts'
import { judgePrompt } from '../../../src/training/rollouts/judge.ts'
import { recordedCompletions } from '../../support/recorded-answers.ts'
import { sampleFolder } from '../../support/small-policy.ts'

const documents = Array.from({ length: 10 }, (_, place) => ({ docid: `d${place}`, text: 'A text.' }))
const candidates = [
  { head: 'Ulysses', relation: 'author', tail: 'James Joyce', docid: 'a' },
  { head: 'James Joyce', relation: 'born in', tail: 'Dublin', docid: 'b' },
  { head: 'Elbe', relation: '', tail: 'It flows into the North Sea.', docid: 'c' },
]
const input = {
  question: 'who?',
  history: [],
  documents,
  candidates,
  turn: 'question',
  solved: [],
  answers: ['a'],
}

export interface Completion {
  readonly prompt: Prompt<never, unknown>
  readonly text: string
  /** The same as keys and values, or as a list. */
  readonly json: unknown
  /** Its lines, where it is a list of them or of one. */
  readonly lines?: readonly string[]
  /** What a model calls it. */
  readonly label: string
}
export const inputOfAll = input as never

const as = <Input>(prompt: Prompt<Input, unknown>): Prompt<never, unknown> => prompt as Prompt<never, unknown>
const acqo = rewritePrompt({ decompose: true, maxSubQueries: 3, strict: false, template: undefined })
const answers = ['mmoa/answer', 'c3po/answer', 'mao/answer'].map((name) =>
  answerPrompt(name, { long: false }),
)

const answer = (text: string, place: number): Completion[] =>
  [answers[place % 3]!, as(summarizePrompt({ long: false }))].map((prompt) => ({
    prompt: as(prompt as Prompt<never, unknown>),
    text,
    json: { answer: text },
    lines: [text],
    label: 'Answer',
  }))

function ofC3po(text: string, place: number): Completion[] {
  if (text.startsWith('{'))
    return [
      {
        prompt: as(standalonePrompt),
        text,
        json: JSON.parse(text),
        lines: [JSON.parse(text).query],
        label: 'Query',
      },
    ]
  const [, thought, action] = /^Thought: (.*) Action: (.*)$/s.exec(text) ?? []
  const [, name, query] = /^\[(\D+)\] ?(.*)$/.exec(action ?? text) ?? []
  const json = { action: name ?? JSON.parse(action ?? 'null'), ...(query && { query }) }
  if (name !== undefined && thought === undefined)
    return [{ prompt: as(routerPrompt(false)), text, json, lines: [text], label: 'Decision' }]
  if (thought === undefined) return text.includes('\n') ? [] : answer(text, place)
  const prompt = as(name === undefined ? filterPrompt(false) : (decidePrompt(false) as never))
  return [{ prompt, text, json: { thought, ...json }, label: 'Output' }]
}

function ofMmoa(text: string, place: number): Completion[] {
  const lines = text.split('\n')
  if (/^Document\d/.test(text))
    return [
      {
        prompt: as(selectPrompt(false)),
        text,
        json: { documents: text.split(',') },
        lines: [text],
        label: 'Relevant documents',
      },
    ]
  if (!text.endsWith('?')) return answer(text, place)
  return [splitPrompt(false), decomposePrompt('serial')].map((prompt) => ({
    prompt: as(prompt as Prompt<never, unknown>),
    text,
    json: { sub_questions: lines },
    lines,
    label: lines.length > 1 ? 'Sub-questions' : 'Question',
  }))
}

/** What a model writes for prompts that nothing is recorded for. */
const others: readonly Completion[] = [
  ...['AG', 'RA, AG', 'RA, DS, AG', 'QR, RA, DS, AG', 'QDS', 'QDP'].map((text) => ({
    prompt: as(planPrompt(false)),
    text,
    json: { workflow: text.split(', ') },
    lines: [text],
    label: 'Workflow',
  })),
  ...['Yes (retrieval is required)', 'No (retrieval is not required)'].map((text) => ({
    prompt: as(neededPrompt(false)),
    text,
    json: { decision: text.split(' ')[0] },
    lines: [text],
    label: 'Decision',
  })),
  ...['<Ulysses; author; James Joyce>', 'Elbe: It flows into the North Sea.'].map((text) => ({
    prompt: as(integratePrompt(false)),
    text,
    json: { fact: text },
    lines: [text],
    label: 'Fact',
  })),
  ...['True', 'False'].map((text) => ({
    prompt: as(judgePrompt),
    text,
    json: { verdict: text },
    lines: [text],
    label: 'Verdict',
  })),
]

/** Every recorded completion of the sample, with the prompt that it was written for. */
export async function completions(): Promise<readonly Completion[]> {
  const [c3po, mmoa] = await Promise.all(['c3po', 'mmoa'].map(recordedCompletions))
  const rewrites = (await readFile(join(sampleFolder, 'rewrites.jsonl'), 'utf8')).trim().split('\n')
  const queries = rewrites.map(
    (line) => (JSON.parse(line) as { readonly queries: readonly string[] }).queries,
  )
  return [
    ...c3po!.flatMap(({ completion }, place) => ofC3po(completion, place)),
    ...mmoa!.flatMap(({ completion }, place) => ofMmoa(completion, place)),
    ...queries.map((all) => {
      const json = { query: all.join(' %% ') }
      return { prompt: as(acqo), text: JSON.stringify(json), json, lines: all, label: 'Queries' }
    }),
    ...queries.map(([query]) => {
      const steps = { 'Step 1': '<a; b; [unknown]>', 'Step 2': 'what has to be known', 'Step 3': query! }
      const text = Object.entries(steps)
        .map(([step, said]) => `${step}: ${said}`)
        .join('\n')
      return { prompt: as(formulatePrompt(false, true)), text, json: steps, label: 'Output' }
    }),
    ...others,
  ]
}

const drafts =
  'Okay, they want {"query": "text"} or [Planning], perhaps QDP.\n\nDocument9? Answer: Utrecht. Yes, no.\nThought: hm. Action: [9]\nStep 3: the capital'
const inLines =
  (change: (line: string, place: number) => string) =>
  ({ lines, text }: Completion): string =>
    (lines ?? text.split('\n')).map(change).join('\n')
const listed =
  (change: (line: string, place: number) => string) =>
  (one: Completion): string =>
    one.lines === undefined ? one.text : inLines(change)(one)
const inTable = inLines(
  (line, place) => `${place === 0 ? '| # | what |\n|---|---|\n' : ''}| ${place + 1} | ${line} |`,
)
const around =
  (head: string, tail = '') =>
  ({ text }: Completion): string =>
    `${head}${text}${tail}`

const isWord =
  /^(?:\[(?:No Retrieval|Planning)\]|[A-Z]{2,3}(?:, [A-Z]{2})*|Document[^?]*|True|False|(?:Yes|No) \(.*)$/
const isNames = /^Document\d/

/** How models write what they write. Each takes what they were asked for to what they write in its place. */
export const manglings: Readonly<Record<string, (one: Completion) => string>> = {
  thoughts: around(`<think>\n${drafts}\n</think>\n\n`),
  'thoughts without the opening tag': around(`${drafts}\n</think>\n\n`),
  'thoughts of another maker': around(
    `<|channel|>analysis<|message|>${drafts}<|end|><|start|>assistant<|channel|>final<|message|>`,
    '<|return|>',
  ),
  'special tokens': around('', '<|im_end|>'),
  'a fence': around('```\n', '\n```'),
  'a fence with a language': around('```text\n', '\n```'),
  'a fence among words': around('Here it is:\n\n```\n', '\n```\n\nI hope this helps!'),
  'bold lines': inLines((line) => `**${line}**`),
  code: listed((line) => `\`${line}\``),
  quotes: listed((line) => `"${line}"`),
  'curly quotes': listed((line) => `“${line}”`),
  'a label': ({ label, text }) => `${label}:${text.includes('\n') ? '\n' : ' '}${text}`,
  'a bold label': ({ label, text }) => `**${label}:**${text.includes('\n') ? '\n' : ' '}${text}`,
  'a label on its own line': ({ label, text }) => `${label}:\n${text}`,
  'a heading': ({ label, text }) => `## ${label}\n\n${text}`,
  'words before': around('Here is what you asked for:\n\n'),
  'a sentence before': around('Sure, I can help with that.\n\n'),
  'a remark behind': around('', '\n\nI hope this helps! Let me know if you need anything else.'),
  'a remark right behind': around('', '\nThis is what the documents say.'),
  'a reason behind': around('', '\n\nReason: it follows from what is given above.'),
  'an explanation behind': around('', '\n\n**Explanation:** the question needs it, and nothing else does.'),
  JSON: ({ json }) => JSON.stringify(json),
  'JSON in lines': ({ json }) => JSON.stringify(json, null, 2),
  'JSON in a fence': ({ json }) => `\`\`\`json\n${JSON.stringify(json, null, 2)}\n\`\`\``,
  'JSON among words': ({ json }) => `Sure! Here it is: ${JSON.stringify(json)} I hope this helps.`,
  lines: inLines((line) => line),
  numbers: listed((line, place) => `${place + 1}. ${line}`),
  'numbers in brackets': listed((line, place) => `(${place + 1}) ${line}`),
  bullets: listed((line) => `- ${line}`),
  'bullets in bold': listed((line) => `* **${line}**`),
  'a full stop': ({ text, label }) =>
    isWord.test(text) || (label === 'Answer' && text.split(' ').length < 6) ? `${text}.` : text,
  'another case': ({ text }) => (isWord.test(text) ? text.toLowerCase() : text),
  'without brackets': ({ text }) => (/^\[|Action: \[/.test(text) ? text.replaceAll(/[[\]]/g, '') : text),
  'names with blanks': ({ text }) =>
    isNames.test(text) ? text.replaceAll('Document', 'Document ').replaceAll(',', ', ') : text,
  'a name a line': ({ text }) => (isNames.test(text) ? text.replaceAll(',', '\n') : text),
  'names and names': ({ text }) =>
    isNames.test(text) ? `The documents ${text.replaceAll(',', ' and ')} help.` : text,
  'numbers with names': ({ text }) => text.replace(/(?<=Action: \[[\d, ]*)\d+(?=[\d, ]*\])/g, 'Document $&'),
  'thought and action apart': ({ text }) =>
    text.replace(/^Thought: (.*) Action: /s, '**Thought**: $1\n\n**Action**: '),
  'a table': (one) => (/quer|question/i.test(one.label) ? inTable(one) : one.text),
  blanks: inLines((line) => `  ${line}  \t`),
  'blank lines': inLines((line) => `\n${line}\n`),
  CRLF: ({ text }) => `${text.replaceAll('\n', '\r\n')}\r\n`,
}
