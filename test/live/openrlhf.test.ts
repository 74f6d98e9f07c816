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
  'the adapter fits OpenRLHF 0.9.1, 0.10 and 0.11 (needs its wheels: npm run verify fetches them)',
  async () => {
    const { status, output, errors } = await ended(spawn(verifyPython, ['-S', program, shims, ...wheels]))
    expect(status, errors).toBe(0)
    const found = JSON.parse(output)
    for (const { error, lacks, keywords, read } of found) {
      expect({ error, lacks }).toEqual({ error: null, lacks: [] })
      expect(keywords).toEqual(expect.arrayContaining(['prompt', 'label', 'max_length', 'llm_engine']))
      expect(read).toEqual(expect.arrayContaining(['observation_tokens', 'action_ranges']))
    }
    const takesImages = (one: { readonly keywords: readonly string[] }) => one.keywords.includes('images')
    expect(found.map(takesImages)).toEqual([false, true, true])
  },
)
