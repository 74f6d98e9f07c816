/** docs/papers.md says of every equation and every ablation where it is, or that it is not included, and what it names exists. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const sections = new Map(
  readFileSync('docs/papers.md', 'utf8')
    .split(/^## /m)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
)

/** "eq. 1, 3–5" as 1, 3, 4, 5. */
function equationsOf(row: string): number[] {
  const lists = [...row.split('|')[1]!.matchAll(/eq\. (\d+(?:(?:, |–)\d+)*)/g)].map(([, list]) => list!)
  return lists.flatMap((list) =>
    list.split(',').flatMap((part) => {
      const [first, last = first] = part.split('–').map(Number)
      return Array.from({ length: last! - first! + 1 }, (_, index) => first! + index)
    }),
  )
}

/** How many equations a paper has, and all that it varies to see what it is worth, as the rows begin. */
describe.each([
  {
    paper: 'ACQO',
    equations: 10,
    ablations: [
      'Table 1',
      'Figure 2',
      'Tables 2, 3',
      'Table 4',
      'Table 5, without rank-score fusion',
      'Table 5, without decomposition',
      'Table 5, without Stage II',
      'Figure 4',
      'Table 6',
      'Figure 5 (B.1)',
      'Table 8 (B.1)',
      'Figure 6 (B.2)',
      'Table 9 (B.3)',
      'Table 10 (B.4)',
    ],
  },
  {
    paper: 'C-3PO',
    equations: 15,
    ablations: ['6.4, without the tree', '6.4, without RL', '6.4, Table 3'],
  },
  {
    paper: 'SPARKLE',
    equations: 2,
    ablations: [
      'Figure 10 (E.2)',
      'Table 4, standard rollout',
      'Table 4, without RL',
      'Table 4, without an agent',
      'Table 4, direct QF',
      'Table 4, direct KI',
    ],
  },
  { paper: 'MMOA-RAG', equations: 17, ablations: ['Table 4', 'Figure 3', 'Table 5'] },
  {
    paper: 'MAO-ARAG',
    equations: 11,
    ablations: ['4.2, Table 1, without training', '4.4, Figure 4', '4.5, Table 2'],
  },
])('$paper', ({ paper, equations, ablations }) => {
  const rows = sections
    .get(paper)!
    .split('\n')
    .filter((line) => line.startsWith('| '))

  it('has a row for each of its equations', () => {
    const found = new Set(rows.flatMap(equationsOf))
    const all = Array.from({ length: equations }, (_, index) => index + 1)
    expect([...found].sort((a, b) => a - b)).toEqual(all)
  })

  it.each(ablations)('says of %s where it is, or that it is not included', (ablation) => {
    const [row, ...others] = rows.filter((line) => line.startsWith(`| ${ablation} |`))
    expect([row, others]).toEqual([expect.any(String), []])
    const [what, where] = row!.split('|').slice(2, 4)
    expect(what!.trim()).not.toBe('')
    expect(where).toMatch(/`.+`|\]\(|not included/)
  })

  it('names what the file beside it has', () => {
    const named = rows.flatMap((row) =>
      [...row.matchAll(/((?:`[\w-]+`(?:, | and )?)+) in \[[^\]]+\]\(([^)]+)\)/g)].flatMap(([, names, file]) =>
        [...names!.matchAll(/`([\w-]+)`/g)].map(([, name]) => ({ name: name!, file: join('docs', file!) })),
      ),
    )
    expect(named.length).toBeGreaterThan(0)
    for (const { name, file } of named)
      expect(readFileSync(file, 'utf8'), file).toMatch(new RegExp(`\\b${name}\\b`))
  })
})
