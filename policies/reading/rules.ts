/** Rules in place of prompts, for ablations: a function answers what a model would be asked. */
import { z } from 'zod'
import type { Tools } from '../../src/policy.ts'

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

const ruleOf = (rules: object, name: string): Rule<unknown, never> | undefined => Reflect.get(rules, name)

/** The tools, with prompts that have a rule answered by it: without a model, at no cost, with no step in the trace. */
export const withRules = (tools: Tools, rules: object): Tools => ({
  ...tools,
  async ask(prompt, input) {
    const rule = ruleOf(rules, prompt.name)
    return rule === undefined ? tools.ask(prompt, input) : rule(input)
  },
})

/** The names of those prompts that no rule answers: a model has to serve them. */
export const withoutRules = (prompts: readonly { readonly name: string }[], rules: object): string[] =>
  prompts.map(({ name }) => name).filter((name) => ruleOf(rules, name) === undefined)
