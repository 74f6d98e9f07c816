/** The reference of docs/cli.md: each setting once, and what each command takes. `UPDATE_DOCS=1` writes it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commands } from '../../src/cli/commands/index.ts'
import { dashed, flagsOf, type Setting } from '../../src/cli/settings/setting.ts'
import { groups, others } from '../../src/cli/settings/table.ts'
import { firstCells, tableOf } from '../support/markdown.ts'

const page = 'docs/cli.md'
const [begin, end] = ['<!-- made by test/cli/docs.test.ts -->', '<!-- end -->']

type Settings = Readonly<Record<string, Setting>>

/** A setting as it is typed, and what it means. */
function rowOf(name: string, setting: Setting): string {
  const flags = flagsOf(name, setting).map(({ flag }) => flag)
  const typed = setting.isFlag ? flags.join(', ') : name
  const meaning = (setting.description ?? '').replaceAll(/[|<>]/g, '\\$&')
  return `\`${`${typed} ${setting.argument}`.trim()}\` | ${meaning}`
}

const rowsOf = (settings: Settings): string[] => Object.entries(settings).map((entry) => rowOf(...entry))

const typedAs = (name: string, { isFlag, description }: Setting): string =>
  `\`${!isFlag ? name : description === undefined ? `--no-${name}` : dashed(name)}\``

async function reference(): Promise<string> {
  const taken = []
  for (const { usage, settings } of commands) {
    const { Own = {}, ...shared } = (await settings()).groups
    const own = Object.entries(Own).map((entry) => typedAs(...entry))
    // The groups stand in the order of the table.
    const named = Object.keys(shared)
      .join(', ')
      .replace(/(Index|Sub-queries), .*, Limits/, '$1 to Limits')
    const all = [own.join(' '), named].filter((part) => part !== '')
    if (all.length > 0) taken.push(`- \`${usage}\`: ${all.join('; ')}`)
  }
  return [
    '### What each command takes',
    taken.join('\n'),
    '### Settings',
    [
      'setting | meaning\n--- | ---',
      ...Object.entries(groups).flatMap(([name, settings]) => [`**${name}** |`, ...rowsOf(settings)]),
      ...['**Of single commands** |', ...rowsOf(others)],
    ].join('\n'),
  ].join('\n\n')
}

it('docs/cli.md lists all commands, what each takes, and all settings, in at most 3,450 words', async () => {
  expect(firstCells(tableOf(page, 'command'))).toEqual(commands.map(({ name }) => name))
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  const made = `${before}${begin}\n${await reference()}\n${end}${after}`
  expect(after, `${page} has the marks`).toBeDefined()
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, made)
  expect(readFileSync(page, 'utf8'), 'UPDATE_DOCS=1 writes it anew').toBe(made)
  expect(made.split(/\s+/).length).toBeLessThanOrEqual(3450)
})
