import { describe, expect, it } from 'vitest'
import { compare } from '../../src/evaluation/compare.ts'
import type { Comparison } from '../../src/evaluation/comparison.ts'
import type { ReportData } from '../../src/evaluation/report/client.ts'
import { collectExplanations } from '../../src/evaluation/report/explanations.ts'
import { stagesAt } from '../../src/evaluation/report/parts.ts'
import { axisOf } from '../../src/evaluation/report/plot.ts'
import { milliseconds, pEquals, percent, signed } from '../../src/evaluation/report/words.ts'
import { report } from '../../src/evaluation/report.ts'
import type { Times } from '../../src/types.ts'
import { evaluated, systemsOf } from '../support/evaluated.ts'
import { expectSelfContained, unbalanced } from '../support/markup.ts'

const setup = { collection: 'seven questions', split: 'test', k: 10, depth: 100, date: '2 March 2026' }
const times: Times = { total: 200, deciding: 150, retrieving: 60, fusing: 1, reranking: 0 }

/** Of seven queries `rewriting` helps one, hurts one, and falls back on one. */
async function mixed(): Promise<Comparison> {
  const rewriting = evaluated([0, 1, 2, 1, 1, 1, 1], (qid) => {
    if (qid === 'q7') return { fallback: { code: 'chat-failed', message: 'no answer' } }
    return { kind: 'rewrite', subQueries: [{ text: `rewritten ${qid}`, round: 1 }], times }
  })
  return compare(await systemsOf({ none: [1, 0, 2, 1, 1, 1, 1], rewriting }), setup)
}

/** The texts of a page, without its markup. */
const textOf = (page: string): string =>
  page
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\u00a0/g, ' ')
    .replace(/\s+/g, ' ')

describe('report', () => {
  it('is one page that is well-formed, loads nothing and runs nothing', async () => {
    const page = await report(await mixed())
    expectSelfContained(page)
  })

  it('draws a plot of scores, gains and losses, decisions, and latency, each with a description', async () => {
    const page = await report(await mixed())
    const labels = [...page.matchAll(/<div class="plot" role="img" aria-label="([^"]*)"/g)].map(
      ([, label]) => label,
    )
    expect(labels).toEqual([
      'rewriting, mrr: 1\u00a0query better than the baseline, 5 alike, 1 worse',
      'mrr: without Querent 0.786, rewriting 0.786',
      expect.stringContaining('rewriting: 0 unchanged, 6 rewritten, 0 split, 1 fell back, 0 no result'),
      expect.stringContaining('rewriting half within 200\u00a0ms'),
    ])
    expect(page).toContain('title="text of q2\nmrr 0.000 → 1.000 (+1.000)"')
    expect(page).toContain('title="text of q1\nmrr 1.000 → 0.000 (−1.000)"')
  })

  it('names what was hurt beside what was helped, and what fell back', async () => {
    const text = textOf(await report(await mixed()))
    expect(text).toContain('▲ Most helped text of q2 ▲ relevant not found → 1, where there was other0')
    expect(text).toContain('0.000 → 1.000 +1.000 · rewritten: “rewritten q2”')
    expect(text).toContain('▼ Most hurt text of q1 ▼ relevant rank 1 → not found, now there is other0')
    expect(text).toContain('1.000 → 0.000 −1.000 · rewritten: “rewritten q1”')
    expect(text).toContain('rewriting : 1 of 7 queries show the results without Querent.')
  })

  it.each([
    [[2, 2, 2], [1, 1, 1], 'recall@1', '3 of 3 questions find more in their first one, none less'],
    [[1, 1, 2], [1, 6, 2], 'recall@5', '1 of 3 questions finds less in their first five, none more'],
    [[1, 7, 2], [7, 1, 2], 'success@5', '1 of 3 questions finds more in their first five, 1 less'],
    [[1, 7], [1, 7], 'recall@5', '2 questions find as many in their first five as before'],
    [[1, 2], [1, 1], 'mrr', '1 of 2 questions does better in mrr, none worse'],
  ])('opens with what was counted: %j → %j in %s', async (before, now, metric, sentence) => {
    const systems = { none: evaluated(before, undefined, [metric]), new: evaluated(now, undefined, [metric]) }
    const page = await report(compare(await systemsOf(systems), setup))
    expect(textOf(page)).toContain(`2 March 2026 ${sentence} Half of the searches take 10 ms instead of 10.`)
    expect(page.indexOf('Most helped')).toBeLessThan(page.indexOf('<h2>Scores'))
  })

  it('tells how it was compared', async () => {
    const text = textOf(await report(await mixed()))
    for (const fact of [
      'seven questions',
      '2 March 2026',
      'depth) 100',
      '10,000 random ones (seed 1)',
      'over 1 comparison;',
      '(judged@10)',
    ]) {
      expect(text).toContain(fact)
    }
  })

  it('calls nothing a gain or a loss that may be chance', async () => {
    const text = textOf(await report(await mixed()))
    expect(text).toContain('No significant difference between rewriting and without Querent')
    expect(text).not.toMatch(/scores (?:higher|lower)|is (?:better|worse) than/)
  })

  it.each([
    [
      [0, 0, 0, 0, 0, 0],
      [1, 1, 1, 1, 1, 1],
      'new scores higher than old in mrr',
      'new is better than old by 1.000',
    ],
    [
      [1, 1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0, 0],
      'new scores lower than old in mrr',
      'new is worse than old by 1.000',
    ],
  ])('says what is significant in words: from %j to %j', async (before, after, headline, finding) => {
    const text = textOf(await report(compare(await systemsOf({ old: before, new: after }), setup)))
    expect(text).toContain(headline)
    expect(text).toContain(finding)
  })

  it('shows texts as texts, whatever they hold', async () => {
    const evil = `<script>alert("1")</script>'&amp;\u0000<img src=x onerror=alert(1)>`
    const comparison = await mixed()
    const { systems, queries } = comparison
    const page = await report({
      ...comparison,
      setup: { ...setup, collection: evil, settings: { [evil]: evil } },
      systems: systems.map((system) => ({ ...system, name: system.name + evil })),
      queries: queries.map((query) => ({
        ...query,
        text: evil,
        results: query.results.map((result) => ({ ...result, subQueries: [evil] })),
      })),
    })
    for (const forbidden of ['<script', '<img', '\u0000']) expect(page).not.toContain(forbidden)
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
    expect(unbalanced(page)).toEqual([])
  })

  it('links the queries that changed to their explanations, with the documents that hits show', async () => {
    const comparison = await mixed()
    const explanations = collectExplanations()
    const trace = (await evaluated([1])).traces[0]!
    for (const { qid } of comparison.queries)
      for (const { name } of comparison.systems) {
        const document = { docid: 'relevant', title: 'A </script> title', text: 'words '.repeat(100) }
        const hits = [{ docid: 'relevant', rank: 1, score: 1, document }]
        const failure = { code: 'ECONNREFUSED', message: 'https://user:canary@host' }
        const told = { reason: failure.message, fallback: failure }
        const full = { ...trace, ...told, version: 2 as const, steps: [], outcome: { hits: [] } }
        const grades = new Map(['relevant', 'else'].map((docid) => [docid, 1]))
        explanations.add(name, qid, { hits, trace: full }, grades)
      }
    const page = await report(comparison, explanations)
    expect(
      unbalanced(page.replace(/<script[\s\S]*?<\/script>/g, '').replace(/<style id[\s\S]*?<\/style>/, '')),
    ).toEqual([])
    const links = [...page.matchAll(/<a id="of-([^"]+)" href="#([^"]+)">/g)]
    expect(links.map(([, of, to]) => [of, to])).toEqual([
      ['explain-0', 'explain-0'],
      ['explain-1', 'explain-1'],
    ])
    const { queries } = JSON.parse(/id="data">(.*?)<\/script>/s.exec(page)![1]!) as ReportData
    expect(Object.values(queries).map(({ text, searches }) => [text, searches[1].grades])).toEqual([
      ['text of q2', { relevant: 1, else: 1 }],
      ['text of q1', { relevant: 1, else: 1 }],
    ])
    expect(queries['explain-0']!.searches[0].hits[0]!.document!.text).toHaveLength(240)
    expect(textOf(page)).toContain('A &lt;/script&gt; title not found → 1')
    expect(page.includes('canary')).toBe(false)
    expect(/http-equiv[^>]*>/.exec(page)![0]).toContain('script-src &#39;sha256-')
  })

  it('gives the same bytes for the same comparison', async () => {
    const comparison = await mixed()
    const page = await report(comparison)
    expect(await report(comparison)).toBe(page)
    expect(await report(JSON.parse(JSON.stringify(comparison)))).toBe(page)
  })

  it('survives many systems, queries without differences, and searches that failed', async () => {
    const ranks = Array.from({ length: 1200 }, (_, index) => index % 3)
    const systems = await systemsOf({
      first: ranks,
      same: ranks,
      turned: ranks.map((rank) => 2 - rank),
      down: evaluated(ranks, (qid) => (qid === 'q1' ? {} : new Error('down'))),
      'a name with many words that no column of any plot can hold': ranks,
    })
    const page = await report(compare(systems, setup, { rounds: 100, samples: 100 }))
    expect(unbalanced(page)).toEqual([])
    const text = textOf(page)
    expect(text).toContain('No question was hurt.')
    expect(text).toContain('down : 1,199 of 1,200 queries failed altogether')
    // 800 of turned's queries changed, half of them from nothing to rank 2: two share a bar.
    expect(page).toContain('title="2 queries, on average +0.500 mrr"')
  })
})

describe('stagesAt', () => {
  const result = (changes: Partial<Times>, fallback?: string) => ({
    values: {},
    subQueries: [],
    times: { ...times, ...changes },
    ...(fallback !== undefined && { fallback }),
  })

  it('divides a search into what it waited for, one after the other', () => {
    // 150 until the decision; of the remaining 50, 1 is fusing. The 60 of retrieving overlap with deciding.
    expect(stagesAt([result({})], 0.5)).toEqual({ deciding: 150, searching: 49, fusing: 1, reranking: 0 })
  })

  it('counts the time of a decision that did not come as waiting for it', () => {
    const [stages] = [stagesAt([result({ deciding: 0 }, 'deadline')], 0.5)!]
    expect(stages).toEqual({ deciding: 200 - 1 - 60, searching: 60, fusing: 1, reranking: 0 })
  })

  it('gives parts that sum to the quantile of the total', () => {
    const results = Array.from({ length: 101 }, (_, index) => result({ total: 200 + index }))
    const sum = (q: number) => Object.values(stagesAt(results, q)!).reduce((total, part) => total + part, 0)
    expect(sum(0.5)).toBeCloseTo(250, 9)
    expect(sum(0.95)).toBeCloseTo(295, 9)
  })

  it('has nothing to say where nothing was searched', () => {
    expect(stagesAt([{ values: {}, subQueries: [] }], 0.5)).toBeUndefined()
  })
})

describe('numbers in words', () => {
  it.each([
    [signed(0.1204), '+0.120'],
    [signed(-0.0312), '−0.031'],
    [signed(-0.00001), '0.000'],
    [pEquals(0.00099), 'p < 0.001'],
    [pEquals(0.04996), 'p = 0.0500'],
    [pEquals(0.5), 'p = 0.50'],
    [percent(0.0001), '< 1 %'],
    [percent(0.9999), '> 99 %'],
    [percent(1), '100 %'],
    [milliseconds(0.44), '0.4 ms'],
    [milliseconds(1240.4), '1,240 ms'],
  ])('%j', (text, expected) => expect(text.replace(/\u00a0/g, ' ')).toBe(expected))

  it.each([
    [0.573, 0.6, 0.2],
    [0.97, 1, 0.2],
    [1, 1, 0.2],
    [0.031, 0.04, 0.01],
    [649, 800, 200],
    [0, 1, 1],
  ])('an axis up to %d ends at %d in steps of %d', (highest, max, interval) => {
    expect(axisOf(0, highest, 5)).toEqual({ min: 0, max, interval })
  })
})
