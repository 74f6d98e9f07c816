import { readFile } from 'node:fs/promises'
import { QuerentError } from '../../errors.ts'
import { withoutMark } from '../settings/config-file.ts'

/**
 * The user's prompt for ACQO, with `{question}` and `{context}` to fill in; `undefined` if no file is named.
 *
 * @throws QuerentError `missing-file`; `bad-file` for a text without a place for the question
 */
export async function readTemplate(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The template ${path} cannot be read`, { cause })
  })
  if (content.includes('{question}')) return withoutMark(content).trimEnd()
  throw new QuerentError('bad-file', `The template ${path} has no place for the question`, {
    remedy: 'Write {question} where it goes, and {context} where the conversation goes.',
  })
}
