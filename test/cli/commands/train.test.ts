/** What `querent train` says before it reads anything. The trainings themselves are in test/live. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function trainOver(files: readonly string[], ...flags: readonly string[]) {
  const folder = await temporaryFolder()
  const path = (name: string) => join(folder, name)
  for (const name of files) await writeFile(path(name), '{}')
  const argv = ['train', path('missing'), '--index', '/nowhere', '--out', path('policy.json'), ...flags]
  const { errors } = await runToEnd(argv)
  return { errors, path }
}

describe('querent train', () => {
  it('says that it replaces the policy', async () => {
    const { errors, path } = await trainOver(['policy.json'])
    expect(errors).toContain(`${path('policy.json')} exists. This training replaces it.`)
  })

  it('writes the policy and the report into files of their own', async () => {
    const { errors } = await trainOver(
      [],
      '--report',
      '/nowhere/policy.json',
      '--out',
      '/nowhere/policy.json',
    )
    expect(errors).toContain('--out and --report are the same file, /nowhere/policy.json')
  })

  it('says nothing of files that are new', async () => {
    const { errors } = await trainOver([])
    expect(errors).not.toContain('replace')
  })
})
