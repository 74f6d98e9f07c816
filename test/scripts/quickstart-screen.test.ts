/** What the quickstart shows of a question. */
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { questionScreen } from '../../scripts/quickstart-screen.mjs'
import { createOptimizer } from '../../src/optimizer.ts'
import { scriptedRetriever } from '../support/scripted.ts'
import { deciding, leaving } from '../support/scripted-policy.ts'

const found = { 'Who wrote Emma?': ['emma', 'dune'], 'Emma Emma author': ['austen', 'emma'] }
const titles = new Map([['austen', 'Jane Austen, an author with a name that is too long']])

it('shows what each way found, which query found it, and what was searched', async () => {
  const retrievers = [scriptedRetriever({ found })]
  const search = async (policy = leaving) =>
    createOptimizer({ retrievers, policy, k: 5 }).search({ text: 'Who wrote Emma?' })
  const question = {
    kind: 'A question',
    text: 'Who wrote Emma?',
    history: [{ role: 'user', text: 'I read novels.' }],
    needed: new Set(['austen']),
  }
  const columns = [
    { heading: 'without Querent', result: await search() },
    { heading: 'local', result: await search(deciding(['Emma Emma author'])) },
  ]
  const lines = questionScreen(question, columns, (docid) => titles.get(docid) ?? docid, 62)
  // emma: 1 + 1/2; austen: 1; dune: 1/2.
  expect(lines.map(stripVTControlCharacters).join('\n')).toBe(`A question: Who wrote Emma?
  after user: I read novels.

  without Querent               local
    emma                     0    emma                   0 1
    dune                     0  ✓ Jane Austen, an author … 1
                                  dune                     0
  0 of 1 needed                 1 of 1 needed

  local searched 0 and these
    1  Emma (×2) author`)
})
