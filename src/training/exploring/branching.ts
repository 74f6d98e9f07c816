/** The completions that are tried where a policy asks a prompt. */
import type { PromptSettings } from '../../prompt.ts'
import type { Message } from '../../types.ts'
import type { Completed } from './tree.ts'

export interface Branching {
  /** Completions that are tried whatever the model would say. Default: none. */
  readonly forced?: readonly string[]
  /** How many completions of the model are tried. Default: 1, or 0 beside forced ones. */
  readonly samples?: number
  /** Whether a sample is wanted here. One that is not is sampled again, up to three times. Default: any is. */
  readonly accept?: (text: string) => boolean
  /** The completion in place of a sample that was never accepted. Default: the last sample. */
  readonly otherwise?: string
}

/** Completes the messages of a prompt. If it rejects, nothing can be explored. */
export type Complete = (
  prompt: PromptSettings,
  messages: readonly Message[],
  signal: AbortSignal,
) => Promise<Completed>

export interface Tried extends Completed {
  readonly forced: boolean
}

const maxTries = 4

/** The different completions: the forced ones, then those of the model. At least one. */
export async function completionsOf(
  { forced = [], samples = forced.length === 0 ? 1 : 0, accept = () => true, otherwise }: Branching,
  complete: () => Promise<Completed>,
): Promise<readonly Tried[]> {
  async function sample(): Promise<Tried> {
    let completed = await complete()
    for (let tries = 1; tries < maxTries && !accept(completed.text); tries++) completed = await complete()
    if (otherwise === undefined || accept(completed.text)) return { ...completed, forced: false }
    return { text: otherwise, forced: true }
  }
  const sampled = await Promise.all(Array.from({ length: samples }, sample))
  const all = [...forced.map((text) => ({ text, forced: true })), ...sampled]
  return all.filter(({ text }, place) => all.findIndex((other) => other.text === text) === place)
}
