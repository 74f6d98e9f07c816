/** Every command of the skill for coding agents runs, in its order, on the sample. */
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, spawnCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const skill = await readFile('skills/querent/SKILL.md', 'utf8')
const blocks = [...skill.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!.trim().split('\n'))
const commands = blocks.flat()

/** The words of a command, as a shell reads them. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)

it('has what agents look for', () => {
  const [, head] = /^---\n([\s\S]*?)\n---\n/.exec(skill)!
  expect(head).toMatch(/^name: querent$/m)
  // The limit of the format.
  expect(/^description: (.*)$/m.exec(head!)![1]!.length).toBeLessThan(1024)
  expect(skill.split('\n').length).toBeLessThan(150)
  expect(commands.length).toBeGreaterThan(10)
})

it('has commands that run', async () => {
  const cwd = await temporaryFolder()
  await cp('src/sample', join(cwd, 'corpus'), { recursive: true })
  await cp('src/sample/corpus.jsonl', join(cwd, 'documents.jsonl'))
  for (const command of commands) {
    const [npx, querent, ...argv] = wordsOf(command)
    expect([npx, querent]).toEqual(['npx', 'querent'])
    const { status, errors } = await ended(spawnCli(argv, {}, cwd))
    expect([command, status, status === 0 ? '' : errors]).toEqual([command, 0, ''])
  }
})
