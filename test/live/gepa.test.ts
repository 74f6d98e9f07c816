/** GEPA improves a prompt by the rewards of a running server, and `--template` takes what it writes. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { verifyPython } from '../../scripts/install-system.mjs'
import { ended, runCommand, spawnCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeTrainingWorld } from '../support/training-world.ts'

const program = fileURLToPath(new URL('gepa/improve.py', import.meta.url))

it.skipIf(!existsSync(verifyPython))(
  'GEPA finds a prompt that earns more (needs it: npm run verify installs it)',
  async () => {
    const folder = await temporaryFolder()
    await writeTrainingWorld(folder)
    const [index, rows] = [join(folder, 'index'), join(folder, 'rows.jsonl')]
    for (const argv of [
      ['index', folder, '--out', index],
      ['export', folder, '--to', 'gepa', '--index', index, '--out', rows],
    ]) {
      const { status, errors } = await runCommand(argv)
      expect(status, errors).toBe(0)
    }
    const server = spawnCli(['reward-server', '--index', index, '--port', '0'])
    const end = ended(server)
    onTestFinished(async () => {
      server.kill('SIGTERM')
      expect((await end).status).toBe(0)
    })
    let url = ''
    for await (const line of createInterface({ input: server.stderr })) {
      url = /^Listening on (http:\/\/[\d.]+:\d+)/.exec(line)?.[1] ?? ''
      if (url !== '') break
    }
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
