/** The last prompt that a budget allows is that of the answer. */
import { QuerentError } from '../../src/errors.ts'
import type { Tools } from '../../src/policy.ts'

/**
 * The tools of a policy whose prompts of the answer are `final`. Where an answer is wanted and one prompt is left, other prompts are
 * not asked: they fail with `budget-exceeded`, and the policy goes on as after any prompt that fails.
 */
export const keepingTheLast = (tools: Tools): Tools => ({
  ...tools,
  async ask(prompt, input) {
    if (tools.answers && prompt.final !== true && tools.left().asks <= 1)
      throw new QuerentError('budget-exceeded', 'The last prompt is kept for the answer')
    return tools.ask(prompt, input)
  },
})
