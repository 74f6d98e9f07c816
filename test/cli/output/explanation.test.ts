import { describe, expect, it } from 'vitest'
import { rankScore } from '../../../fusion/rank-score.ts'
import type { Considered } from '../../../policies/local/decision/considered.ts'
import { explanationLines, inPlainWords } from '../../../src/cli/output/explanation.ts'
import { hitTable, searchedTexts } from '../../../src/cli/output/hit-table.ts'
import { ranksAlone } from '../../../src/explain.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { Policy } from '../../../src/policy.ts'
import type { Reranker } from '../../../src/reranker.ts'
import { scriptedRetriever } from '../../support/scripted.ts'
import { deciding, leaving } from '../../support/scripted-policy.ts'

const found = { ask: ['a', 'b', 'c'], 'sub one': ['d', 'a'], 'sub two': ['e'], other: ['z'] }
/** The last one first. */
const reversing: Reranker = {
  async rerank(_query, _lists, fused) {
    return fused.toReversed().map((hit, place) => ({
      ...hit,
      rank: place + 1,
      score: -place,
      fused: { rank: hit.rank, score: hit.score },
    }))
  },
}

async function search(policy: Policy, rerank?: Reranker, k = 3) {
  const retriever = scriptedRetriever({ found })
  const documents = async (docids: readonly string[]) => docids.map((docid) => ({ docid, text: docid }))
  const optimizer = createOptimizer({
    retrievers: [retriever],
    policy,
    documents,
    k,
    ...(rerank && { rerank }),
  })
  return (await optimizer.search({ text: 'ask' })).trace
}

describe('a search in plain words', () => {
  it('names the policy, and counts what re-ranking moved', async () => {
    expect(inPlainWords(await search(leaving), rankScore())[0]).toContain('leaving')
    // The second of three stays where it is, and the first was the third.
    expect(inPlainWords(await search(leaving, reversing), rankScore())[2]).toMatch(/\b3 .*\b2 .*\b3 .*\b3/)
    // One hit, which only re-ranking brought up.
    expect(inPlainWords(await search(leaving, reversing, 1), rankScore())[1]).toMatch(/\b1 .*\b1 .*\b1 /)
  })

  it('counts sub-queries, and the hits that the original query has not', async () => {
    const trace = await search(deciding(['sub one', 'sub two']), undefined, 4)
    // a: 1 + 1/2; d, e: 1; b: 1/2. Of these the original query has a and b.
    expect(trace.outcome.hits.map(({ docid }) => docid)).toEqual(['a', 'd', 'e', 'b'])
    const [searched, changed] = inPlainWords(trace, rankScore())
    expect([searched, changed]).toEqual([
      expect.stringMatching(/^Split: 2 searches/),
      expect.stringMatching(/\b4 hits, 2 .*\b4 /),
    ])
    const alone = await search(deciding(['sub one'], { withOriginal: false }))
    expect(inPlainWords(alone, rankScore())[0]).toMatch(/^Rewritten: 1 search instead of your words/)
  })

  it('has the message of a policy and of a re-ranker that failed', async () => {
    const fails = (message: string) => async () => {
      throw new Error(message)
    }
    const failing: Policy = { name: 'failing', run: fails('no idea') }
    expect(inPlainWords(await search(failing), rankScore())[0]).toMatch(/failing.*no idea/)
    const trace = await search(leaving, { rerank: fails('no order') })
    expect(inPlainWords(trace, rankScore())[2]).toContain('no order')
  })

  it('has no table where nothing was found', async () => {
    const optimizer = createOptimizer({ retrievers: [scriptedRetriever()], policy: leaving })
    const { trace } = await optimizer.search({ text: 'ask' })
    expect(hitTable(trace, [], new Map())).toEqual([])
  })
})

describe('what the local policy considered', () => {
  const plans: Considered['plans'] = [
    { plan: 'parts', subQueries: ['sub one', 'sub two'], withOriginal: true, gain: 0.0423 },
    { plan: 'conversation', subQueries: ['other'], withOriginal: false, gain: -0.01 },
  ]
  const inputs = [{ name: 'plan: texts', part: -0.0312 }]

  async function lines(considered: Considered, isVerbose = true): Promise<string[]> {
    const policy: Policy = {
      name: 'local',
      async run(_query, tools) {
        tools.decide('as-is', 'unchanged: parts', considered)
        return { hits: tools.fuse(await tools.retrieve([], { reason: 'unchanged: parts' })) }
      },
    }
    return explanationLines(await search(policy), rankScore(), [], isVerbose)
  }

  it('is each plan with its gain in points, and what moved the first one', async () => {
    const told = await lines({ plans, cost: 0.02, inputs })
    expect(told).toContainEqual(expect.stringMatching(/a request costs 2\.0/))
    expect(told).toContainEqual(
      expect.stringMatching(/^ +\+4\.2 +parts: your words \+ "sub one" \+ "sub two"$/),
    )
    expect(told).toContainEqual(expect.stringMatching(/^ +−1\.0 +conversation: "other"$/))
    expect(told).toContainEqual(expect.stringMatching(/^ +−3\.12 +plan: texts$/))
  })

  it('is told only where it is wanted, and where there is something', async () => {
    const count = async (...args: Parameters<typeof lines>) => (await lines(...args)).length
    const none = await lines({ plans: [], cost: 0.02, inputs: [] })
    expect(none).toContain('No plan fits the query.')
    expect(await count({ plans, cost: 0.02, inputs: [] })).toBe(
      (await count({ plans, cost: 0.02, inputs })) - 2,
    )
    expect((await lines({ plans, cost: 0.02, inputs }, false)).join()).not.toContain('a request costs')
  })
})

describe('the table of hits', () => {
  it('names the lists that found each hit, and what the scores are', async () => {
    const trace = await search(deciding(['sub one', 'sub two']), undefined, 4)
    expect(searchedTexts(trace)).toEqual([
      'Searched with bm25:',
      '  0  ask      your words',
      '  1  sub one  written for your question',
      '  2  sub two  written for your question',
    ])
    expect(hitTable(trace, ['A', 'D', 'E', 'B'], ranksAlone(trace, rankScore()))).toEqual([
      '    hit  moved       found by   score',
      '1.  A                0#1  1#2  1.5000',
      '2.  D    ▲ new       1#1       1.0000',
      '3.  E    ▲ new       2#1       1.0000',
      '4.  B    ▼ 2 from 2  0#2       0.5000',
      expect.stringContaining('rank-score'),
    ])
  })

  it('says where the scores are from when re-ranking kept the fused order', async () => {
    const keeping = (rescore: (score: number) => number): Reranker => ({
      rerank: async (_query, _lists, fused) =>
        fused.map((hit) => ({
          ...hit,
          score: rescore(hit.score),
          fused: { rank: hit.rank, score: hit.score },
        })),
    })
    const same = await search(
      leaving,
      keeping((score) => score),
    )
    expect(hitTable(same, [], new Map()).at(-1)).toContain('rank-score')
    const rescored = await search(
      leaving,
      keeping((score) => score / 2),
    )
    expect(hitTable(rescored, [], new Map()).at(-1)).toContain('re-ranker')
    const chosen = await search({
      name: 'choosing',
      run: async (_query, tools) => ({ hits: tools.fuse(await tools.original(), { first: ['b'] }) }),
    })
    expect(hitTable(chosen, [], new Map()).at(-1)).toContain('one over the rank')
  })

  it('names a hit without a title by its docid, and has the text that found what was not fused', async () => {
    const bringing: Reranker = {
      async rerank(_query, _lists, [first]) {
        const { rank, score } = first!
        return [
          { docid: 'z', rank: 1, score: 0 },
          { ...first!, rank: 2, score: -1, fused: { rank, score } },
        ]
      },
    }
    const wider: Policy = {
      name: 'wider',
      async run(_query, tools) {
        await tools.retrieve([{ text: 'other', votes: false }], { reason: 'to re-rank from' })
        return { hits: tools.fuse(await tools.original()) }
      },
    }
    const trace = await search(wider, bringing, 2)
    expect(searchedTexts(trace).at(-1)).toBe('  +  1 only for re-ranking: other')
    expect(hitTable(trace, ['Z', ''], ranksAlone(trace, rankScore())).slice(0, 3)).toEqual([
      '    hit  moved       found by     score',
      '1.  Z    ▲ new       "other"#1   0.0000',
      '2.  a    ▼ 1 from 1  0#1        -1.0000',
    ])
  })

  it('fits a screen with many long texts', async () => {
    const texts = Array.from({ length: 15 }, (_, number) => `${number} ${'long '.repeat(60)}`)
    const trace = await search(deciding(texts))
    expect(searchedTexts(trace).length).toBeLessThanOrEqual(12)
    for (const line of searchedTexts(trace)) expect(line.length).toBeLessThan(100)
  })
})
