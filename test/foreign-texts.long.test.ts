/**
 * Every reader of texts from outside (completions, queries, documents) takes time in proportion to their length, whatever they are
 * made of. Processor time is measured, since other programs do not count into it.
 */

import { expect, it } from 'vitest'
import { hasOperators, withoutOperators } from '../adapters/apps/drop-in/parse/json.ts'
import { answerOf } from '../adapters/apps/reward-server/response-text.ts'
import { bestSentence } from '../adapters/rerank/bridge.ts'
import { rankPrompt } from '../adapters/rerank/rank-prompt.ts'
import { searchedText } from '../adapters/search/cluster/words.ts'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { followUpPrompt } from '../policies/acqo/follow-up.ts'
import { rewritePrompt } from '../policies/acqo/prompt.ts'
import { answerSoFar } from '../policies/agentic/parse.ts'
import { roundPrompt } from '../policies/agentic/prompt.ts'
import { decidePrompt, filterPrompt, planPrompt, routerPrompt } from '../policies/c-3po/prompts.ts'
import { conversationOf } from '../policies/conversation.ts'
import { fieldsOf, filterFieldsSchema } from '../policies/filters/fields.ts'
import { knownOf } from '../policies/filters/known.ts'
import { filterPrompt as readingPrompt } from '../policies/filters/prompt.ts'
import { readFilters, textWithout } from '../policies/filters/read-filters.ts'
import { localPolicy } from '../policies/local/local-policy.ts'
import {
  decomposePrompt,
  rewritePrompt as maoRewrite,
  planPrompt as workflow,
} from '../policies/mao-arag/prompts.ts'
import { finalAnswerF1 } from '../policies/mao-arag/rewards.ts'
import { selectPrompt, rewritePrompt as split } from '../policies/mmoa-rag/prompts.ts'
import { generatorPenalty, selectorPenalty, sharedReward } from '../policies/mmoa-rag/rewards.ts'
import { answerPrompt } from '../policies/reading/answer-prompt.ts'
import { numbered } from '../policies/reading/numbered.ts'
import { hasSteps, parseFormulated, parseThought } from '../policies/sparkle/parse.ts'
import {
  formulatePrompt,
  integratePrompt,
  decidePrompt as needed,
  thinkPrompt,
} from '../policies/sparkle/prompts.ts'
import { answerRecall } from '../policies/sparkle/rewards.ts'
import { sentencesAsTriples } from '../policies/sparkle/triples.ts'
import { documentNumbers } from '../src/completion/document-numbers.ts'
import { finalAnswer } from '../src/completion/final-answer.ts'
import { isUnknown } from '../src/completion/is-unknown.ts'
import { queryLines } from '../src/completion/query-lines.ts'
import { maxQueryLength } from '../src/config.ts'
import { searchKey } from '../src/dedupe.ts'
import { createOptimizer } from '../src/optimizer.ts'
import { type Prompt, parsed } from '../src/prompt.ts'
import { analyzer } from '../src/text/analyze.ts'
import { answerF1 } from '../src/text/answer.ts'
import { isQuestion } from '../src/text/is-question.ts'
import { createLexicon } from '../src/text/lexicon.ts'
import { oneLine } from '../src/text/one-line.ts'
import { parseDocument } from '../src/text/parse-document.ts'
import { parseText } from '../src/text/parse-text.ts'
import { withoutSpecialTokens } from '../src/text/special-tokens.ts'
import { spokenOnly } from '../src/thoughts.ts'
import { extractPrompt } from '../src/training/data/extract-prompt.ts'
import { judgePrompt } from '../src/training/rollouts/judge.ts'

const length = 100_000

const documents = [
  { docid: 'a', title: 'Alder', text: 'The alder grows by rivers.' },
  { docid: 'b', title: 'Birch', text: 'The birch grows in the north.' },
]
const known = knownOf(
  fieldsOf(
    filterFieldsSchema.parse({ brand: { type: 'keyword', values: ['Aldo'] }, price: 'EUR', made: 'date' }),
  ),
  new Map(),
)
const asked = {
  question: 'which tree grows by rivers?',
  history: [],
  documents,
  passages: documents.map((document) => ({ document })),
  candidates: [{ head: 'Alder', relation: '', tail: 'It grows by rivers.', docid: 'a' }],
  turn: 'question' as const,
  text: 'shoes by Aldo under 50 euros',
  known,
  answers: ['alder'],
  given: 'alder',
}

/** Reads a completion as a search does. */
const reads =
  <Input>(prompt: Prompt<Input, unknown>) =>
  (text: string): unknown =>
    parsed(prompt, text, asked as unknown as Input)

const rewriting = { decompose: true, maxSubQueries: 3, template: undefined }
const analyze = analyzer()

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'acqo, strict': reads(rewritePrompt({ ...rewriting, strict: true })),
  acqo: reads(rewritePrompt({ ...rewriting, strict: false })),
  'acqo, second look': reads(followUpPrompt(3)),
  'c3po, plan': reads(planPrompt),
  'c3po, judge': reads(judgePrompt),
  ...Object.fromEntries(
    [true, false].flatMap((strict) => [
      [`agentic ${strict}`, reads(roundPrompt({ form: 'auto', strict }))],
      [`c3po, router ${strict}`, reads(routerPrompt(strict))],
      [`c3po, decision ${strict}`, reads(decidePrompt(strict))],
      [`c3po, filter ${strict}`, reads(filterPrompt(strict))],
      [`mmoa, sub-questions ${strict}`, reads(split(strict))],
      [`mmoa, selection ${strict}`, reads(selectPrompt(strict))],
      [`mao, workflow ${strict}`, reads(workflow(strict))],
      [`sparkle, decision ${strict}`, reads(needed(strict))],
      [`sparkle, query ${strict}`, reads(formulatePrompt(strict, true))],
      [`sparkle, fact ${strict}`, reads(integratePrompt(strict))],
      [`answer ${strict}`, reads(answerPrompt('answer', { long: strict }))],
    ]),
  ),
  'mao, sub-questions': reads(decomposePrompt('serial')),
  'mao, query': reads(maoRewrite),
  'sparkle, thought': reads(thinkPrompt({ long: false }, false)),
  'sparkle, facts': reads(extractPrompt),
  filters: reads(readingPrompt),
  'order of passages': reads(rankPrompt),
  // Without the limit of completions.
  'answer so far': (text) => answerSoFar(text, 5),
  'thought alone': parseThought,
  'query alone': parseFormulated,
  'steps alone': hasSteps,
  'lines alone': queryLines,
  'answer alone': finalAnswer,
  'long answer alone': (text) => finalAnswer(text, true),
  'no answer': isUnknown,
  'numbers of documents': documentNumbers,
  stream(text) {
    const spoken = spokenOnly(() => {}, false)
    for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) spoken.write(piece)
    spoken.end()
  },
  rewards: (text) => [
    sharedReward(text, ['a']),
    generatorPenalty(text),
    selectorPenalty(text, 9),
    finalAnswerF1(text, ['a']),
  ],
  recall: (text) => answerRecall([text], ['alder']),
  'special tokens': (text) => [withoutSpecialTokens(text), answerOf(text, 'p')],
  'filters in words': (text) => textWithout(text, readFilters(text, known)),
  'syntax of queries': (text) => [hasOperators(text, 'query_string'), withoutOperators(text)],
  'words of an engine': (text) => searchedText(text, 1000),
  key: searchKey,
  'question or not': isQuestion,
  tokens: analyze,
  f1: (text) => answerF1(text, ['alder']),
  'parsed text': (text) =>
    parseText(
      text,
      createLexicon(() => 1),
    ),
  'parsed document': (text) =>
    parseDocument(
      { docid: 'd', title: text, text },
      createLexicon(() => 1),
    ),
  line: (text) => oneLine(text),
  'documents of a prompt': (text) => numbered([{ docid: 'd', title: text, text }], 1),
  conversation: (text) => conversationOf([{ role: 'user', text }]),
  'facts of a document': (text) => sentencesAsTriples().of([{ docid: 'd', text }]),
  'best sentence': (text) => bestSentence({ docid: 'd', text }, ['by rivers']),
}

/** What a text begins with, and what is repeated behind it. */
const heads = [
  '',
  'It is so. ',
  '1. ',
  '[',
  '```\n',
  '<think>',
  'Step 3: ',
  'Thought: so. Action: [',
  '{"query":"',
]
const classes = [
  ...[' ', '\n', '\r\n', '\t', '\u00a0', '\u2028', '\u0085', '\u3000', ' \n', '\u0000', '\u001b[', '\u202e'],
  ...[
    '.',
    '. ',
    '.\n',
    '?',
    '! ',
    ',',
    ', ',
    ';',
    ':',
    '-',
    '- ',
    '*',
    '**',
    '_',
    '`',
    '#',
    '|',
    '/',
    '\\',
    '%%',
    '=',
    '+',
  ],
  ...['"', "'", '"A b" ', '\u201c', '(', '[', '[]', ']', '{', '{}', '<', '<>', '>', '\\boxed{'],
  ...[
    '0',
    '1,',
    '1. ',
    '1) ',
    '1,000',
    '1-',
    'a',
    'Aa ',
    'Aa\n',
    'Aa. ',
    'A. ',
    "a's ",
    'e\u0301',
    '\u0301',
    '\u200d',
  ],
  ...[
    '\u{1f600}',
    '\u{1f468}\u200d',
    '\ud800',
    '\udc00',
    'and ',
    'or ',
    ', and ',
    'but,',
    'under 5 and ',
    'is of ',
  ],
  // Twelve scripts: Cyrillic, Greek, Hebrew, Arabic, Devanagari, Tamil, Georgian, Ethiopic, Thai, Chinese, Japanese, Korean.
  ...['Ж ', 'Ελ ', 'א', 'ع ', 'क्षि', 'தமி ', 'ხ ', 'አ', 'ไทย ', '中', '日本。', '한국어 '],
]
const grammars = [
  ...[
    '[Retrieval, ',
    '[Retrieval] ',
    'Question:',
    'Answer: ',
    '. Answer',
    'The answer is: ',
    '<think>',
    '</think>',
    '<thi',
  ],
  ...[
    '{"query":',
    '{"query": "a"}',
    '{"',
    'Thought: ',
    'Action:',
    'Action: [',
    'Action: []',
    '<answer>',
    '<a; b; c>\n',
  ],
  ...[
    'Step 1: <',
    '\nStep 2:',
    '\nStep 3:',
    'Document0,',
    'Document ',
    '[1] > ',
    '[1]',
    '[[1],',
    '1 > ',
    '[1] = ',
  ],
  ...[
    'Workflow: ',
    'RA, ',
    'between 2 and 3 ',
    'not from Aldo or ',
    '2020-05-01 ',
    'in what ',
    'who is ',
    '<|im_end|>',
    '<|',
    '|>',
  ],
  ...['1. a\n', '| a | b |\n', '|---|\n', 'a:\n', '# a\n', '```\n', 'Q1: ', 'Sub-question 1: ', 'AND NOT '],
]

const run = (read: (text: string) => unknown, text: string): void => {
  try {
    read(text)
  } catch {
    // A refusal takes its time, too.
  }
}

/** Milliseconds of the processor, at best. */
function time(read: (text: string) => unknown, text: string): number {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 5 && best > 25; tries++) {
    const start = process.cpuUsage()
    run(read, text)
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/** At most 50 ms; or more on a slow machine, if it grows with the length and not with its square. */
function isQuick(read: (text: string) => unknown, text: string): boolean {
  const ms = time(read, text)
  return ms <= 50 || (ms < 500 && ms < 8 * Math.max(10, time(read, text.slice(-text.length / 4))))
}

it.each(Object.keys(readers))('%s', (name) => {
  const read = readers[name]!
  run(read, 'alder')
  const slow: string[] = []
  for (const piece of [...classes, ...grammars])
    for (const head of heads) {
      const text = (size: number): string => `${head}${piece.repeat(Math.ceil(size / piece.length))}x`
      // What is far too slow for a tenth of the length is not tried with more.
      const isFar = time(read, text(length / 10)) > 100
      if (isFar || !isQuick(read, text(head === '' ? length : length / 4))) slow.push(head + piece)
    }
  expect(slow).toEqual([])
})

it('a search with the local policy', async () => {
  const retrievers = [await buildWinkBm25(documents)]
  const { policy, ...local } = await localPolicy({ retrievers })
  const { search } = createOptimizer({ retrievers, ...local, policy })
  await search('alder')
  const slow: string[] = []
  for (const piece of [...classes, ...grammars]) {
    const start = process.cpuUsage()
    await search(`${piece.repeat(Math.ceil(maxQueryLength / piece.length))}x`)
    if (process.cpuUsage(start).user > 1_000_000) slow.push(piece)
  }
  expect(slow).toEqual([])
})
