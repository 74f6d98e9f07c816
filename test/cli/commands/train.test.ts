/** What `querent train` says before it reads anything. The trainings themselves are in test/live. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function trainOver(files: readonly string[], ...flags: readonly string[]) {
  const folder = await temporaryFolder()
  const path = (name: string) => join(folder, name)
  for (const name of files) await writeFile(path(name), '{"format":"querent-training"}')
  const argv = ['train', path('missing'), '--index', '/nowhere', '--out', path('policy.json'), ...flags]
  const { errors } = await runToEnd(argv)
  return { errors, path }
}

describe('querent train', () => {
  it('says that it replaces the policy', async () => {
    const { errors, path } = await trainOver(['policy.json'])
    expect(errors).toContain(`${path('policy.json')} exists. This training replaces it.`)
  })

  it('says that it replaces a checkpoint, or resumes from it', async () => {
    const { errors, path } = await trainOver(['policy.json.checkpoint'])
    const checkpoint = path('policy.json.checkpoint')
    expect(errors).toContain(
      `${checkpoint} of an earlier training is replaced. To continue that training, stop`,
    )
    const resumed = await trainOver(['policy.json.checkpoint'], '--resume')
    expect(resumed.errors).toContain(`Resuming from ${resumed.path('policy.json.checkpoint')}.`)
  })

  it('replaces no other file by a checkpoint', async () => {
    const folder = await temporaryFolder()
    const notes = join(folder, 'notes.txt')
    await writeFile(notes, 'mine')
    const { errors, status } = await runToEnd([
      ...['train', '/missing', '--index', '/nowhere', '--out', join(folder, 'policy.json')],
      ...['--set', `checkpoint=${notes}`],
    ])
    expect(errors).toContain(`--set checkpoint ${notes} is there, and is not a checkpoint`)
    expect(status).toBe(2)
  })

  it('writes the policy, the checkpoint and the report into files of their own', async () => {
    const out = '/nowhere/policy.json'
    for (const [name, ...typed] of [
      ['--report', '--report', out],
      ['--set checkpoint', '--set', `checkpoint=${out}`],
    ])
      expect((await trainOver([], ...typed, '--out', out)).errors).toContain(
        `--out and ${name} are the same file, ${out}`,
      )
  })

  it('says nothing of files that are new', async () => {
    const { errors } = await trainOver([])
    expect(errors).not.toMatch(/replace|Resuming/)
  })
})
