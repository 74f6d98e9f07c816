/** Rollouts of C-3PO (5.1, B.2): a tree in which every way is taken, and completions are tried in pairs near the root. */
import { type C3poOptions, c3po } from '../../../policies/c-3po/c-3po.ts'
import { parseRouter } from '../../../policies/c-3po/parse.ts'
import { actionsAt } from '../../../policies/c-3po/rewards.ts'
import type { QuestionInput } from '../../../policies/reading/question.ts'
import { exactMatch } from '../../text/answer.ts'
import type { RolloutPlan } from './plan.ts'

export interface C3poRollouts {
  readonly maxRounds?: C3poOptions['maxRounds']
  /**
   * Whether several completions are tried. `false` is the paper's ablation without the tree: one chain, whose reward is that of all its
   * actions. Default: true.
   */
  readonly tree?: boolean | undefined
}

/** The environment's prompts are asked once in each state. */
const agents = new Set(['c3po/decide', 'c3po/filter'])

export function c3poRollouts({ maxRounds, tree = true }: C3poRollouts = {}): RolloutPlan {
  return {
    policy: c3po({ maxRounds, strict: true }),
    branch({ prompt, depth, input }) {
      if (tree && prompt === 'c3po/router')
        return {
          forced: ['[No Retrieval]', '[Planning]'],
          samples: 1,
          accept: isRetrieval,
          otherwise: `[Retrieval] ${(input as QuestionInput).question}`,
        }
      return { samples: tree && agents.has(prompt) ? actionsAt(depth) : 1 }
    },
    invalid: 'fails',
    failedReward: 0,
    needs: 'answers',
    async leaf({ answer = '', trace }, { answers }, { judge, signal }) {
      if (judge === undefined) return exactMatch(answer, answers)
      return judge({ question: trace.query.text, answers, given: answer }, signal)
    },
  }
}

function isRetrieval(text: string): boolean {
  try {
    return parseRouter(text).action === 'retrieval'
  } catch {
    return false
  }
}
