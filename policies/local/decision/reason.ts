/** Why the local policy decided as it did, for the trace. */
import type { Decision } from './decision.ts'

/** The reason in words: the plan, what it should bring, what a request costs, and how many more texts are searched. */
export function reasonOf({ plan, considered: { plans, cost } }: Decision, wider: number): string {
  const [best] = plans
  if (best === undefined) return alone('no plan fits the query')
  const more = moreTexts(wider)
  const expected = `${points(best.gain)} points expected, a request costs ${(100 * cost).toFixed(1)}`
  return `${plan === undefined ? alone(`${best.plan}: ${expected}`) : `${best.plan}: ${expected}`}${more}`
}

/** The reason to search the query alone. */
export const alone = (why: string): string => `unchanged: ${why}`

/** The texts that only add documents to re-rank. */
export const moreTexts = (wider: number): string => (wider === 0 ? '' : `; ${wider} more only for re-ranking`)

/** A gain in points of the metric, for reading: +4.2 or −0.3. */
const points = (gain: number): string => `${gain < 0 ? '−' : '+'}${Math.abs(100 * gain).toFixed(1)}`
