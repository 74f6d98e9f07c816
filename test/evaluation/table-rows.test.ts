import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTableRows, type TableOptions } from '../../src/evaluation/table-rows.ts'
import { anyText } from '../support/any-text.ts'

type Name = 't.tsv' | 't.csv'

/** The rows as lists of cells, and the lines of those that were left out. */
async function read(name: Name, text: string | readonly Uint8Array[], options: TableOptions = {}) {
  const bytes = typeof text === 'string' ? [Buffer.from(text)] : text
  const rows: string[][] = []
  const bad: number[] = []
  const onBadLine = ({ message }: Error): unknown => bad.push(Number(/^t\.[ct]sv:(\d+): /.exec(message)?.[1]))
  for await (const { cells } of readTableRows({ name, bytes }, name === 't.csv' ? ',' : '\t', {
    onBadLine,
    ...options,
  }))
    rows.push(Object.values(cells))
  return { rows, bad }
}

/** Rows of 100 documents, one of which is replaced. */
const table = (head: string, rowOf: (at: number) => string, bad: number, row: string): string =>
  [head, ...Array.from({ length: 100 }, (_, at) => (at === bad ? row : rowOf(at)))].join('\n')

describe('a bad row among good ones costs itself alone', () => {
  it.each([0, 1, 9, 50, 98, 99])('at place %i of a TSV', async (place) => {
    for (const row of ['x', 'x\ty\tz', '\t\t\t', '"x', 'x\t"y\tz"\tw']) {
      const { rows, bad } = await read(
        't.tsv',
        table('id\ttext', (at) => `${at}\tgood "${at}`, place, row),
      )
      expect([rows.length, bad]).toEqual([99, [place + 2]])
      expect(rows.every(([id, text]) => text === `good "${id}`)).toBe(true)
    }
  })

  it.each([0, 1, 9, 50, 98, 99])('at place %i of a CSV', async (place) => {
    for (const row of [
      'x',
      'x,y,z',
      'x,"open',
      'x,"Quoted" start',
      'x,a 5" screen',
      '"x"y,z',
      'x,"""',
      '"',
    ]) {
      for (const text of ['plain', '"in quotes, ""twice"""', '""'] as const) {
        const { rows, bad } = await read(
          't.csv',
          table('id,text', (at) => `${at},${text}`, place, row),
        )
        expect([row, rows.length, bad]).toEqual([row, 99, [place + 2]])
      }
    }
  })

  it('with lines that are not UTF-8, also within a row of several lines', async () => {
    const lines = ['id,text', '1,a', '2,"b', '\xff', 'c"', '3,d', '\xff', '4,e']
    const { rows, bad } = await read('t.csv', [Buffer.from(lines.join('\r\n'), 'latin1')])
    expect(rows.map(([id]) => id)).toEqual(['1', '3', '4'])
    expect(bad.toSorted()).toEqual([3, 4, 5, 7])
  })

  it('but not in the line of names, without which nothing can be read', async () => {
    for (const head of ['id,"text', 'id,te"xt', 'id,id', '\xffid,text'])
      await expect(read('t.csv', [Buffer.from(`${head}\n1,a\n`, 'latin1')])).rejects.toMatchObject({
        code: expect.stringMatching(/^bad-(document|file)$/),
        message: expect.stringContaining('t.csv:1: '),
      })
  })
})

describe('TSV', () => {
  it('has quotes around whole cells only, in which tabs may stand; others are characters', async () => {
    const lines = [
      '\ufeff"id"\ttext\tnote',
      '1\t"Hello" is a greeting\t5" x 7"',
      '2\t"in ""quotes"""\t"a\tb"',
      '3\t"Seize the day\tof the poet"',
      '4\t"one\ttwo"\t""',
      '\t\t',
      '6\t"not "closed" so"\t"',
    ]
    expect(await read('t.tsv', lines.join('\r\n'))).toEqual({
      rows: [
        ['1', '"Hello" is a greeting', '5" x 7"'],
        ['2', 'in "quotes"', 'a\tb'],
        ['3', '"Seize the day', 'of the poet"'],
        ['4', 'one\ttwo', ''],
        ['', '', ''],
        ['6', '"not "closed" so"', '"'],
      ],
      bad: [],
    })
  })

  it('comes back as naive programs write it, in order, with bad rows counted', async () => {
    const cell = anyText()
      .map((text) => text.replaceAll(/[\t\n\r\ufeff]/g, ' '))
      // A cell wholly in quotes is one that a program of spreadsheets wrote.
      .filter((text) => !/^".*"$/s.test(text))
    const quoteful = fc
      .array(fc.constantFrom('"', 'a', ' ', '""'), { maxLength: 6 })
      .map((parts) => `x${parts.join('')}`)
    const row = fc.record({ text: fc.oneof(cell, quoteful), cells: fc.constantFrom(1, 2, 2, 2, 3) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (rows, end, ends) => {
          const lines = rows.map(({ text, cells }, at) => [`${at}`, text, 'more'].slice(0, cells).join('\t'))
          const { rows: found, bad } = await read(
            't.tsv',
            ['id\ttext', ...lines].join(end) + (ends ? end : ''),
          )
          const isGood = rows.map(({ cells }) => cells === 2)
          expect(found).toEqual(rows.flatMap(({ text }, at) => (isGood[at] ? [[`${at}`, text]] : [])))
          expect(bad).toEqual(isGood.flatMap((good, at) => (good ? [] : [at + 2])))
        },
      ),
    )
  })

  it('without a line of names is read with those given', async () => {
    const given = { columns: ['id', '', 'text'] }
    expect(await read('t.tsv', '\ufeff0\tx\tThe "first"\n1\ty\n2\tz\tlast', given)).toEqual({
      rows: [
        ['0', 'The "first"'],
        ['2', 'last'],
      ],
      bad: [2],
    })
  })
})

describe('CSV', () => {
  const text = fc.array(fc.constantFrom('"', ',', '\n', '\r\n', '\r', ' ', 'a', 'é', '\t'), { maxLength: 8 })
  const cells = fc.tuple(
    anyText(),
    text.map((parts) => parts.join('')),
    fc.constantFrom('', 'plain'),
  )
  const written = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

  it('comes back as programs write it, in whatever pieces it is read, and as another reader reads it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(cells), fc.constantFrom('\n', '\r\n'), fc.nat(), async (rows, end, cut) => {
        const file = `a,b,c${end}${rows.map((row) => row.map(written).join(',') + end).join('')}`
        const bytes = Buffer.from(file)
        const at = cut % bytes.length
        const { rows: found, bad } = await read('t.csv', [bytes.subarray(0, at), bytes.subarray(at)])
        expect(found).toEqual(parse(file, { from_line: 2, record_delimiter: end }))
        expect([found, bad]).toEqual([rows, []])
      }),
    )
  })

  it('loses nothing beside rows whose quote does not close', async () => {
    const row = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('ok', '"a, b"', '"a ""b"""') },
      fc.constantFrom('"open', 'a"b'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row), async (rows) => {
        const isGood = rows.map((cell) => !['"open', 'a"b'].includes(cell))
        const { rows: found, bad } = await read(
          't.csv',
          ['id,text', ...rows.map((cell, at) => `${at},${cell}`)].join('\n'),
        )
        expect(found.map(([id]) => id)).toEqual(isGood.flatMap((good, at) => (good ? [`${at}`] : [])))
        expect(bad).toEqual(isGood.flatMap((good, at) => (good ? [] : [at + 2])))
      }),
    )
  })
})
