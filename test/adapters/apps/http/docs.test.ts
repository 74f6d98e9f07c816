/** What docs/http.md says of statuses, options and stages is so. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { endpointShape } from '../../../../adapters/apps/http/options.ts'
import { playgroundShape } from '../../../../adapters/apps/http/playground.ts'
import { problemOfError, problemTable } from '../../../../adapters/apps/http/problem.ts'
import { type ErrorCode, errorTable, QuerentError } from '../../../../src/errors.ts'
import { firstCells, tableOf } from '../../../support/markdown.ts'

const rows = (heading: string): string[][] => tableOf('docs/http.md', heading)
const named = (heading: string): string[] => firstCells(rows(heading)).sort()

it('the table of problems has every code with its status', () => {
  const own = (Object.keys(errorTable) as ErrorCode[])
    .map((code) => [code, problemOfError(new QuerentError(code, 'x'), false).status] as const)
    .filter(([, status]) => status !== 500)
  const requests = Object.entries(problemTable).map(([code, { status }]) => [code, status] as const)
  const documented = rows('code').map(([code, status]) => [code!, Number(status)] as const)
  expect(new Map(documented)).toEqual(new Map<string, number>([...requests, ...own]))
})

it('the table of options has all of them and no other', () => {
  expect(named('option')).toEqual([...Object.keys(endpointShape), 'path'].sort())
})

it("the table of the page's options has those that the endpoint lacks, and what is not the same", () => {
  const own = Object.keys(playgroundShape).filter((name) => !Object.hasOwn(endpointShape, name))
  expect(named('page option')).toEqual(['documents', ...own].sort())
})

it('the tables of keys and stages have all of them and no other', () => {
  const parameters = readFileSync('adapters/apps/http/parameters.ts', 'utf8')
  for (const [key] of rows('key')) expect(parameters).toContain(`${key}:`)
  const stream = readFileSync('adapters/apps/http/stream.ts', 'utf8')
  const types = [...stream.matchAll(/readonly type: '(\w+)'/g)].map(([, type]) => type)
  expect(named('type')).toEqual(types.sort())
})
