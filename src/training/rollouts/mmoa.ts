/** Rollouts of MMOA-RAG (4.2): chains, which differ in the completion of the Query Rewriter. All agents share the F1 of the answer. */
import { mmoa } from '../../../policies/mmoa-rag/mmoa.ts'
import { parseSubQuestions } from '../../../policies/mmoa-rag/parse.ts'
import {
  generatorPenalty,
  rewriterPenalty,
  selectorPenalty,
  sharedReward,
} from '../../../policies/mmoa-rag/rewards.ts'
import type { AskedWithDocuments } from '../../../policies/reading/question.ts'
import type { AnswerNormalization } from '../../text/answer.ts'
import type { RolloutPlan } from './plan.ts'

export interface MmoaRollouts {
  /** How many chains. Default: 8. */
  readonly samples?: number | undefined
  /** How F1 treats punctuation. Default: `space`, as in the authors' code. */
  readonly normalization?: AnswerNormalization | undefined
  /** The Query Rewriter's limit in characters, beside that of four lines. Default: none; 300 in the authors' code. */
  readonly maxCharacters?: number | undefined
}

export function mmoaRollouts({ samples = 8, normalization, maxCharacters }: MmoaRollouts = {}): RolloutPlan {
  return {
    policy: mmoa({ strict: true }),
    branch: ({ prompt }) => ({ samples: prompt === 'mmoa/rewrite' ? samples : 1 }),
    invalid: 'falls-back',
    failedReward: 0,
    needs: 'answers',
    leaf: ({ answer = '' }, { answers }) => sharedReward(answer, answers, { normalization }),
    penalty({ prompt, completion, input, invalid }) {
      if (invalid !== undefined) return prompt === 'mmoa/select' ? -1 : -0.5
      if (prompt === 'mmoa/rewrite') return rewriterPenalty(parseSubQuestions(completion), { maxCharacters })
      if (prompt === 'mmoa/select')
        return selectorPenalty(completion, (input as AskedWithDocuments).documents.length)
      return generatorPenalty(completion)
    },
  }
}
