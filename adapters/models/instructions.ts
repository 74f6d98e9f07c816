import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { EmbedOptions } from '../../src/types.ts'

/** The texts that a model was trained to see before each text, such as `query: ` and `passage: ` for E5. */
export interface Instructions {
  /** Put before every query, including its white space. */
  readonly queryPrefix?: string
  /** Put before every document, including its white space. */
  readonly documentPrefix?: string
}

export const instructionsShape = { queryPrefix: z.string().optional(), documentPrefix: z.string().optional() }

/** Puts the instruction for this kind before `text`. */
export function instruct(text: string, kind: EmbedOptions['kind'], instructions: Instructions): string {
  return (instructions[`${kind}Prefix`] ?? '') + text
}

/** The end of an embedder's name if its documents get an instruction: another instruction makes other vectors. */
export function instructionsSuffix({ documentPrefix = '' }: Instructions): string {
  return documentPrefix === ''
    ? ''
    : `+${createHash('sha256').update(documentPrefix).digest('hex').slice(0, 8)}`
}
