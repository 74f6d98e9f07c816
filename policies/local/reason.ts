/** Why the local policy decided as it did, for the trace. */
import type { Decision } from './decision.ts'

/** The reason in words: the chosen set, the number of sets, the set's probability, and how many more texts are searched. */
export function reasonOf({ candidates, choices, choice, gain, considered }: Decision, wider: number): string {
  const { members, withOriginal } = choices[choice]!
  const probability = considered.best[0]!.probability.toFixed(2)
  const among =
    gain === undefined
      ? `the best of ${choices.length} sets (p ${probability})`
      : `${members.length === 0 ? 'the best set' : `the best of ${choices.length} sets`} should bring ${points(gain)} points`
  const more = wider === 0 ? '' : `; ${wider} more to re-rank from`
  if (members.length === 0) return `${wider === 0 ? 'left alone' : 'the query alone votes'}, ${among}${more}`
  const kinds = members.map((member) => candidates[member]!.kind)
  const counted = [...new Set(kinds)].map((kind) => {
    const count = kinds.filter((other) => other === kind).length
    return count === 1 ? kind : `${count} × ${kind}`
  })
  const parts = [...(withOriginal ? ['the query'] : []), ...counted]
  return `${parts.join(' + ')}, ${among}${more}`
}

/** A gain in points of the metric, for reading: +4.2 or −0.3. */
const points = (gain: number): string => `${gain < 0 ? '−' : '+'}${Math.abs(100 * gain).toFixed(1)}`
