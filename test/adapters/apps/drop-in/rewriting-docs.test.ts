/** The tables of docs/rewriting.md are what `understand` says of the examples. `UPDATE_DOCS=1` writes them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseSearch } from '../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { defaultWindow } from '../../../../adapters/apps/drop-in/run/options.ts'
import {
  type Example,
  type ExampleGroup,
  exampleGroups,
  howRanked,
  kindsIn,
} from '../../../support/rewriting-examples.ts'

const page = 'docs/rewriting.md'
const [begin, end] = ['<!-- made by test/adapters/apps/drop-in/rewriting-docs.test.ts -->', '<!-- end -->']

function becomes(example: Example): string {
  const { body, parameters = {}, told = {} } = example
  const settings = { window: defaultWindow, rerank: true, kindsFor: kindsIn(example) }
  const result = parseSearch({ parameters, body }, told, settings)
  if ('reason' in result) return `passes through: ${result.reason}`
  const slots = result.slots.map((path) => `\`${path.join('.')}\``).join(', ')
  const ranked = howRanked(result)
  return ranked === undefined ? slots : `${slots}; ${ranked}`
}

const tableOf = ({ heading, examples }: ExampleGroup): string =>
  [
    `### ${heading}`,
    '',
    '| search with | places that get the sub-query, or reason |',
    '| --- | --- |',
    ...examples.map((example) => `| ${example.name} | ${becomes(example)} |`),
  ].join('\n')

it('docs/rewriting.md says what is rewritten, and why the rest is not', () => {
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  const made = `${before}${begin}\n${exampleGroups.map(tableOf).join('\n\n')}\n${end}${after}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, made)
  expect(after, `${page} has the marks`).toBeDefined()
  expect(readFileSync(page, 'utf8')).toBe(made)
})
