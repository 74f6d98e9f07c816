import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { metricNames, parseMetric } from '../../src/evaluation/metrics.ts'
import golden from '../fixtures/golden/ranx-eval.json' with { type: 'json' }
import { expectError } from '../support/expect-error.ts'

/** Docids, best first. */
const ranking = (...docids: readonly string[]): { docid: string }[] => docids.map((docid) => ({ docid }))
const grades = (entries: Record<string, number>): Map<string, number> => new Map(Object.entries(entries))
const value = (metric: string, docids: readonly string[], judgments: Record<string, number>): number =>
  parseMetric(metric).compute(ranking(...docids), grades(judgments))

describe('ranx 0.3.20', () => {
  const { qrels, ...runs } = golden.inputs as Record<string, Record<string, Record<string, number>>>
  const cases = Object.entries(golden.eval as Record<string, Record<string, number[]>>).flatMap(
    ([run, metrics]) => Object.entries(metrics).map(([metric, expected]) => ({ run, metric, expected })),
  )

  it.each(cases)('$metric of run $run', ({ run, metric, expected }) => {
    const values = Object.entries(runs[run]!).map(([qid, scores]) => {
      // ranx leaves ties of short lists in the order they came in.
      const docids = Object.keys(scores).sort((a, b) => scores[b]! - scores[a]!)
      return value(metric, docids, qrels![qid]!)
    })
    expect(values).toHaveLength(expected.length)
    for (const [index, number] of values.entries()) expect(number).toBeCloseTo(expected[index]!, 12)
  })
})

describe('worked out by hand', () => {
  // d2 is not graded, d4 is graded below 0 and d5 was not found.
  const docids = ['d1', 'd2', 'd3', 'd4']
  const judgments = { d1: 0, d3: 2, d4: -1, d5: 1 }

  it.each([
    ['ndcg', 2 / Math.log2(4) / (2 + 1 / Math.log2(3))],
    ['ndcg@2', 0],
    ['ndcg_burges', 3 / Math.log2(4) / (3 + 1 / Math.log2(3))],
    ['dcg', 2 / Math.log2(4)],
    ['dcg_burges', 3 / Math.log2(4)],
    ['map', 1 / 3 / 2],
    ['mrr', 1 / 3],
    ['mrr@2', 0],
    ['precision', 1 / 4],
    ['precision@10', 1 / 10],
    ['recall', 1 / 2],
    ['recall-l2', 1],
    ['f1', (2 * (1 / 4) * (1 / 2)) / (1 / 4 + 1 / 2)],
    ['success@2', 0],
    ['hit_rate@3', 1],
    ['hits', 1],
    ['all', 0],
    ['all@2-l2', 0],
    ['all@3-l2', 1],
    // d5 is listed last, and was not found. Of grade 2 and above, d3 is the last.
    ['last_hop', 0],
    ['last_hop@2-l2', 0],
    ['last_hop@3-l2', 1],
    // Without d2, which has no grade, d3 is the second.
    ['mrr-judged', 1 / 2],
    ['mrr@2-judged', 1 / 2],
    ['precision@2-l2-judged', 1 / 2],
    ['judged-judged', 1],
    // Three of the four are graded, d4 included.
    ['judged', 3 / 4],
    ['judged@2', 1 / 2],
    ['judged@10', 3 / 4],
    // R = 2: neither of the first two is relevant.
    ['r-precision', 0],
    // d1 is the one non-relevant document above d3, R = 2 and N = 1: 1 − min(1, 2) / min(1, 2) = 0.
    ['bpref', 0],
    ['rbp.50', 0.5 * 2 * 0.5 ** 2],
  ])('%s', (metric, expected) => {
    expect(value(metric, docids, judgments)).toBeCloseTo(expected, 15)
  })

  it.each(metricNames)('%s of nothing is 0, with and without relevant documents', (family) => {
    const metric = family === 'rbp' ? 'rbp.80' : family
    expect(value(metric, [], { d1: 1 })).toBe(0)
    expect(value(metric, [], {})).toBe(0)
    expect(value(metric, ['d1'], {})).toBe(0)
  })

  it('takes a docid named __proto__ for a docid', () => {
    expect(value('recall@1', ['__proto__'], JSON.parse('{"__proto__": 1}'))).toBe(1)
  })
})

describe('parseMetric', () => {
  it.each([
    ['P_5', 'precision@5'],
    ['ndcg_cut_10', 'ndcg@10'],
    ['map_cut_5', 'map@5'],
    ['recip_rank', 'mrr'],
    ['Rprec', 'r-precision'],
    ['recall_100', 'recall@100'],
    ['success_5', 'hit_rate@5'],
    ['nDCG@10', 'ndcg@10'],
    ['MAP@10', 'map@10'],
    ['MRR@3', 'mrr@3'],
    ['R@4', 'recall@4'],
    ['AP', 'map'],
    ['precision@5-l1', 'precision@5'],
    [' ndcg ', 'ndcg'],
  ])('%s is %s', (alias, name) => {
    const docids = ['a', 'b', 'c', 'd', 'e', 'f']
    const judgments = { b: 1, d: 2, f: 3, g: 1 }
    expect(value(alias, docids, judgments)).toBe(value(name, docids, judgments))
  })

  it('keeps the name that was asked for, and says how deep it looks', () => {
    expect(parseMetric('nDCG@10')).toMatchObject({ name: 'nDCG@10', k: 10 })
    expect(parseMetric('map')).not.toHaveProperty('k')
  })

  it('lists all names where there is none', () => {
    expectError(() => parseMetric('ngcd@10'), 'bad-config', metricNames.join(', '))
  })

  it.each([
    'ndcg@0',
    'ndcg@',
    'ndcg@1.5',
    'ndcg@-1',
    'map@5-l0',
    'bpref@10',
    'rbp',
    'rbp@10',
    'ndcg.80',
    'constructor',
    '',
  ])('refuses %j', (name) => expectError(() => parseMetric(name), 'bad-config', `"${name}"`))

  it('throws nothing but our error on any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z_]{1,9}[@_.]\d{0,3}(-l\d)?$/)), (text) => {
        try {
          parseMetric(text)
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad-config' })
        }
      }),
    )
  })
})

describe('properties', () => {
  const docid = fc.constantFrom(...'abcdefghijkl')
  const someGrades = fc.dictionary(docid, fc.integer({ min: -2, max: 4 }), { minKeys: 1 })
  const someRanking = fc.uniqueArray(docid)
  // rbp may exceed 1 with grades above 1; hits and DCG count.
  const bounded = metricNames.filter((name) => !/^(rbp|hits|dcg|dcg_burges)$/.test(name))
  const withCut = (name: string): string => (name === 'bpref' || name === 'r-precision' ? name : `${name}@3`)

  it.each(bounded.flatMap((name) => [name, withCut(name)]))('%s lies between 0 and 1', (name) => {
    fc.assert(
      fc.property(someRanking, someGrades, (docids, judgments) => {
        const result = value(name, docids, judgments)
        expect(result).toBeGreaterThanOrEqual(0)
        expect(result).toBeLessThanOrEqual(1 + 1e-12)
      }),
    )
  })

  it.each(['ndcg', 'ndcg@3', 'ndcg_burges', 'map', 'mrr', 'recall', 'r-precision', 'bpref', 'success@1'])(
    '%s of the ideal ranking is 1',
    (name) => {
      fc.assert(
        fc.property(someGrades, (judgments) => {
          fc.pre(Object.values(judgments).some((grade) => grade > 0))
          const ideal = Object.keys(judgments).sort((a, b) => judgments[b]! - judgments[a]!)
          expect(value(name, ideal, judgments)).toBeCloseTo(1, 12)
        }),
      )
    },
  )

  it.each(['precision@5', 'recall@5', 'f1@5', 'success@5', 'hits@5', 'judged@5'])(
    '%s does not depend on the order of the first five',
    (name) => {
      fc.assert(
        fc.property(someRanking, someGrades, (docids, judgments) => {
          const turned = [...docids.slice(0, 5).reverse(), ...docids.slice(5)]
          expect(value(name, turned, judgments)).toBe(value(name, docids, judgments))
        }),
      )
    },
  )

  it.each(metricNames)('%s does not fall when a better document moves up', (family) => {
    const name = family === 'rbp' ? 'rbp.80' : family
    fc.assert(
      fc.property(fc.uniqueArray(docid, { minLength: 2 }), someGrades, fc.nat(), (docids, judgments, at) => {
        const index = at % (docids.length - 1)
        const [upper, lower] = [docids[index]!, docids[index + 1]!]
        fc.pre(Math.max(judgments[lower] ?? 0, 0) > Math.max(judgments[upper] ?? 0, 0))
        const swapped = docids.with(index, lower).with(index + 1, upper)
        expect(value(name, swapped, judgments)).toBeGreaterThanOrEqual(value(name, docids, judgments) - 1e-12)
      }),
    )
  })
})
