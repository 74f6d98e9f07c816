import { describe, expect, it } from 'vitest'
import {
  interleaveVerdict,
  type LoggedPage,
  leadOf,
  preferenceOf,
} from '../../src/evaluation/interleave-verdict.ts'
import { queriesNeeded } from '../../src/evaluation/sign-test.ts'
import { teamDraft } from '../../src/evaluation/team-draft.ts'
import { createRandom, type Random } from '../../src/learn/random.ts'

const documents = Array.from({ length: 10 }, (_, place) => `d${place}`)

/** Sees a place with a chance that falls with the rank, and clicks what is relevant in three of four, else in one of ten. */
type Users = (random: Random, isRelevant: boolean, rank: number) => boolean
const careful: Users = (random, isRelevant, rank) =>
  random.float() < 1 / rank ** 0.5 && random.float() < (isRelevant ? 0.75 : 0.1)
const blind: Users = (random) => random.float() < 0.2

/** By how many clicks Querent leads in each of so many queries, clicked ones alone. Two of ten documents are relevant. */
function leadsOf(
  count: number,
  random: Random,
  querent: (relevant: readonly string[]) => readonly string[],
  clicks: Users,
): number[] {
  return Array.from({ length: count }, (_, query) => {
    const relevant = [documents[random.integer(5)]!, documents[5 + random.integer(5)]!]
    const page = teamDraft(documents, querent(relevant), `${random.uint32()} ${query}`)
    const clicked = page.filter(({ docid }, place) => clicks(random, relevant.includes(docid), place + 1))
    return clicked.length === 0 ? [] : [leadOf(clicked.flatMap(({ side }) => side ?? []))]
  }).flat()
}

/** Puts the second relevant document first. */
const better = ([, second = '']: readonly string[]): string[] => [
  second,
  ...documents.filter((one) => one !== second),
]

describe('on simulated clicks', () => {
  const runs = 1000

  it.each([
    ['a ranking against itself', () => documents, careful],
    ['a better ranking, where users click blindly', better, blind],
    ['a longer ranking, where users click blindly', () => [...documents, 'e0', 'e1', 'e2'], blind],
  ] as const)('%s wins in no more than one of twenty runs', { timeout: 60_000 }, (_, querent, clicks) => {
    const random = createRandom(1)
    const winners = Array.from(
      { length: runs },
      () => preferenceOf(leadsOf(60, random, querent, clicks)).winner,
    )
    const [won, lost] = ['querent', 'engine'].map(
      (side) => winners.filter((winner) => winner === side).length,
    )
    // An exact test errs in at most 5 %: of 1,000 runs in 50, with a standard deviation of √(1000 · 0.05 · 0.95) = 6.9.
    expect(won! + lost!).toBeLessThanOrEqual(50 + 3 * 6.9)
    // And in both directions alike.
    expect(Math.abs(won! - lost!)).toBeLessThan(3 * Math.sqrt(won! + lost!))
    expect(won! + lost!).toBeGreaterThan(0)
  })

  it('a better one wins as often as promised', { timeout: 60_000 }, () => {
    const random = createRandom(2)
    const many = preferenceOf(leadsOf(40_000, random, better, careful))
    expect(many.share).toBeGreaterThan(0.55)
    const needed = queriesNeeded(many.share)
    const wins = Array.from({ length: runs }, () => {
      const decided: number[] = []
      while (decided.length < needed)
        decided.push(...leadsOf(1, random, better, careful).filter((lead) => lead !== 0))
      return preferenceOf(decided).winner
    }).filter((winner) => winner === 'querent')
    // A power of 0.8 is 800 of 1,000 runs, with a standard deviation of √(1000 · 0.8 · 0.2) = 12.6.
    expect(wins.length).toBeGreaterThan(800 - 3 * 12.6)
    expect(wins.length).toBeLessThan(900)
  })
})

describe('interleaveVerdict', () => {
  const page = (qid: string, more: Partial<LoggedPage>): LoggedPage => ({
    ...{ qid, index: 'works', decision: 'as-is', time: 0, engine: [], querent: [] },
    ...more,
  })
  const click = (queryId: string, ...docids: string[]) => ({ queryId, docids })

  it('credits clicks to the side that brought the hit, by any name of the search', () => {
    const pages = [
      page('one', { queryId: 'u1', engine: ['a'], querent: ['b'] }),
      page('one', { queryId: 'u2', engine: ['d'], querent: ['c'], time: 5000 }),
      page('two', { opaqueId: 'o2', engine: ['a'], querent: ['b'], decision: 'decompose', time: 9000 }),
      page('three', { engine: ['a'], querent: ['b'] }),
      page('four', { engine: ['a'], querent: ['b'] }),
    ]
    const verdict = interleaveVerdict(pages, [
      // Both pages of a query count together, and a hit once: two for Querent, one for the engine.
      ...[click('u1', 'b'), click('u1', 'b'), click('u2', 'c'), click('one', 'd')],
      // An object may have another name beside its id.
      click('o2', 'sku-7', 'a'),
      ...[click('three', 'a'), click('three', 'b')],
      ...[click('three', 'z'), click('gone', 'a')],
    ])
    expect(verdict).toMatchObject({
      queries: 4,
      uncounted: 2,
      duration: 9000,
      // One against one: a coin always decides so, and nothing is known of the share.
      all: { querent: 1, engine: 1, even: 1, share: 0.5, p: 1, missing: Number.POSITIVE_INFINITY },
      groups: [
        { index: 'works', decision: 'as-is', querent: 1, engine: 0, even: 1 },
        { index: 'works', decision: 'decompose', querent: 0, engine: 1, even: 0 },
      ],
    })
    expect(verdict.all.winner).toBeUndefined()
  })

  it('says who wins, and how many queries are missing', () => {
    // Six of six: p = 2 / 64. Five of five: 2 / 32.
    expect(preferenceOf(Array(6).fill(1))).toMatchObject({ winner: 'querent', share: 1 })
    expect(preferenceOf(Array(6).fill(-2))).toMatchObject({ winner: 'engine', share: 0 })
    expect(preferenceOf(Array(5).fill(1)).winner).toBeUndefined()
    expect(preferenceOf([...Array(59).fill(1), ...Array(39).fill(-1)]).missing).toBe(queriesNeeded(0.6) - 98)
    expect(interleaveVerdict([], []).all).toMatchObject({ querent: 0, engine: 0, low: 0, high: 1, p: 1 })
  })
})
