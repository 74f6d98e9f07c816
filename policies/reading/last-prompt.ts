/** The last prompt that a budget allows is that of the answer. */
import { QuerentError } from '../../src/errors.ts'
import type { Policy } from '../../src/policy.ts'

/**
 * The run of a policy whose prompts of the answer are `final`. Where an answer is wanted and one prompt is left, other prompts are not
 * asked: they fail with `budget-exceeded`, the policy goes on as after any prompt that fails, and the outcome is ended by `asks`.
 */
export const keepingTheLast =
  (run: Policy['run']): Policy['run'] =>
  async (query, tools) => {
    let isShort = false
    const outcome = await run(query, {
      ...tools,
      async ask(prompt, input) {
        if (!tools.answers || prompt.final === true || tools.left().asks > 1) return tools.ask(prompt, input)
        isShort = true
        throw new QuerentError('budget-exceeded', 'The last prompt is kept for the answer')
      },
    })
    return isShort ? { ...outcome, endedBy: 'asks' } : outcome
  }
