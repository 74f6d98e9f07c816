/** What the answering policies reach on the sample with agents that know the judgments. */
import { expect, it } from 'vitest'
import { agentic } from '../../../policies/agentic/agentic.ts'
import { c3po } from '../../../policies/c-3po/c-3po.ts'
import { mao } from '../../../policies/mao-arag/mao.ts'
import { mmoa } from '../../../policies/mmoa-rag/mmoa.ts'
import { none } from '../../../policies/none.ts'
import { sparkle } from '../../../policies/sparkle/sparkle.ts'
import { oracleFigures } from '../../support/oracle-figures.ts'

const all = { em: 1, recall: 1, citedRecall: 1 }
const allButOne = { em: 0.972, recall: 0.993, citedRecall: 0.972 }

it.each([
  // Of 18 questions, all they need is on the first page: one prompt. The others search once more, and are asked once more.
  { policy: agentic({ policy: none() }), history: true, expected: { ...all, asks: 1.5, rounds: 0.5 } },
  // 19 questions need one document: 3 prompts, 1 round. 17 need several: 3 prompts, and a filter in each of 25 rounds. Of the decisions,
  // those for the first step are not asked; 23 prompts decide, or answer before it is decided. The question's own list is read, too.
  // (57 + 51 + 25 + 23) / 36 prompts, (19 + 25) / 36 rounds
  { policy: c3po(), history: false, expected: { ...all, asks: 4.333, rounds: 1.222 } },
  // 18 questions need one document: QR, RA, DS, AG, 4 prompts and 1 round; one rewrite is the question itself, which is no round.
  // 9 compare two things: QDP, 3 + 2 · 3 prompts and 1 round. 9 are chains of n recorded sub-questions: QDS, 3 + 3 n + (n − 1)
  // prompts and n rounds, one with n = 1, seven with 2, one with 3.
  // (18 · 4 + 9 · 9 + 6 + 7 · 10 + 14) / 36 prompts, (17 + 9 + 1 + 14 + 3) / 36 rounds
  { policy: mao(), history: false, expected: { ...allButOne, asks: 6.75, rounds: 1.222 } },
  { policy: mmoa(), history: true, expected: { ...allButOne, asks: 3, rounds: 0.972 } },
  // 36 questions need 68 documents: a thought, a decision, a query and a choice for each, and one prompt for each answer.
  // (4 · 68 + 36) / 36 prompts, 68 / 36 rounds
  { policy: sparkle(), history: false, expected: { ...all, asks: 8.556, rounds: 1.889 } },
])('oracle agents of $policy.name answer the sample', async ({ policy, history, expected }) =>
  expect(await oracleFigures(policy, { history })).toEqual({ queries: 36, ...expected }),
)
