import { describe, expect, it } from 'vitest'
import { compare, type EvaluatedSystem } from '../../src/evaluation/compare.ts'
import { judgedWarnings } from '../../src/evaluation/judged-share.ts'
import { evaluated, systemsOf } from '../support/evaluated.ts'
import { expectError } from '../support/expect-error.ts'

const setup = { collection: 'six questions', k: 10, depth: 100 }

describe('compare', () => {
  it('holds a system against the baseline, metric by metric', async () => {
    const before = evaluated([0, 0, 2, 1], undefined, ['mrr', 'recall@1'])
    const after = evaluated([1, 0, 1, 2], undefined, ['mrr', 'recall@1'])
    const { metrics, systems, method } = compare(await systemsOf({ before, after }), setup)
    expect(metrics).toEqual(['mrr', 'recall@1'])
    expect(method.comparisons).toBe(2)
    expect(systems[0]!.scores[0]).toMatchObject({ metric: 'mrr', mean: (0 + 0 + 1 / 2 + 1) / 4 })
    expect(systems[0]!.scores[0]).not.toHaveProperty('versusBaseline')
    const mrr = systems[1]!.scores[0]!
    expect(mrr.mean).toBe((1 + 0 + 1 + 1 / 2) / 4)
    // Differences 1, 0, 1/2, −1/2. With either sign for each of the three: |sum| is at least 1 unless both halves go
    // against the 1, which they do in 2 of 8.
    expect(mrr.versusBaseline).toMatchObject({
      mean: (1 + 0 + 1 / 2 - 1 / 2) / 4,
      p: 6 / 8,
      wins: 2,
      ties: 1,
      losses: 1,
      verdict: 'unclear',
    })
    // Recall at 1: differences 1, 0, 1, −1. |±1 ±1 ±1| is always at least 1.
    expect(systems[1]!.scores[1]!.versusBaseline).toMatchObject({
      mean: 1 / 4,
      p: 1,
      wins: 2,
      ties: 1,
      losses: 1,
    })
  })

  it('puts the mean inside of its interval, and both at one value where all queries agree', async () => {
    const { systems } = compare(await systemsOf({ a: [1, 2, 4, 0, 1], b: [1, 1, 1, 1, 1] }), setup)
    const { low, mean, high } = systems[0]!.scores[0]!
    expect(low).toBeLessThan(mean)
    expect(high).toBeGreaterThan(mean)
    expect(low).toBeGreaterThanOrEqual(0)
    expect(high).toBeLessThanOrEqual(1)
    expect(systems[1]!.scores[0]).toMatchObject({ low: 1, mean: 1, high: 1 })
  })

  it('calls a difference by its name only while it survives the correction', async () => {
    // All six queries gain 1: of 2^6 assignments of signs, 2 are as extreme.
    const [worst, best] = await systemsOf({ worst: [0, 0, 0, 0, 0, 0], best: [1, 1, 1, 1, 1, 1] })
    const [, alone] = compare([worst!, best!], setup).systems
    expect(alone!.scores[0]!.versusBaseline).toMatchObject({ p: 2 / 64, pHolm: 2 / 64, verdict: 'better' })
    const [, reversed] = compare([best!, worst!], setup).systems
    expect(reversed!.scores[0]!.versusBaseline).toMatchObject({ p: 2 / 64, verdict: 'worse', losses: 6 })
    // Beside a second comparison it takes twice as much, and 4/64 is above 0.05.
    const three = [worst!, best!, { ...worst!, name: 'the same' }]
    const { systems } = compare(three, setup)
    expect(systems[1]!.scores[0]!.versusBaseline).toMatchObject({ pHolm: 4 / 64, verdict: 'unclear' })
    expect(systems[2]!.scores[0]!.versusBaseline).toMatchObject({
      p: 1,
      pHolm: 1,
      ties: 6,
      verdict: 'unclear',
    })
    const lenient = compare(three, setup, { alpha: 0.1 }).systems[1]!.scores[0]!
    expect(lenient.versusBaseline!.verdict).toBe('better')
  })

  it('says of each query what each system made of it', async () => {
    const rewriting = evaluated([1, 0, 1], (qid) => {
      if (qid === 'q3') return { fallback: { code: 'chat-failed', message: 'no answer' } }
      return { kind: 'rewrite', subQueries: [{ text: `better ${qid}`, round: 1 }] }
    })
    const { queries } = compare(await systemsOf({ a: [2, 1, 1], b: rewriting }), setup)
    const times = { total: 10, deciding: 0, retrieving: 9, fusing: 1, reranking: 0 }
    expect(queries).toEqual([
      {
        qid: 'q1',
        text: 'text of q1',
        results: [
          { values: { mrr: 1 / 2 }, kind: 'as-is', subQueries: [], times },
          {
            values: { mrr: 1 },
            differences: { mrr: 1 / 2 },
            kind: 'rewrite',
            subQueries: ['better q1'],
            times,
            moved: [{ docid: 'relevant', before: 2, now: 1, instead: 'other0' }],
          },
        ],
      },
      {
        qid: 'q2',
        text: 'text of q2',
        results: [
          { values: { mrr: 1 }, kind: 'as-is', subQueries: [], times },
          {
            values: { mrr: 0 },
            differences: { mrr: -1 },
            kind: 'rewrite',
            subQueries: ['better q2'],
            times,
            moved: [{ docid: 'relevant', before: 1, instead: 'other0' }],
          },
        ],
      },
      {
        qid: 'q3',
        text: 'text of q3',
        results: [
          { values: { mrr: 1 }, kind: 'as-is', subQueries: [], times },
          {
            values: { mrr: 1 },
            differences: { mrr: 0 },
            kind: 'as-is',
            subQueries: [],
            times,
            fallback: 'chat-failed',
          },
        ],
      },
    ])
  })

  it('keeps a query whose search failed, with nothing found', async () => {
    const failing = evaluated([1, 1], (qid) => (qid === 'q1' ? new Error('down') : {}))
    const { queries, systems } = compare(await systemsOf({ a: failing, b: [1, 1] }), setup)
    expect(queries[0]).toMatchObject({
      text: 'text of q1',
      results: [{ values: { mrr: 0 }, subQueries: [] }, {}],
    })
    expect(queries[0]!.results[0]).not.toHaveProperty('kind')
    expect(systems[0]!.summary.errors).toBe(1)
  })

  it('is plain data, the same for the same input', async () => {
    const systems = await systemsOf({
      a: Array.from({ length: 30 }, (_, index) => index % 4),
      b: Array.from({ length: 30 }, (_, index) => (index * 7) % 5),
    })
    const comparison = compare(systems, setup, { rounds: 500, samples: 500 })
    expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison)
    expect(compare(systems, setup, { rounds: 500, samples: 500 })).toEqual(comparison)
  })

  it('refuses what cannot be compared', async () => {
    const [one, longer, other] = (await systemsOf({
      one: [1, 1],
      longer: [1, 1, 1],
      other: evaluated([1, 1], undefined, ['map']),
    })) as [EvaluatedSystem, EvaluatedSystem, EvaluatedSystem]
    const values = new Map([['mrr', new Map([['q1', 1]])]])
    const fewer = { name: 'fewer', evaluation: { ...one.evaluation, values } }
    for (const [systems, fact] of [
      [[one], /\b1 systems/],
      [[one, one], /"one"/],
      [[one, longer], /longer.*one/],
      [[longer, one], /"q3"/],
      [[one, other], /mrr/],
      [[one, fewer], /mrr/],
    ] as const)
      expectError(() => compare(systems, setup), 'bad-config', fact)
  })
})

describe('costs', () => {
  const asked = (...tokens: readonly number[]) =>
    evaluated(
      tokens.map(() => 1),
      (qid) => {
        const prompt = tokens[Number(qid.slice(1)) - 1]!
        return prompt < 0 ? new Error('down') : { tokens: { prompt, completion: 1 } }
      },
    )

  it('are compared over the queries whose search succeeded in every system, without a verdict', async () => {
    const [before, after] = [asked(1, 3, -1, 5, 7), asked(11, 13, 9, -1, 17)]
    const { costs, systems, method } = compare(await systemsOf({ before, after }), setup)
    // The first, the second and the last query: 2, 4, 8 and 12, 14, 18. All differ by 10: of 2^3 assignments of signs, 2 are
    // as extreme.
    expect(costs).toEqual([
      {
        cost: 'tokens',
        queries: 3,
        systems: [
          { mean: 14 / 3, low: expect.any(Number), high: expect.any(Number) },
          {
            ...{ mean: 44 / 3, low: expect.any(Number), high: expect.any(Number) },
            versusBaseline: { mean: 10, low: 10, high: 10, p: 2 / 8, pHolm: 2 / 8 },
          },
        ],
      },
    ])
    // They do not count among the tests of the metrics.
    expect([method.comparisons, systems[1]!.scores.length]).toEqual([1, 1])
  })

  it('are corrected over all of them', async () => {
    const named = await systemsOf({ s0: asked(0, 0, 0), s1: asked(1, 1, 1), s2: asked(2, 2, 2) })
    const [, one, two] = compare(named, setup).costs[0]!.systems
    expect([one, two].map((score) => score!.versusBaseline!.pHolm)).toEqual([4 / 8, 4 / 8])
  })
})

describe('judged@10', () => {
  const comparison = async (queries: number, metrics: readonly string[]) => {
    // All hits of the first system are judged. Of one query, the second finds an unjudged one above: a half of its two hits.
    const ranks = Array.from({ length: queries }, () => 1)
    const systems = {
      first: evaluated(ranks, undefined, metrics),
      second: evaluated([2, ...ranks.slice(1)], undefined, metrics),
    }
    return compare(await systemsOf(systems), setup)
  }

  it('stands beside each system, with a warning where it differs by more than .05', async () => {
    const unlike = await comparison(9, ['mrr'])
    expect(unlike.systems.map((system) => system['judged@10'])).toEqual([1, 8.5 / 9])
    expect(judgedWarnings(unlike)).toEqual([
      expect.stringMatching(/^judged@10 is 1\.000 \(first\) and 0\.944 \(second\)/),
    ])
    expect(judgedWarnings(await comparison(11, ['mrr']))).toEqual([])
  })

  it('does not matter to metrics that leave unjudged hits out', async () => {
    expect(judgedWarnings(await comparison(9, ['bpref', 'ndcg@10-judged', 'judged@5']))).toEqual([])
    expect(judgedWarnings(await comparison(9, ['bpref', 'ndcg@10']))).toHaveLength(1)
  })
})
