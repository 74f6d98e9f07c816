/** `--set filterFields`, in the commands that search with one policy. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openServedSearch } from '../../src/cli/open/served-search.ts'
import type { Trace } from '../../src/types.ts'
import { docidsOf } from '../fusion/lists.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testTerminal } from '../support/test-terminal.ts'

const corpus = [
  { _id: 'boot', text: 'A light hiking boot.', metadata: { brand: 'Northwind', price: 120 } },
  { _id: 'shoe', text: 'A light hiking shoe.', metadata: { brand: 'Aurora', price: 45.9 } },
]
const query = 'light hiking boot under 80 euros by Northwind or Aurora'

async function prepared() {
  const folder = await temporaryFolder()
  const file = (name: string): string => join(folder, name)
  const lines = (all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('')
  await writeFile(file('corpus.jsonl'), lines(corpus))
  await writeFile(file('queries.jsonl'), lines([{ _id: 'q', text: query }]))
  await writeFile(file('qrels.tsv'), 'query-id\tcorpus-id\tscore\nq\tshoe\t1\n')
  await writeFile(file('fields.json'), JSON.stringify({ price: { type: 'number', unit: 'EUR' } }))
  expect((await runToEnd(['index', folder, '--out', file('index')])).status).toBe(0)
  return { folder, index: file('index'), searching: ['--index', file('index'), '--policy', 'none'], file }
}

const filterStep = ({ steps }: Trace) => steps.find(({ type }) => type === 'filter')

describe('--set filterFields', () => {
  it('orders the hits of search, and says which words became which filter', async () => {
    const { searching, file } = await prepared()
    const { output, errors } = await runToEnd([
      'search',
      query,
      ...searching,
      '--set',
      'filterFields=brand,price=EUR',
    ])
    expect(output).toMatch(/1\. shoe[\s\S]*2\. boot/)
    expect(errors).toContain('filter "under 80 euros": price < 80\n')
    expect(errors).toContain('filter "by Northwind … Aurora": brand is "Northwind" or "Aurora"\n')

    const json = ['--set', `filterFields=${file('fields.json')}`, '--json', '--trace']
    const { hits, trace } = JSON.parse((await runToEnd(['search', query, ...searching, ...json])).output)
    expect(docidsOf(hits)).toEqual(['shoe', 'boot'])
    expect(filterStep(trace)).toMatchObject({ read: [{ condition: { field: 'price', lt: 80 } }] })
  })

  it('is explained, with what was dropped', async () => {
    const { searching } = await prepared()
    const words = 'light hiking boot under 20 euros'
    const { output } = await runToEnd(['explain', words, ...searching, '--set', 'filterFields=price=EUR'])
    expect(output).toContain('filter "under 20 euros": price < 20 (dropped: nothing passes it)\n')
    const kept = await runToEnd(['explain', query, ...searching, '--set', 'filterFields=price=EUR'])
    expect(kept.output).toMatch(/^ {2}F {2}your words under their filters$/m)
    expect(kept.output).toMatch(/shoe.*F#1/)
  })

  it('is evaluated, and served beside a search without', async () => {
    const { folder, index, searching } = await prepared()
    const evaluated = await runToEnd([
      ...['evaluate', folder, ...searching, '--metrics', 'mrr@1', '--json'],
      ...['--set', 'filterFields=price=EUR'],
    ])
    expect(JSON.parse(evaluated.output)).toMatchObject({ metrics: { 'mrr@1': 1 } })
    const filterFields = { price: 'EUR' }
    const served = await openServedSearch({ index, policy: 'none', filterFields }, testTerminal())
    expect(docidsOf((await served.search(query)).hits)).toEqual(['shoe', 'boot'])
    expect(docidsOf((await served.plain!.search(query)).hits)).toEqual(['boot', 'shoe'])
    await served.close()
  })

  it.each([
    [2, 'price=', 'must be fields such as'],
    [2, 'brand,brand', 'must be fields such as'],
    [1, 'nowhere.json', 'nowhere.json cannot be read'],
  ])('%s: refuses %s', async (expected, fields, message) => {
    const { searching } = await prepared()
    const { status, errors } = await runToEnd([
      'search',
      query,
      ...searching,
      '--set',
      `filterFields=${fields}`,
    ])
    expect([status, errors]).toEqual([expected, expect.stringContaining(message)])
  })
})
