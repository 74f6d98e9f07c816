import { addAbortSignal } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { z } from 'zod'
import { turns } from '../../config.ts'
import { QuerentError } from '../../errors.ts'
import type { Query, Turn } from '../../types.ts'
import type { Terminal } from '../output/terminal.ts'
import { readJson } from '../settings/config-file.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { refuse } from '../settings/setting.ts'

/** ONNX Runtime ends the process if the command line is longer than about 50,000 characters. */
const longestTyped = 16_000

/**
 * The typed query, or for `-` the query on stdin, with the conversation of `--history` before it.
 *
 * @throws QuerentError `bad-config` for an empty query, or one too long for a command line; `missing-file`, `bad-file` for the
 *   conversation
 */
export async function readQuery(
  typed: string,
  { history }: Pick<SettingsOf<'search'>, 'history'>,
  { stdin, signal }: Terminal,
): Promise<Query> {
  refuse(
    typed.length > longestTyped,
    `The query has ${typed.length} characters, and a typed query may have ${longestTyped}`,
    'Type - instead, and pass the query on standard input.',
  )
  const text = typed === '-' ? (await textOf(addAbortSignal(signal, stdin))).trim() : typed
  refuse(
    text.trim() === '',
    typed === '-' ? 'Standard input has no query: it is empty' : 'The query is empty',
    'Give at least one word, such as querent search "who wrote the letters" …',
  )
  return history === undefined ? { text } : { text, history: await readHistory(history) }
}

async function readHistory(path: string): Promise<readonly Turn[]> {
  const remedy = 'Write a list of turns: [{"role": "user", "text": "…"}, {"role": "agent", "text": "…"}].'
  const read = turns.safeParse(await readJson(path, 'The conversation', remedy, 'bad-file'))
  if (read.success) return read.data
  throw new QuerentError('bad-file', `${path} is not a conversation: ${z.prettifyError(read.error)}`, {
    remedy,
  })
}
