/** GEPA improves a prompt by the rewards of a running server, and `--template` takes what it writes. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifyPython } from '../../scripts/install-system.mjs'
import { rewardServerWorld } from '../support/reward-server-world.ts'
import { ended, runCommand } from '../support/spawn-cli.ts'

const program = fileURLToPath(new URL('gepa/improve.py', import.meta.url))

it.skipIf(!existsSync(verifyPython))(
  'GEPA finds a prompt that earns more (needs it: npm run verify installs it)',
  async () => {
    const { folder, index, serve } = await rewardServerWorld()
    const rows = join(folder, 'rows.jsonl')
    const exported = await runCommand(['export', folder, '--to', 'gepa', '--index', index, '--out', rows])
    expect(exported.status, exported.errors).toBe(0)
    const url = await serve()
    const improved = await ended(
      spawn(verifyPython, ['-B', program, rows], { env: { ...process.env, QUERENT_URL: url } }),
    )
    expect(improved.status, improved.errors.slice(-4000)).toBe(0)
    const found = JSON.parse(improved.output.trimEnd().split('\n').at(-1)!)
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
