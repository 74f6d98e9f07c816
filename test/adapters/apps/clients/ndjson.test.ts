/** The lines of an `_msearch` as an application may write them. */
import { describe, expect, it } from 'vitest'
import { parseJson, readMsearchLines } from '../../../../adapters/apps/clients/client-engine.ts'

const [header, body] = [{ index: 'works' }, { query: { match_all: {} } }]
const items = [
  { header, body },
  { header: {}, body },
]

describe('itemsOf', () => {
  it.each<readonly [string, unknown]>([
    ['objects', [header, body, {}, body]],
    ['texts of JSON', [JSON.stringify(header), JSON.stringify(body), '{}', JSON.stringify(body)]],
    ['objects and texts', [header, JSON.stringify(body), '{}', body]],
    ['one text', [header, body, {}, body].map((line) => JSON.stringify(line)).join('\n')],
    [
      'one text with blank lines',
      `${[header, body, {}, body].map((line) => JSON.stringify(line)).join('\n\n')}\n \n`,
    ],
  ])('reads %s', (_, written) => expect(readMsearchLines(written)).toEqual(items))

  it.each<readonly [string, unknown]>([
    ['no lines', []],
    ['an empty text', ''],
    ['a header without a body', [header]],
    ['a header that is no object', [['works'], body]],
    ['a body that is no JSON', [header, '{"query":']],
    ['no list', { header, body }],
    ['nothing', undefined],
  ])('refuses %s', (_, written) => expect(readMsearchLines(written)).toBeUndefined())
})

it('parsed reads texts, and passes on what is no text', () => {
  expect(parseJson('{"a":1}')).toEqual({ a: 1 })
  expect(parseJson(body)).toBe(body)
  expect(parseJson('{')).toBeUndefined()
})
