/** Why the local policy decided as it did, for the trace: in words that somebody knows who knows their query. */
import type { Kind } from './candidates/candidate.ts'
import type { Decision } from './decision.ts'

/** What a text was made of. */
const sources: Readonly<Record<Kind, string>> = {
  keywords: 'its keywords',
  part: 'a part of it',
  name: 'a name in it',
  'carry-over': 'it with words of the conversation',
  expansion: 'it with words of the first hits',
  bridge: 'a name in the first hits',
  'bridge with the rest': 'a name in the first hits with the rest of it',
}

/** The reason in words: what is searched, what that should bring, and how many more texts are searched. */
export function reasonOf({ candidates, choices, choice, gain, considered }: Decision, wider: number): string {
  const { members, withOriginal } = choices[choice]!
  const more = moreTexts(wider)
  const likely = `the likeliest of ${choices.length} choices (${Math.round(100 * considered.best[0]!.probability)} %)`
  if (members.length === 0) {
    if (choices.length === 1) return `${alone('there are none')}${more}`
    return `${alone(gain === undefined ? likely : `the best should bring ${points(gain)} points`)}${more}`
  }
  const kinds = members.map((member) => candidates[member]!.kind)
  const counted = [...new Set(kinds)].map((kind) => {
    const count = kinds.filter((other) => other === kind).length
    return count === 1 ? sources[kind] : `${sources[kind]} (${count} times)`
  })
  const expected = gain === undefined ? likely : `which should bring ${points(gain)} points`
  return `${withOriginal ? 'beside' : 'instead of'} the query: ${counted.join(', ')}, ${expected}${more}`
}

/** The reason to search the query alone. */
export const alone = (why: string): string => `no other words are worth a search: ${why}`

/** The texts that only add documents to re-rank. */
export const moreTexts = (wider: number): string => (wider === 0 ? '' : `; ${wider} more only for re-ranking`)

/** A gain in points of the metric, for reading: +4.2 or −0.3. */
const points = (gain: number): string => `${gain < 0 ? '−' : '+'}${Math.abs(100 * gain).toFixed(1)}`
