/** The lists of docs/rewriting.md are what `understand` says of the examples. `UPDATE_DOCS=1` writes them. */
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

/** Reasons that the sections before the lists explain, or that are mistakes which engines refuse, too. */
const explained =
  /operators|by a vector|still be typing|stand in|operator: and|more than 100|beyond the first|rank_window_size|longer than|more than 1000|JSON object|^a clause of it|whole number|empty|no `_id`|search_after|slice|scroll|not JSON/

/** Variants that the sections before the lists explain. */
const variants =
  /a vector|vector builder|operators$|without fields|beyond the window|an empty|long form|the same (?:words|text)|`nested`|`hybrid`/

/** Why a search passes through, in the same words for all that do for one reason; or how it is ranked. */
function outcomeOf(example: Example): { readonly passes?: string; readonly ranked?: string } {
  const { body, parameters = {}, told = {} } = example
  const settings = { window: defaultWindow, rerank: true, kindsFor: kindsIn(example) }
  const result = parseSearch({ parameters, body }, told, settings)
  if (!('reason' in result)) return { ranked: howRanked(result) ?? 'rewritten' }
  return { passes: result.reason.replace(/^(Querent does not know \w+ \w+) `.*`$/, '$1') }
}

/** What is rewritten; and the reasons of the rest, with their examples where a reason has several. */
function listOf({ heading, examples }: ExampleGroup): string {
  const ranked = new Map<string, string[]>()
  const passes = new Map<string, string[]>()
  for (const example of examples) {
    const outcome = outcomeOf(example)
    const [names, key] = outcome.passes === undefined ? [ranked, outcome.ranked!] : [passes, outcome.passes]
    if (explained.test(key) || variants.test(example.name)) continue
    names.set(key, [...(names.get(key) ?? []), example.name])
  }
  const reasons = Array.from(passes, ([reason, names]) =>
    names.length === 1 ? `  - ${reason}` : `  - ${reason}: ${names.join('; ')}`,
  )
  return [
    `### ${heading}`,
    '',
    ...Array.from(ranked, ([outcome, names]) => `- **${outcome}**: ${names.join('; ')}`),
    ...(reasons.length === 0 ? [] : ['- **passes through**:', ...reasons]),
  ].join('\n')
}

it('docs/rewriting.md says what is rewritten, and why the rest is not', () => {
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  const lists = exampleGroups.filter(({ isInProse = false }) => !isInProse).map(listOf)
  const made = `${before}${begin}\n${lists.join('\n\n')}\n${end}${after}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, made)
  expect(after, `${page} has the marks`).toBeDefined()
  expect(readFileSync(page, 'utf8')).toBe(made)
})
