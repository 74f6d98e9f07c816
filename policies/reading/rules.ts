/** Rules in place of prompts, for ablations: a function answers what a model would be asked. */
import { z } from 'zod'

/** Takes a prompt's input and gives its output. If it throws or rejects, the policy goes on as if the model had failed. */
export type Rule<Input, Output> = (input: Input) => Output | Promise<Output>

/** The option `rules` of a policy with these prompts. */
export const rulesFor = <Rules extends object>(names: readonly (keyof Rules & string)[]): z.ZodType<Rules> =>
  z.custom<Rules>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries(value).every(
        ([name, rule]) =>
          names.includes(name as keyof Rules & string) && (rule === undefined || typeof rule === 'function'),
      ),
    `must be functions by the name of a prompt: ${names.join(', ')}`,
  )
