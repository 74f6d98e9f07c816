/** What a choice is charged for beside what it finds: its sub-queries, and harm to what the query as it is had found. */

export interface Price {
  /** What each sub-query beside the original takes from the reward of either stage. From 0. Default: 0. */
  readonly cost?: number | undefined
  /**
   * What part of the shortfall is taken off once more, where a choice earns less than the query as it is in Stage II: 0.5 makes
   * of a loss of 0.2 one of 0.3. From 0. Default: 0, as in the paper.
   */
  readonly harm?: number | undefined
}

/**
 * @param earned by the rules of the stage
 * @param asIs what the query as it is earns by the rules of Stage II
 * @param size how many sub-queries the choice has
 */
export function charged(
  earned: number,
  { cost = 0, harm = 0 }: Price,
  { stage, size, asIs }: { readonly stage: 1 | 2; readonly size: number; readonly asIs: number },
): number {
  const lost = stage === 2 ? Math.max(0, asIs - earned) : 0
  return earned - harm * lost - cost * size
}
