/** The adapter of rollouts takes what OpenRLHF's engines send, and gives what they read: both out of the wheels themselves. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifyPython, wheelsOf } from '../../scripts/install-system.mjs'
import { ended } from '../support/spawn-cli.ts'

const shims = fileURLToPath(new URL('../../examples/integrations/python', import.meta.url))
const program = fileURLToPath(new URL('trl/bind_openrlhf.py', import.meta.url))
const wheels = wheelsOf('openrlhf')

it.skipIf(wheels.length === 0)(
  'the adapter fits the oldest and the newest OpenRLHF (needs its wheels: npm run verify fetches them)',
  async () => {
    const { status, output, errors } = await ended(spawn(verifyPython, ['-S', program, shims, ...wheels]))
    expect(status, errors).toBe(0)
    const [oldest, newest] = JSON.parse(output)
    for (const { error, lacks, keywords, read } of [oldest, newest]) {
      expect({ error, lacks }).toEqual({ error: null, lacks: [] })
      expect(keywords).toEqual(expect.arrayContaining(['prompt', 'label', 'max_length', 'llm_engine']))
      expect(read).toEqual(expect.arrayContaining(['observation_tokens', 'action_ranges']))
    }
    expect([oldest, newest].map(({ keywords }) => keywords.includes('images'))).toEqual([false, true])
  },
)
