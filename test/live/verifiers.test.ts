/** verifiers' own client of NeMo Gym's protocol reads exported rows, searches and gets rewards of a running server. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifiersPython } from '../../scripts/install-system.mjs'
import { rewardServerWorld } from '../support/reward-server-world.ts'
import { ended, runCommand } from '../support/spawn-cli.ts'

const program = fileURLToPath(new URL('verifiers/play_rows.py', import.meta.url))

it.skipIf(!existsSync(verifiersPython))(
  'verifiers gets the rewards of rows (needs it: npm run verify installs it)',
  async () => {
    const { folder, index, serve } = await rewardServerWorld()
    const rows = join(folder, 'rows.jsonl')
    const exported = await runCommand(['export', folder, '--to', 'nemo-gym', '--index', index, '--out', rows])
    expect(exported.status, exported.errors).toBe(0)
    const row = JSON.parse((await readFile(rows, 'utf8')).split('\n', 1)[0]!)
    const tool = { type: 'function', name: 'search', parameters: { type: 'object' } }
    const agents = { responses_create_params: { ...row.responses_create_params, tools: [tool] } }
    await writeFile(rows, `${JSON.stringify(row)}\n`)
    for (const columns of [
      { reward_for: 'documents', profile: 'topiocqa' },
      { reward_for: 'answer', answers: ['Arlow'] },
      { query_id: 'nobody', ground_truth: [] },
    ])
      await appendFile(rows, `${JSON.stringify({ ...row, ...agents, ...columns })}\n`)

    const url = await serve('--set', 'eta=1')
    const played = await ended(
      spawn(verifiersPython, ['-B', program, rows], { env: { ...process.env, QUERENT_URL: url } }),
    )
    expect(played.status, played.errors.slice(-4000)).toBe(0)
    const found = JSON.parse(played.output.trimEnd().split('\n').at(-1)!)
    const document = expect.objectContaining({ id: 'arlow-stadium', contents: expect.any(String) })
    expect(found).toMatchObject({
      right: { reward: 2, metrics: { acc: 1, format: 1, n_sub: 1 } },
      malformed: { reward: -0.1, metrics: { format: 0 } },
      // λ for the first rank, as in the profile of TopiOCQA.
      documents: { reward: 3, metrics: { n_sub: 2 } },
      unseen: { reward: -0.1 },
      'wrong call': { reward: 3, metrics: { n_sub: 1 } },
      // SQuAD: "in", "town", "of", "arlow". One of four is right: F1 = 2 · 1/4 · 1 / (1/4 + 1).
      answer: { reward: 0.4 },
      unknown: expect.stringContaining('422'),
      nobody: expect.stringContaining('ConnectError'),
    })
    expect(found.documents.shown[1]).toEqual([false, { documents: [document, expect.anything()] }])
    expect(found['wrong call'].shown[0]).toEqual([true, { error: expect.stringContaining('query') }])
  },
)
