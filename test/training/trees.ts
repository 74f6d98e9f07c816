/** Trees of rollouts, made at random. */
import fc from 'fast-check'
import type { RolloutNode } from '../../src/training/tree-credit.ts'

const agent = fc.constantFrom('router', 'filter')
const reward = fc.double({ min: 0, max: 1, noNaN: true })

/** Up to three actions in a state; some are nobody's. */
export const { anyTree } = fc.letrec<{ anyTree: RolloutNode }>((tie) => ({
  anyTree: fc.oneof(
    { depthSize: 'small' },
    fc.record({ reward, agent }, { requiredKeys: ['reward'] }),
    fc.record({ failed: fc.constant('Max Depth'), agent }, { requiredKeys: ['failed'] }),
    fc.record(
      { children: fc.array(tie('anyTree'), { minLength: 1, maxLength: 3 }), agent },
      { requiredKeys: ['children'] },
    ),
  ),
}))
