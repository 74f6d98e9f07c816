/** Clients of NeMo Gym's protocol, verifiers' and its own agent, read exported rows, search and get rewards of a running server. */
import { existsSync } from 'node:fs'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { nemoGymPython, verifiersPython } from '../../scripts/install-system.mjs'
import { playedBy } from '../support/python.ts'
import { rewardServerWorld } from '../support/reward-server-world.ts'
import { runCommand } from '../support/spawn-cli.ts'
import { isFull } from '../support/tier.ts'

const program = (name: string): string => fileURLToPath(new URL(`nemo-gym/${name}`, import.meta.url))

/** Exports the world's rows, keeps the first, and adds one like it for each of these columns, for an agent. */
async function rowsFor(
  { folder, index }: { readonly folder: string; readonly index: string },
  more: readonly object[],
): Promise<string> {
  const rows = join(folder, 'rows.jsonl')
  const exported = await runCommand(['export', folder, '--to', 'nemo-gym', '--index', index, '--out', rows])
  expect(exported.status, exported.errors).toBe(0)
  const row = JSON.parse((await readFile(rows, 'utf8')).split('\n', 1)[0]!)
  const parameters = {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  }
  const tool = { type: 'function', name: 'search', parameters, strict: true }
  const agents = { responses_create_params: { ...row.responses_create_params, tools: [tool] } }
  await writeFile(rows, `${JSON.stringify(row)}\n`)
  for (const columns of more) await appendFile(rows, `${JSON.stringify({ ...row, ...agents, ...columns })}\n`)
  return rows
}

const topiocqa = { reward_for: 'documents', profile: 'topiocqa' }
const nobody = { query_id: 'nobody', ground_truth: [] }
const document = expect.objectContaining({ id: 'arlow-stadium', contents: expect.any(String) })

it.skipIf(!existsSync(verifiersPython))(
  'verifiers gets the rewards of rows (needs it: npm run verify installs it)',
  async () => {
    const world = await rewardServerWorld()
    const rows = await rowsFor(world, [topiocqa, { reward_for: 'answer', answers: ['Arlow'] }, nobody])
    const url = await world.serve('--set', 'eta=1')
    const found = await playedBy(verifiersPython, [program('play_rows.py'), rows], { QUERENT_URL: url })
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

// It needs Python 3.12, and 1.4 GB.
if (isFull)
  it.skipIf(!existsSync(nemoGymPython))(
    "NeMo Gym's own agent gets the rewards of rows (needs it: npm run verify -- --full installs it)",
    async () => {
      const world = await rewardServerWorld()
      const rows = await rowsFor(world, [topiocqa, nobody])
      const url = await world.serve('--set', 'eta=1')
      const found = await playedBy(nemoGymPython, [program('run_agent.py'), rows], { QUERENT_URL: url })
      expect(found).toMatchObject({
        right: { reward: 2, items: ['message'] },
        malformed: { reward: -0.1 },
        documents: { reward: 3, shown: [{ documents: expect.arrayContaining([document]) }] },
        unseen: { reward: -0.1 },
        'wrong call': { reward: 3, shown: [{ error: expect.stringContaining('query') }, expect.anything()] },
        'no JSON': { reward: 3 },
        unknown: { status: 500 },
        mean: { 'mean/reward': 0.5 },
      })
    },
  )
