/** A trained chooser as one JSON document. `querent train --rollouts` writes it. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { issuesOf } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import type { Scorer } from '../../src/learn/scorer.ts'
import { scorerSchema } from '../../src/learn/scorer-schema.ts'
import { replaceFile } from '../../src/runtime/atomic-file.ts'
import { jsonOf } from '../../src/runtime/json.ts'
import { chooserInputs } from './question-row.ts'

/** The prompts that a chooser can stand in for: they choose one of a few ways for a question. */
export const choosingPrompts = ['c3po/router', 'mao/plan'] as const

/**
 * The prompt that a chooser stands in for.
 *
 * @useDeclaredType
 */
export type ChoosingPrompt = (typeof choosingPrompts)[number]

export interface ChooserFile {
  readonly format: 'querent-chooser'
  readonly version: 1
  readonly prompt: ChoosingPrompt
  /** What the prompt's model would write: `[Planning]`, or `RA, DS, AG`. A query after `[Retrieval]` is left out. */
  readonly choices: readonly string[]
  readonly scorer: Scorer
  /** What a prompt cost in training, in points of the reward. */
  readonly cost: number
  /** How many queries it was trained on. */
  readonly queries: number
}

const schema: z.ZodType<ChooserFile> = z.strictObject({
  format: z.literal('querent-chooser'),
  version: z.literal(1),
  prompt: z.enum(choosingPrompts),
  choices: z.array(z.string().min(1)).min(1),
  scorer: scorerSchema,
  cost: z.number().nonnegative(),
  queries: z.int().positive(),
})

/**
 * @throws QuerentError `missing-file`; `bad-policy` for a file that is no chooser, or that was trained on other features than this
 *   version makes
 */
export async function readChooser(path: string): Promise<ChooserFile> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The chooser ${path} cannot be read`, { cause })
  })
  return checkChooser(jsonOf(text), path)
}

/**
 * A chooser given as the content of its file.
 *
 * @param where what to call it in the message
 * @throws QuerentError `bad-policy` as `readChooser` rejects
 */
export function checkChooser(given: unknown, where: string): ChooserFile {
  const parsed = schema.safeParse(given)
  if (!parsed.success)
    throw new QuerentError('bad-policy', `${where} is not a chooser: ${issuesOf(parsed.error, 3)}`, {
      remedy: 'Name a file of `querent train --rollouts`.',
    })
  const { choices, scorer } = parsed.data
  const inputs = chooserInputs(choices)
  if (inputs.length !== scorer.inputs.length || inputs.some((name, place) => name !== scorer.inputs[place]))
    throw new QuerentError('bad-policy', `${where} was trained on other features than this version makes`, {
      remedy: 'Train it again with `querent train --rollouts`.',
    })
  return parsed.data
}

/** Writes a chooser in one step. */
export async function writeChooser(path: string, chooser: ChooserFile): Promise<void> {
  await replaceFile(path, [`${JSON.stringify(chooser)}\n`])
}
