/** The reference of docs/cli.md is what `--help` and `help settings` print. `UPDATE_DOCS=1` writes it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { firstCells, tableOf } from '../support/markdown.ts'
import { testTerminal } from '../support/test-terminal.ts'

const page = 'docs/cli.md'
const [begin, end] = ['<!-- made by test/cli/docs.test.ts -->', '<!-- end -->']

const helpOf = (...command: readonly string[]): Promise<string> => outputOf(...command, '--help')

async function outputOf(...argv: readonly string[]): Promise<string> {
  const terminal = testTerminal()
  expect(await runCli(argv, terminal)).toBe(0)
  return terminal.output().trimEnd()
}

it('docs/cli.md lists all commands, with what `--help` says of each, and all settings', async () => {
  const commands = Array.from((await helpOf()).matchAll(/^ {2}([a-z][\w-]*) /gm), ([, name]) => name!)
  expect(firstCells(tableOf(page, 'command'))).toEqual(commands)
  const sections: string[] = []
  for (const command of commands)
    sections.push(`### ${command}\n\n\`\`\`text\n${await helpOf(command)}\n\`\`\``)
  sections.push(`### Settings\n\n\`\`\`text\n${await outputOf('help', 'settings')}\n\`\`\``)
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  const made = `${before}${begin}\n${sections.join('\n\n')}\n${end}${after}`
  expect(after, `${page} has the marks`).toBeDefined()
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, made)
  expect(readFileSync(page, 'utf8'), 'UPDATE_DOCS=1 writes it anew').toBe(made)
})
