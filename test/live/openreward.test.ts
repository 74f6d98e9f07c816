/** OpenReward's own client, and TRL's adapter around it, play episodes of the Open Reward Standard on a running server. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { trlPython, verifyPython } from '../../scripts/install-system.mjs'
import { playedBy } from '../support/python.ts'
import { rewardServerWorld } from '../support/reward-server-world.ts'

const program = (name: string): string => fileURLToPath(new URL(`openreward/${name}`, import.meta.url))

/** Runs a program against a server of the training world, and gives what its last line says. */
async function played(python: string, ...argv: readonly string[]) {
  const { folder, serve } = await rewardServerWorld()
  const [queries, qrels] = [join(folder, 'queries.jsonl'), join(folder, 'qrels.train.tsv')]
  const url = await serve('--queries', queries, '--qrels', qrels, '--set', 'profile=topiocqa')
  return await playedBy(python, argv, { QUERENT_URL: url, OPENREWARD_SESSION_URL: url })
}

// η = 1, k* = 3: Φ(1) + 1 / log2(2) = 3.
it.skipIf(!existsSync(verifyPython))(
  "OpenReward's client plays (needs it: npm run verify installs it)",
  async () => {
    expect(await played(verifyPython, program('play_episodes.py'))).toEqual({
      splits: ['train'],
      tasks: 72,
      first: { query_id: 'q0', question: 'where is the stadium of arlow' },
      tools: ['search', 'submit'],
      prompt: expect.stringContaining('where is the stadium of arlow'),
      shown: expect.stringContaining('[arlow-stadium]'),
      documents: [3, true],
      late: expect.stringContaining('has been submitted'),
      rewrite: 3,
      gone: expect.stringContaining('no session'),
      dead: 'MaxRetriesError',
    })
  },
)

it.skipIf(!existsSync(verifyPython) || !existsSync(trlPython))(
  "TRL's adapter plays (needs both: npm run verify installs them)",
  async () => {
    const libraries = join(verifyPython, '../../lib')
    const client = join(libraries, readdirSync(libraries)[0]!, 'site-packages')
    expect(await played(trlPython, program('play_trl.py'), client)).toEqual({
      rows: 2,
      prompt: expect.stringContaining('where is the stadium of arlow'),
      shown: expect.stringContaining('[arlow-stadium]'),
      rewards: [3],
    })
  },
)
