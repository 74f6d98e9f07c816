/** What docs/http.md says of statuses, keys and stages is so. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { problemOfError, problemTable } from '../../../../adapters/apps/http/problem.ts'
import { type ErrorCode, errorTable, QuerentError } from '../../../../src/errors.ts'
import { firstCells, tableOf } from '../../../support/markdown.ts'

const rows = (heading: string): string[][] => tableOf('docs/http.md', heading)

it('the table of problems has every code with its status', () => {
  const own = (Object.keys(errorTable) as ErrorCode[])
    .map((code) => [code, problemOfError(new QuerentError(code, 'x'), false).status] as const)
    .filter(([, status]) => status !== 500)
  const requests = Object.entries(problemTable).map(([code, { status }]) => [code, status] as const)
  const documented = rows('status').flatMap(([statuses, codes]) => {
    const listed = statuses!.split(', ').map(Number)
    return codes!.split(', ').map((code, place) => [code, listed[place] ?? listed[0]!] as const)
  })
  expect(new Map(documented)).toEqual(new Map<string, number>([...requests, ...own]))
})

it('the tables of keys and stages have all of them and no other', () => {
  const parameters = readFileSync('adapters/apps/http/parameters.ts', 'utf8')
  for (const [key] of rows('key')) expect(parameters).toContain(`${key}:`)
  const stream = readFileSync('adapters/apps/http/stream.ts', 'utf8')
  const types = [...stream.matchAll(/readonly type: '(\w+)'/g)].map(([, type]) => type)
  expect(firstCells(rows('type')).sort()).toEqual(types.sort())
})
