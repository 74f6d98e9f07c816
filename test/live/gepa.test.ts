/** GEPA improves a prompt by the rewards of a running server, and `--template` takes what it writes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifyPython } from '../../scripts/install-system.mjs'
import { playedBy } from '../support/python.ts'
import { rewardServerWorld } from '../support/reward-server-world.ts'
import { runCommand } from '../support/spawn-cli.ts'

const program = fileURLToPath(new URL('gepa/improve.py', import.meta.url))

it.skipIf(!existsSync(verifyPython))(
  'GEPA finds a prompt that earns more (needs it: npm run verify installs it)',
  async () => {
    const { folder, index, serve } = await rewardServerWorld()
    const rows = join(folder, 'rows.jsonl')
    const exported = await runCommand(['export', folder, '--to', 'gepa', '--index', index, '--out', rows])
    expect(exported.status, exported.errors).toBe(0)
    const url = await serve()
    const found = await playedBy(verifyPython, [program, rows], { QUERENT_URL: url })
    expect(found).toMatchObject({
      // δ for each answer of the wrong form.
      before: expect.closeTo(-0.1, 10),
      told: expect.stringContaining('wrong form'),
      template: 'Write a query. ONLY JSON.\n\n{context}\n\nCurrent question:\n{question}',
      partly: expect.stringContaining('1 of 2 documents that are needed were not found'),
      unknown: expect.stringContaining('cannot be priced'),
    })
    expect(found.after).toBeGreaterThan(0.5)
  },
)
