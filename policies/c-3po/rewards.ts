/**
 * Rewards of C-3PO. `treeCredit` assigns credit (eq. 5). Its leaves are `judgeReward`s. Invalid actions and rollouts that are too deep
 * are failed leaves. The trainer does the PPO step (A.1).
 */

/**
 * K(t), eq. 2: the number of actions sampled at a node of depth t. It is 2 up to depth 4, then 1. The root has depth 0.
 *
 * @example actionsAt(5) // 1
 */
export const actionsAt = (depth: number): number => (depth <= 4 ? 2 : 1)

/**
 * A leaf's reward R (5.1): 1 if the judge's answer (D.2) begins with the word "true", in any case, else 0. The authors' code
 * looks for "true" anywhere and so reads "This is not true." as a yes. Marks in front of the word do not count (Querent's rule).
 *
 * @example judgeReward('True') // 1
 */
export const judgeReward = (answer: string): number => (/^[\s*"']*true\b/i.test(answer) ? 1 : 0)
