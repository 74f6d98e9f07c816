import { describe, expect, it } from 'vitest'
import { headline, mainFindings, otherFindings } from '../../bench/training-report/findings.ts'
import { tableMarkdown } from '../../bench/training-report/table.ts'
import { tableSections, trainingTables } from '../../bench/training-report/tables.ts'
import { trainingReport } from '../../bench/training-report/training-report.ts'
import { generatedExperiments } from '../bench/experiments/generated.ts'
import { expectSelfContained, unbalanced } from '../support/markup.ts'

const better = generatedExperiments(0.2)
const alike = generatedExperiments(0)
const worse = generatedExperiments(-0.2)
const bare = (() => {
  const { ablations, numbers, filters, leftOut, retrievers, times, filtered, ...rest } = better
  return rest
})()

describe('trainingReport', async () => {
  const page = await trainingReport(better)

  it('is one page that is well-formed, loads nothing and runs nothing', () => {
    expectSelfContained(page)
  })

  it('has a section for every question, and a plot for most', () => {
    const sections = [...page.matchAll(/<section id="([^"]*)">/g)].map(([, id]) => id)
    expect(sections).toEqual([
      'comparison',
      'requests',
      'curves',
      'decisions',
      'difficulty',
      'numbers',
      'ablations',
      'filters',
      'left-out',
      'retrievers',
      'times',
      'more',
      'method',
    ])
    const labels = [...page.matchAll(/<svg role="img" aria-label="([^"]*)"/g)].map(([, label]) => label!)
    expect(labels[0]).toContain('the query as it is: +0.200 ▲ better')
    expect(labels.some((label) => label.startsWith('Reward by epoch'))).toBe(true)
    expect(labels.some((label) => label.includes('names: 50\u00a0% left alone'))).toBe(true)
  })

  it('leaves out what was not asked', async () => {
    const page = await trainingReport(bare)
    for (const id of ['numbers', 'ablations', 'filters', 'left-out', 'retrievers'])
      expect(page).not.toContain(`<section id="${id}">`)
    expect(unbalanced(page)).toEqual([])
  })

  it('shows names as text, whatever they hold', async () => {
    const hostile = generatedExperiments(0.2, { first: '<script>alert("1")</script>', second: '"&\'|`*' })
    const page = await trainingReport(hostile)
    expect(unbalanced(page)).toEqual([])
    expect(page).not.toContain('<script')
    expect(page).toContain('&lt;script&gt;')
    expect(trainingTables(hostile)).toContain('\\<script\\>alert("1")\\</script\\>')
  })

  it('gives the same bytes for the same experiments', async () => {
    const again = generatedExperiments(0.2)
    expect(await trainingReport(again)).toBe(page)
    expect(trainingTables(again)).toBe(trainingTables(better))
  })
})

describe('headline', () => {
  it('says that something was learned only where all three are beaten', () => {
    expect(headline(better)).toMatch(/^The decision has learned/)
    expect(headline(alike)).toBe('It is not shown that the decision has learned anything')
    expect(headline(worse)).toBe(
      'The decision finds less than the query as it is, the best fixed set and a context-free policy',
    )
  })
})

describe('mainFindings and otherFindings', () => {
  it('print losses like gains', () => {
    expect(mainFindings(better).join('\n')).toContain('significantly below any of these')
    const lost = mainFindings(worse).join('\n')
    expect(lost).toMatch(/significantly below in 27 of 27 comparisons/)
    expect(lost).toContain('Against the query as it is the decision alone earns −0.200')
    expect(mainFindings(alike).join('\n')).toContain(
      'Against a context-free policy no difference in reward is shown: 0.000',
    )
  })

  it('tell whether the number of sub-queries explores and converges', () => {
    // From 2 before training to 3 after Stage I and back to 1.5.
    expect(otherFindings(better).join('\n')).toContain('it explores, then converges, as in the paper')
  })
})

describe('trainingTables', () => {
  it('has the command, every section, and the decision alone beside decision and re-ranking', () => {
    const text = trainingTables(better, { command: 'make the tables' })
    expect(text).toContain('```sh\nmake the tables\n```')
    for (const { title } of tableSections(better)) expect(text).toContain(`\n## ${title}\n`)
    expect(text).toContain('Decision alone: recall@2 / recall@5')
    expect(text).toContain('With re-ranking: recall@2 / recall@5')
    const row = text.split('\n').find((line) => line.startsWith('| than the query as it is |'))!
    expect(row).toContain('▲ better')
  })

  it('has rows as wide as their heads', () => {
    for (const { tables } of tableSections(better))
      for (const { head, groups } of tables)
        for (const { rows } of groups) for (const row of rows) expect(row).toHaveLength(head.length)
  })
})

describe('tableMarkdown', () => {
  it('keeps cells in their places', () => {
    const table = { title: 'one', head: ['', 'a|b'], groups: [{ name: 'x*y', rows: [['1\n2', '`3`']] }] }
    expect(tableMarkdown(table).split('\n')).toEqual([
      '|  | a\\|b |',
      '| --- | ---: |',
      '| **x\\*y** | |',
      '| 1 2 | \\`3\\` |',
    ])
  })
})
