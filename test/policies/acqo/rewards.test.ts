import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fusionByName } from '../../../fusion/index.ts'
import { rankScore } from '../../../fusion/rank-score.ts'
import { parseLenient, parseStrict } from '../../../policies/acqo/parse.ts'
import {
  acqoProfiles,
  baseReward,
  difficulty,
  formatGate,
  isChallenging,
  rewardOfRanks,
  stageOneReward,
  stageTwoReward,
  subsetMaxima,
  subsetRewards,
} from '../../../policies/acqo/rewards.ts'
import { searchKey, withoutRepeats } from '../../../src/dedupe.ts'
import type { RankedList } from '../../../src/types.ts'
import { list, ranked } from '../../fusion/lists.ts'
import { expectError } from '../../support/expect-error.ts'
import { fraction, golden } from '../../support/golden.ts'
import { anySearch, each } from './searches.ts'

const { acqo } = golden
const ranksOf = (ranks: readonly (number | null)[]): (number | undefined)[] =>
  ranks.map((rank) => rank ?? undefined)

describe('Φ, eq. 3', () => {
  it.each(acqo.phi)('of rank $r is $frac', ({ r, frac }) =>
    expect(baseReward(r ?? undefined)).toBe(fraction(frac)),
  )

  it('falls from rank to rank, and is never that of rank 1 at rank 10', () => {
    for (let rank = 1; rank < 100; rank++) expect(baseReward(rank)).toBeGreaterThan(baseReward(rank + 1))
  })

  it.each([-1, 0, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('of %s, which is no rank, is 0', (rank) =>
    expect(baseReward(rank)).toBe(0),
  )
})

describe('S, eq. 4', () => {
  it.each(acqo.rewardSum)('of ranks $ranks, η = $eta', ({ ranks, eta, etaStart1, etaStart0 }) => {
    const rewards = ([1, 0] as const).map((etaStart) =>
      rewardOfRanks(ranksOf(ranks), { eta: fraction(eta), etaStart }),
    )
    // With η = 1 only whole numbers are summed; 3/5 is no double.
    if (eta === '1') expect(rewards).toEqual([fraction(etaStart1), fraction(etaStart0)])
    expect(rewards[0]).toBeCloseTo(fraction(etaStart1), 14)
    expect(rewards[1]).toBeCloseTo(fraction(etaStart0), 14)
  })

  it('is the same for the ranks in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 120 })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (ranks, eta) => {
          expect(rewardOfRanks(ranks.toReversed(), { eta, kStar: 3 })).toBe(
            rewardOfRanks(ranks, { eta, kStar: 3 }),
          )
        },
      ),
    )
  })

  it.each([{ eta: 1.1 }, { eta: Number.NaN }, { lambda: -1 }, { kStar: -1 }])('refuses %s', (options) =>
    expectError(() => rewardOfRanks([1], options), 'bad-config', Object.keys(options)[0]),
  )
})

describe('the format gate, eq. 5', () => {
  it('is δ for what does not keep to the grammar', () => {
    const { delta, expected } = acqo.formatFail
    expect(formatGate(false, 1.9)).toBe(expected)
    expect(formatGate(false, 1.9, { delta })).toBe(expected)
    expect(formatGate(false, 1.9, { delta: -1 })).toBe(-1)
    expect(formatGate(true, 0)).toBe(0)
    expectError(() => formatGate(true, 0, { delta: 0 }), 'bad-config', 'delta')
  })

  it.each([
    { answer: '{"query": "a%%b%%c"}', strict: ['a', 'b', 'c'], lenient: ['a', 'b', 'c'] },
    { answer: '{"query": "a%%%%b"}', strict: ['a', 'b'], lenient: ['a', 'b'] },
    { answer: '{"query": ""}' },
    { answer: '{"query": ["a"]}', lenient: ['a'] },
    { answer: "{'query':'a'}" },
    { answer: '```json\n{"query": "a"}\n```', lenient: ['a'] },
    { answer: '{"query":"a"} {"query":"b"}', lenient: ['a'] },
    { answer: '{"query": "a%%b%%c%%d"}', lenient: ['a', 'b', 'c'] },
  ])('takes $answer as the policy does', ({ answer, strict, lenient }) => {
    if (strict === undefined) expectError(() => parseStrict(answer, 3), 'bad-completion')
    else expect(parseStrict(answer, 3)).toEqual(strict)
    if (lenient === undefined) expectError(() => parseLenient(answer, 3), 'bad-completion')
    else expect(parseLenient(answer, 3)).toEqual(lenient)
  })
})

describe('Stage I, eq. 6, and Stage II, eq. 9', () => {
  it.each(acqo.stage1SubsetMax)(
    '$gold: $stage1 and $stage2',
    ({ lists, gold, eta, perSubset, stage1, stage2 }) => {
      const searched = each(lists.map((one) => list(one.map(({ id, score }) => [id, score]))))
      const decay = { eta: fraction(eta) }
      const rewards = subsetRewards(searched, gold, decay)
      for (const [members, expected] of Object.entries(perSubset)) {
        const set = members.split(',').reduce((bits, member) => bits | (1 << Number(member)), 0)
        expect(rewards[set]).toBeCloseTo(fraction(expected), 14)
      }
      expect(stageOneReward(searched, gold, decay)).toBeCloseTo(fraction(stage1), 14)
      expect(stageTwoReward(searched, gold, decay)).toBeCloseTo(fraction(stage2), 14)
    },
  )

  it.each(acqo.stage2Bonus)('bonus, eq. 10: ranks $ranks', ({ ranks, expected, ...options }) =>
    expect(rewardOfRanks(ranks, options)).toBeCloseTo(expected, 9),
  )

  it("has the settings of the paper's collections", () => {
    const searched = each([ranked('a', 'g1', 'g2')])
    expect(stageTwoReward(searched, ['g1'], acqoProfiles.topiocqa)).toBeCloseTo(17 / 9 + 1 / Math.log2(3), 14)
    expect(stageTwoReward(searched, ['g1', 'g2'], acqoProfiles.hotpotqa)).toBeCloseTo(
      (0.6 * 17) / 9 + (0.36 * 16) / 9,
      14,
    )
  })

  it('is 0 without sub-queries, without lists and without relevant documents', () => {
    for (const searched of [[], [[]], each([ranked('a')])]) {
      expect(stageOneReward(searched, ['b'])).toBe(0)
      expect(stageTwoReward(searched, ['b'])).toBe(0)
      expect(stageOneReward(searched, [])).toBe(0)
    }
  })

  it('looks at the first 100 of a list', () => {
    const docids = Array.from({ length: 120 }, (_, place) => `${place + 1}`)
    const searched = each([ranked(...docids)])
    expect(stageOneReward(searched, ['99'])).toBe(1 / 90)
    expect(stageOneReward(searched, ['101', '120'])).toBe(0)
  })

  it('counts a relevant document once', () => expect(stageOneReward(each([ranked('a')]), ['a', 'a'])).toBe(2))

  it('refuses more sub-queries than have a use', () => {
    const searched = Array.from({ length: 13 }, () => [])
    expectError(() => stageOneReward(searched, ['a']), 'bad-config', '13')
    expectError(() => stageOneReward(searched, ['a'], { fusion: rankScore() }), 'bad-config', '13')
  })
})

const anyGolds = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', '10', '__proto__', 'absent'), {
  minLength: 1,
  maxLength: 3,
})
const decay = { eta: 0.6 }

describe('what holds for all lists', () => {
  it('every set has the reward that fusing it gives', () => {
    fc.assert(
      fc.property(anySearch, anyGolds, (searched, golds) => {
        const fused = subsetRewards(searched, golds, { ...decay, fusion: rankScore() })
        expect(subsetRewards(searched, golds, decay)).toEqual(fused)
      }),
      { numRuns: 300 },
    )
  })

  it('the maxima are those of all non-empty subsets', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 32, maxLength: 32 }), (values) => {
        const maxima = subsetMaxima(Float64Array.from(values))
        for (let set = 1; set < 32; set++) {
          const within = values.filter((_, subset) => subset !== 0 && (subset & set) === subset)
          expect(maxima[set]).toBe(Math.max(...within))
        }
      }),
    )
  })

  it('Stage I is at least Stage II, with λ = 0', () => {
    fc.assert(
      fc.property(anySearch, anyGolds, (searched, golds) => {
        expect(stageOneReward(searched, golds, decay)).toBeGreaterThanOrEqual(
          stageTwoReward(searched, golds, { ...decay, lambda: 0, kStar: 3 }),
        )
      }),
    )
  })

  it('Stage I is at least that of any of the sub-queries: one more never lowers it', () => {
    fc.assert(
      fc.property(anySearch, anyGolds, fc.nat(), (searched, golds, place) => {
        const fewer = searched.filter((_, index) => index !== place % searched.length)
        expect(stageOneReward(searched, golds, decay)).toBeGreaterThanOrEqual(
          stageOneReward(fewer, golds, decay),
        )
      }),
    )
  })

  it('both are one when there is one sub-query', () => {
    fc.assert(
      fc.property(anySearch, anyGolds, (searched, golds) => {
        const one = searched.slice(0, 1)
        expect(stageOneReward(one, golds, decay)).toBe(stageTwoReward(one, golds, decay))
      }),
    )
  })

  it('both are from 0 to 2n, and a bonus never lowers Stage II', () => {
    fc.assert(
      fc.property(anySearch, anyGolds, (searched, golds) => {
        const [one, two] = [stageOneReward(searched, golds), stageTwoReward(searched, golds)]
        for (const reward of [one, two]) {
          expect(reward).toBeGreaterThanOrEqual(0)
          expect(reward).toBeLessThanOrEqual(2 * golds.length)
        }
        expect(stageTwoReward(searched, golds, { kStar: 3 })).toBeGreaterThanOrEqual(two)
      }),
    )
  })

  it('the order of sub-queries, of their lists and of the relevant documents is of no matter', () => {
    const anyOrder = anySearch.chain((searched) =>
      fc.record({
        searched: fc.constant(searched),
        reordered: fc
          .shuffledSubarray(searched, { minLength: searched.length })
          .map((lists) => lists.map((own) => own.toReversed())),
      }),
    )
    fc.assert(
      fc.property(anyOrder, anyGolds, ({ searched, reordered }, golds) => {
        const reversed = golds.toReversed()
        expect(stageOneReward(reordered, reversed, decay)).toBe(stageOneReward(searched, golds, decay))
        expect(stageTwoReward(reordered, reversed, decay)).toBe(stageTwoReward(searched, golds, decay))
      }),
    )
  })

  it('neither changes when a sub-query is repeated in other letters and spaces, as it is searched once', () => {
    const texts = ['who?', 'who  wrote it', 'when']
    const variants = texts.flatMap((text) => [text, text.toUpperCase(), `  ${text} `])
    fc.assert(
      fc.property(
        anySearch,
        anyGolds,
        fc.array(fc.constantFrom(...variants), { maxLength: 6 }),
        (found, golds, repeats) => {
          const search = (queries: readonly string[]): (readonly RankedList[])[] =>
            withoutRepeats(queries.map((text) => ({ text, round: 1 }))).map(
              ({ text }) => found[texts.map(searchKey).indexOf(searchKey(text))] ?? [],
            )
          const [once, often] = [search(texts), search([...texts, ...repeats])]
          expect(stageOneReward(often, golds, decay)).toBe(stageOneReward(once, golds, decay))
          expect(stageTwoReward(often, golds, decay)).toBe(stageTwoReward(once, golds, decay))
        },
      ),
    )
  })

  it('both are the same when every list is there twice, as fusion is', () => {
    fc.assert(
      fc.property(anySearch, anyGolds, (searched, golds) => {
        const twice = searched.map((lists) => [...lists, ...lists])
        expect(stageTwoReward(twice, golds, decay)).toBe(stageTwoReward(searched, golds, decay))
        expect(stageOneReward(twice, golds, decay)).toBe(stageOneReward(searched, golds, decay))
      }),
    )
  })

  it('one list that is there twice votes twice: it never lowers Stage I, and may raise it', () => {
    fc.assert(
      fc.property(anySearch, anyGolds, (searched, golds) => {
        expect(stageOneReward([...searched, searched[0]!], golds, decay)).toBeGreaterThanOrEqual(
          stageOneReward(searched, golds, decay),
        )
      }),
    )
    const [first, second] = [ranked('b', 'd', 'e', 'g'), ranked('b', 'c', 'a', 'g')]
    // g is fourth of either, and of both: b 2, c and d 1/2 with better scores than g's 1/4 + 1/4.
    expect(stageOneReward(each([first, second]), ['g'])).toBe(15 / 9)
    // With the first list twice b has 3, d 1, g 1/2 + 1/4, e 2/3 and c 1/2.
    expect(stageOneReward(each([first, first, second]), ['g'])).toBe(16 / 9)
    expect(stageTwoReward(each([first, first, second]), ['g'])).toBe(16 / 9)
  })

  it('takes another fusion for ablations', () => {
    // RRF puts rank 5 in both lists before rank 1 in one of them; rank-score fusion does not.
    const lists = each([ranked('g', '1', '2', '3', 'c'), ranked('4', '5', '6', '7', 'c')])
    const rrf = fusionByName('rrf')
    expect(stageTwoReward(lists, ['c'], { fusion: rrf })).toBe(2)
    expect(stageTwoReward(lists, ['c'])).toBeLessThan(2)
    expect(stageOneReward(lists, ['c'], { fusion: rrf })).toBe(2)
  })
})

describe('τ, eq. 7, and the challenge zone, eq. 8', () => {
  it.each(acqo.tau)('of $rewards is $tau', ({ rewards, tau, keptAt5over3 }) => {
    const mean = difficulty(rewards.map(fraction))
    expect(mean).toBeCloseTo(fraction(tau), 14)
    expect(isChallenging(mean)).toBe(keptAt5over3)
  })

  it('keeps means that are 5/3, however many are summed', () => {
    for (let count = 1; count <= 64; count++)
      expect(isChallenging(difficulty(Array.from({ length: count }, () => baseReward(4))))).toBe(true)
  })

  it('has a lower bound by option', () => {
    expect(isChallenging(-0.1)).toBe(true)
    expect(isChallenging(0.1, { tauMin: 0.2 })).toBe(false)
    expect(isChallenging(0.2, { tauMin: 0.2 })).toBe(true)
    expect(isChallenging(1.7, { tauMax: 1.75 })).toBe(true)
  })
})
