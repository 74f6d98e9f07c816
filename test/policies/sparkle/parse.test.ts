import { describe, expect, it } from 'vitest'
import {
  decisionOf,
  hasSteps,
  isDecision,
  parseCandidate,
  parseDecision,
  parseFormulated,
  parseThought,
} from '../../../policies/sparkle/parse.ts'

describe('a thought or an answer', () => {
  const own = 'They want one step. '.repeat(30)
  it.each([
    // Thoughts of the model's own before those that it was asked for.
    [`<think>${own}<answer>x</answer></think>\n<think>Who wrote Ulysses?`, 'Who wrote Ulysses?'],
    [`${own}\n</think>\n\n<think>Who wrote Ulysses?</think>`, 'Who wrote Ulysses?'],
    [`${own}\n</think>\n\nWho wrote Ulysses?`, 'Who wrote Ulysses?'],
    // Several steps at once.
    ['<think>One.</think>\n<think>Two.</think>\n<answer>Three</answer>', 'One.'],
    ['**Thought:** who wrote Ulysses?', 'who wrote Ulysses?'],
    ['<think>First, who wrote Ulysses?', 'First, who wrote Ulysses?'],
    ['<think>First,\n who wrote Ulysses?</think>', 'First, who wrote Ulysses?'],
    // A server that ignores stop words.
    ['<think>One.</think>\n<think>Two.</think>', 'One.'],
    // Without tags, as reasoning models write: one line is one step.
    ['Okay, who wrote Ulysses?\nMaybe Joyce.', 'Okay, who wrote Ulysses?'],
    [`<think>${'word '.repeat(300)}</think>`, 'word '.repeat(200).trim()],
    ['<think> </think>', ''],
    ['', ''],
  ])('%j thinks %j', (text, thought) => expect(parseThought(text)).toEqual({ thought }))

  it.each([
    ['<answer>Dublin</answer>', 'Dublin'],
    ['<think>Joyce was born there.</think>\n<answer> Dublin </answer>', 'Dublin'],
    ['<answer>Cork</answer> no <answer>Dublin', 'Dublin'],
    ['So it is \\boxed{Dublin}.', 'Dublin'],
    ['\\boxed{x^{2}}', 'x^{2}'],
    ['<answer></answer>', ''],
    ['{"answer": "Dublin"}', 'Dublin'],
  ])('%j answers %j', (text, answer) => expect(parseThought(text)).toEqual({ answer }))
})

describe('a decision', () => {
  it.each([
    ['Yes (retrieval is required)', true],
    ['no (retrieval is not required)', false],
    ['**Yes**, because the date is missing', true],
    ['No.', false],
    ['Nobody knows', undefined],
    ['Retrieval is required: yes', true],
    ['The date is missing. Yes (retrieval is required)', true],
    ['{"decision": "no"}', false],
    ['No document shows the date.', undefined],
    ['Yes or no? No.\nYes.', undefined],
    ['', undefined],
  ])('%j is %j', (text, decision) => expect(parseDecision(text)).toBe(decision))

  it.each([
    ['Yes (retrieval is required)', true],
    ['No (retrieval is not required)\n', true],
    ['Yes', false],
    ['Yes (retrieval is not required)', false],
    ['Yes (retrieval is required), so search', false],
  ])('%j is in the grammar: %j', (text, is) => expect(isDecision(text)).toBe(is))
})

describe('a query', () => {
  it.each([
    [
      'Step 1: <Ulysses; author; James Joyce>, <James Joyce; born in; [unknown]>\nStep 2: To continue answering the question, we need to know: his place of birth\nStep 3: Where was James Joyce born?',
      '<Ulysses; author; James Joyce>, <James Joyce; born in; [unknown]>',
      'Where was James Joyce born?',
    ],
    // As in the paper's examples.
    [
      '**Step 1: Reasoning Chain:**\n<a; b; c>,\n<c; d; [unknown]>\n\n**Step 2: Knowledge Gaps:** the d of c\n\n**Step 3: Retrieval Query:**\n"the d of c"\nI hope this helps.',
      '<a; b; c>, <c; d; [unknown]>',
      'the d of c',
    ],
    ['Retrieval Query: first\nRetrieval Query: second', '', 'second'],
    ['Step 2: the gap\nStep 3: the query', '', 'the query'],
    [`Step 3: ${'word '.repeat(150)}`, '', 'word '.repeat(100).trim()],
    ['Step 1: <a; b; c>\nStep 2: the gap\nStep 3:', '<a; b; c>', ''],
    ['the d of c', '', ''],
  ])('%j', (text, chain, query) => expect(parseFormulated(text)).toEqual({ chain, query }))

  it.each([
    ['Step 1: <a; b; c>, <c; d; [unknown]>\nStep 2: the gap\nStep 3: the query', true],
    ['Step 1: <a; b; c>\nStep 2: the gap\nStep 3: the query\n', true],
    ['Step 1: none\nStep 2: the gap\nStep 3: the query', false],
    ['Step 2: the gap\nStep 3: the query', false],
    ['Step 1: <a; b; c>\nStep 2: the gap\nStep 3: ', false],
    ['Step 1: <a; b; c>\nStep 2: the gap\nStep 3: the query\nand more', false],
    ['So:\nStep 1: <a; b; c>\nStep 2: the gap\nStep 3: the query', false],
  ])('%j has the three steps: %j', (text, has) => expect(hasSteps(text)).toBe(has))
})

describe('a candidate', () => {
  const candidates = [
    '<Dublin; located in; Ireland>',
    '<James Joyce; born in; Dublin>',
    'Ulysses: It was published in 1922.',
  ]

  it.each([
    ['<James Joyce; born in; Dublin>', 1],
    ['james joyce, born in: Dublin.', 1],
    ['Ulysses: It was published in 1922.', 2],
    // 3 shared words of 4 and 5: F1 = 6/9.
    ['James Joyce of Dublin', 1],
    // 1 shared word of 1 and 4: F1 = 2/5.
    ['Ireland', undefined],
    ['<Samuel Beckett; born in; Foxrock>', undefined],
    ['', undefined],
    ['the', undefined],
  ])('%j is %j', (text, place) => expect(parseCandidate(text, candidates)).toBe(place))

  it('there are none', () => expect(parseCandidate('<a; b; c>', [])).toBeUndefined())
})

it.each([
  ['Who directed it?', true],
  ['Lang directed it. Where he was born has to be found.', true],
  ['I need to know who directed it.', true],
  ['His birthplace is still missing.', true],
  ['He was born in Vienna, so the answer is Vienna.', false],
  ['The answer is still unknown.', true],
  ['Who directed it? Fritz Lang did.', undefined],
  ['Fritz Lang directed Metropolis.', undefined],
])('%j says of a search: %s', (thought, needed) => expect(decisionOf(thought)).toBe(needed))
