import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatTable } from '../../../src/cli/output/table-format.ts'

const columns = ['name', 'value']
const rows = [
  ['a_1|b & 5 %', { shown: '−0.333', exact: -1 / 3 }],
  ['x "y", z', ''],
]

it('prints Markdown with numbers to the right', () => {
  expect(formatTable('markdown', columns, rows)).toEqual([
    '| name | value |',
    '| --- | ---: |',
    '| a\\_1\\|b & 5 % | −0.333 |',
    '| x "y", z |  |',
  ])
})

it('prints LaTeX with its own signs escaped', () => {
  expect(formatTable('latex', columns, rows)).toEqual([
    '\\begin{tabular}{lr}',
    '\\toprule',
    'name & value \\\\',
    '\\midrule',
    'a\\_1|b \\& 5 \\% & $-$0.333 \\\\',
    'x "y", z &  \\\\',
    '\\bottomrule',
    '\\end{tabular}',
  ])
})

it('prints CSV with exact numbers, which another reader gets back', () => {
  expect(formatTable('csv', columns, rows)).toEqual([
    'name,value',
    'a_1|b & 5 %,-0.3333333333333333',
    '"x ""y"", z",',
  ])
  const table = fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 2 }))
  fc.assert(
    fc.property(table, (cells) => {
      const text = formatTable('csv', columns, cells).join('\n')
      expect(parse(text, { record_delimiter: '\n' })).toEqual([columns, ...cells])
    }),
  )
})
