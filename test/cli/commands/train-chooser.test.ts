/** `querent train --rollouts`: what does not fit. test/live/train-chooser.test.ts trains. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { jsonLines, writeRoutingWorld } from '../../support/routing-world.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it('says what does not fit', async () => {
  const folder = await temporaryFolder()
  await writeRoutingWorld(folder)
  const work = await temporaryFolder()
  const path = (name: string): string => join(work, name)
  const train = (...argv: readonly string[]) => runToEnd(['train', ...argv, '--out', path('chooser.json')])
  const [none, other] = [path('none.jsonl'), path('other.jsonl')]
  await writeFile(none, '')
  await writeFile(other, jsonLines([{ version: 1, qid: 'nobody', policy: 'c3po', settings: {}, nodes: [] }]))
  const complaint = async (...argv: readonly string[]): Promise<string> => {
    const { status, errors } = await train(...argv)
    expect(status).not.toBe(0)
    return errors
  }
  expect(await complaint('--rollouts', none)).toContain('belongs to one collection, but 0 are named')
  expect(await complaint(folder, '--rollouts', none, '--set', 'tauMax=5/3')).toContain(
    '--set tauMax trains a policy, and --rollouts a chooser',
  )
  expect(await complaint(folder, '--rollouts', other)).toContain(`${other} has no rollouts of the queries of`)
  await expect(readFile(path('chooser.json'))).rejects.toThrow()
})
