/** `querent completion`: what a real bash offers after the script was read. */
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { commands } from '../../../src/cli/commands/index.ts'
import { runToEnd } from '../../support/run-to-end.ts'

async function scriptFor(shell: string): Promise<string> {
  const { status, output } = await runToEnd(['completion', shell])
  expect(status).toBe(0)
  return output
}

/** What bash offers for the last of these words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const line = `
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length - 1}
    _querent
    printf '%s\\n' "\${COMPREPLY[@]}"
  `
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-u', '-c', (await scriptFor('bash')) + line],
    {
      encoding: 'utf8',
    },
  )
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter((word) => word !== '')
}

it('offers the commands, then the flags of the command', async () => {
  const names = commands.map(({ usage }) => usage.split(' ')[0])
  expect(await offered('querent', '')).toEqual([...names, '--help', '--version'])
  expect(await offered('querent', 'ex')).toEqual(['explain', 'export'])
  expect(await offered('querent', 'fuse', '--we')).toEqual(['--weights'])
  expect(await offered('querent', 'search', 'who', '--no-r')).toEqual(['--no-rerank'])
  expect(await offered('querent', 'search', '-')).toContain('-k')
})

it('leaves values and files to the shell, which completes them as files', async () => {
  expect(await offered('querent', 'search', '--index', 'my')).toEqual([])
  expect(await offered('querent', 'nothing', '--')).toEqual([])
})

it.each(['zsh', 'fish'])('has every command and its help for %s', async (shell) => {
  const script = await scriptFor(shell)
  for (const { usage } of commands) expect(script).toContain(usage.split(' ')[0])
  if (shell === 'fish') {
    expect(script).toContain("-n '__fish_seen_subcommand_from search' -s k -r -d")
    // A quote in a help text does not end it.
    expect(script).toContain("score an LLM\\'s rewrites")
  }
})

it('names the shells where it knows none of that name', async () => {
  const { status, errors } = await runToEnd(['completion', 'tcsh'])
  expect(status).toBe(2)
  expect(errors).toContain('bash, zsh, fish')
})
