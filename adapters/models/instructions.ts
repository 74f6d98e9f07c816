import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { EmbedOptions } from '../../src/types.ts'

/** What a model was trained to see before a text, such as `query: ` and `passage: ` for E5. */
export interface Instructions {
  /** Put before every query as it is, white space included. */
  readonly queryPrefix?: string
  /** Put before every document as it is, white space included. */
  readonly documentPrefix?: string
}

export const instructionsShape = { queryPrefix: z.string().optional(), documentPrefix: z.string().optional() }

/** `text` with the instruction of its kind. */
export function instruct(text: string, kind: EmbedOptions['kind'], instructions: Instructions): string {
  return (instructions[`${kind}Prefix`] ?? '') + text
}

/** What an embedder's name ends with where its documents get an instruction: other instructions make other vectors. */
export function instructionsSuffix({ documentPrefix = '' }: Instructions): string {
  return documentPrefix === ''
    ? ''
    : `+${createHash('sha256').update(documentPrefix).digest('hex').slice(0, 8)}`
}
