/** docs/papers.md says of every equation where it is, and what it names is there. */
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

describe.each([
  { paper: 'ACQO', equations: 10 },
  { paper: 'C-3PO', equations: 15 },
  { paper: 'SPARKLE', equations: 2 },
  { paper: 'MMOA-RAG', equations: 17 },
  { paper: 'MAO-ARAG', equations: 11 },
])('$paper', ({ paper, equations }) => {
  const rows = sections
    .get(paper)!
    .split('\n')
    .filter((line) => line.startsWith('| '))

  it('has a row for each of its equations', () => {
    const found = new Set(rows.flatMap(equationsOf))
    const all = Array.from({ length: equations }, (_, index) => index + 1)
    expect([...found].sort((a, b) => a - b)).toEqual(all)
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
