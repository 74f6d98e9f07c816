/** JSON without loss: every number keeps its spelling, in requests and in answers. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAnswer, parseRequest, toJson } from '../../../../adapters/apps/proxy/json.ts'

const numbers = ['9007199254740993', '1.0', '-0', '1e400', '1E+2', '0.10000000000000000555', '7', '-2.5']

describe.each([
  ['a request', parseRequest],
  ['an answer', parseAnswer],
] as const)('%s', (_, parse) => {
  it.each(numbers)('keeps %s as it was written', (number) => {
    expect(toJson(parse(`{"a":[${number}]}`))).toBe(`{"a":[${number}]}`)
  })

  it('leaves strings that look like numbers alone', () => {
    const text = '{"a":"1.0","1.0":"9007199254740993"}'
    expect(toJson(parse(text))).toBe(text)
  })

  it('keeps a key __proto__ as a key', () => {
    const text = '{"__proto__":{"a":1.0}}'
    const value = parse(text) as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(toJson(value)).toBe(text)
  })

  it('is what JSON.parse reads, for every value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.parse(toJson(parse(text)))).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each(['{"a":01}', '{a:1}', '', '[1,]'])('refuses %j', (text) => {
    expect(() => parse(text)).toThrow(SyntaxError)
  })
})

it.each(['{"a":1,"a":1}', '{"b":[{"a":1,"a":1}]}', '{"a":1,"a":2}'])(
  'a request with a duplicate key is refused: %s',
  (text) => {
    expect(() => parseRequest(text)).toThrow(SyntaxError)
  },
)

it('indents for readers', () => {
  expect(toJson({ a: 1 }, 2)).toBe('{\n  "a": 1\n}')
})
