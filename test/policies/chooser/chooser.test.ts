import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { c3po } from '../../../policies/c-3po/c-3po.ts'
import { chosenRoutes, chosenWorkflows } from '../../../policies/chooser/chooser.ts'
import { type ChooserFile, readChooser, writeChooser } from '../../../policies/chooser/chooser-file.ts'
import { chooserInputs } from '../../../policies/chooser/question-row.ts'
import { mao } from '../../../policies/mao-arag/mao.ts'
import type { ErrorCode } from '../../../src/errors.ts'
import { expectError } from '../../support/expect-error.ts'
import { searchAnswering } from '../../support/search-answering.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A chooser that takes the first way for questions with a question mark, and else the second. */
function byQuestionMark(prompt: ChooserFile['prompt'], choices: readonly [string, string]): ChooserFile {
  const inputs = chooserInputs(choices)
  const zeros = inputs.map(() => 0)
  return {
    format: 'querent-chooser',
    version: 1,
    prompt,
    choices,
    cost: 0,
    queries: 20,
    scorer: {
      inputs,
      mean: zeros,
      deviation: inputs.map(() => 1),
      skip: inputs.map((name) =>
        name === `${choices[0]} · wording: ends with a question mark` ? 2 : name === choices[1] ? 1 : 0,
      ),
      hidden: [],
    },
  }
}
const routes = byQuestionMark('c3po/router', ['[Retrieval]', '[No Retrieval]'])
const world = {
  found: { 'who?': ['a'], who: ['a'] },
  documents: [{ docid: 'a', title: 'A', text: 'text of a' }],
  search: {},
}

describe('in place of the router of c3po', () => {
  it('chooses without a prompt, and searches the question itself', async () => {
    const policy = c3po({ rules: await chosenRoutes(routes) })
    expect(policy.agents).not.toContain('c3po/router')
    const asked = await searchAnswering(policy, ['Thought: so. Action: [1]', 'Ada'], {
      ...world,
      query: { text: 'who?' },
    })
    expect(asked.asks).toEqual(['c3po/filter', 'c3po/answer'])
    expect(asked.result.answer).toBe('Ada')
    const told = await searchAnswering(policy, ['Ada'], { ...world, query: { text: 'who' } })
    expect(told.asks).toEqual(['c3po/answer'])
  })

  it('a way that the policy does not know counts as a failed prompt: the question is searched', async () => {
    const policy = c3po({
      rules: await chosenRoutes({ ...routes, choices: ['[Retrieval]', '[Walk]'], ...scorerFor('[Walk]') }),
    })
    const { asks, result } = await searchAnswering(policy, ['Thought: so. Action: [1]', 'Ada'], {
      ...world,
      query: { text: 'who' },
    })
    expect(asks).toEqual(['c3po/filter', 'c3po/answer'])
    expect(result.answer).toBe('Ada')
  })
})

const scorerFor = (second: string): Pick<ChooserFile, 'scorer'> =>
  byQuestionMark('c3po/router', ['[Retrieval]', second])

it('in place of the planner of mao, for questions', async () => {
  const workflows = byQuestionMark('mao/plan', ['RA, DS, AG', 'AG'])
  const policy = mao({ rules: await chosenWorkflows(workflows) })
  expect(policy.agents).toEqual([])
  const { asks } = await searchAnswering(policy, ['Document0', 'Ada'], { ...world, query: { text: 'who?' } })
  expect(asks).toEqual(['mao/select', 'mao/answer'])
  const rule = (await chosenWorkflows(workflows))['mao/plan']!
  expect(await rule({ question: 'who', turn: 'question' })).toEqual(['AG'])
  expect(await rule({ question: 'who', turn: 'sub-question' })).toEqual(['RA', 'AG'])
})

describe('the file', () => {
  it('is read as it was written', async () => {
    const path = join(await temporaryFolder(), 'chooser.json')
    await writeChooser(path, routes)
    expect(await readChooser(path)).toEqual(routes)
    expect(Object.keys(await chosenRoutes(path))).toEqual(['c3po/router'])
  })

  it('of another prompt, of other features, cut or missing is refused', async () => {
    const path = join(await temporaryFolder(), 'chooser.json')
    await expectError(readChooser(path), 'missing-file')
    await writeChooser(path, routes)
    await expectError(chosenWorkflows(path), 'bad-config', /c3po\/router.*mao\/plan/)
    await writeFile(path, JSON.stringify(routes).slice(0, -9))
    await expectError(readChooser(path), 'bad-policy')
    await writeFile(path, JSON.stringify({ ...routes, choices: ['[Retrieval]', '[Planning]'] }))
    await expectError(readChooser(path), 'bad-policy', /features/)
  })
})

it.each<[string, unknown, ErrorCode, RegExp?]>([
  ['null', null, 'bad-policy'],
  ['of another kind', { ...routes, format: 'querent-policy' }, 'bad-policy'],
  ['without weights', { ...routes, scorer: undefined }, 'bad-policy'],
  ['of other features', { ...routes, choices: ['[Retrieval]', '[Planning]'] }, 'bad-policy'],
  ['of another prompt', byQuestionMark('mao/plan', ['RA, AG', 'AG']), 'bad-config', /mao\/plan/],
])('an object %s is refused, like a file', async (_, given, code, fact) => {
  await expectError(chosenRoutes(given as ChooserFile), code, fact)
})
