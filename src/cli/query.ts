import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { QuerentError } from '../errors.ts'
import type { Query, Turn } from '../types.ts'
import type { Settings } from './settings.ts'

/** Chat servers say `assistant` for whoever answers. */
const turns = z.array(
  z.object({
    role: z.enum(['user', 'agent', 'assistant']).transform((role) => (role === 'user' ? 'user' : 'agent')),
    text: z.string(),
  }),
)

/** The query that was typed, with the conversation of `--history` before it. */
export async function readQuery(text: string, { history }: Settings): Promise<Query> {
  return history === undefined ? { text } : { text, history: await readHistory(history) }
}

async function readHistory(path: string): Promise<readonly Turn[]> {
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The conversation ${path} cannot be read`, { cause })
  })
  const remedy = 'Write a list of turns: [{"role": "user", "text": "…"}, {"role": "agent", "text": "…"}].'
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (cause) {
    throw new QuerentError('bad-file', `${path} is not JSON`, { remedy, cause })
  }
  const read = turns.safeParse(value)
  if (read.success) return read.data
  throw new QuerentError('bad-file', `${path} is not a conversation: ${z.prettifyError(read.error)}`, {
    remedy,
  })
}
