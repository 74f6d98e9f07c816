import { describe, expect, it } from 'vitest'
import { bodyTemplate, fieldsTemplate, slotsIn } from '../../../../adapters/search/cluster/template.ts'

describe('fieldsTemplate', () => {
  it('matches one field', () => {
    expect(fieldsTemplate(['contents'], undefined)('a b')).toEqual({
      query: { match: { contents: { query: 'a b' } } },
    })
    expect(fieldsTemplate(['title^2.5'], undefined)('a')).toEqual({
      query: { match: { title: { query: 'a', boost: 2.5 } } },
    })
  })

  it('matches several together', () => {
    expect(fieldsTemplate(['title^2', 'text'], 'cross_fields')('a')).toEqual({
      query: { multi_match: { query: 'a', fields: ['title^2', 'text'], type: 'cross_fields' } },
    })
    expect(fieldsTemplate(['title', 'text'], undefined)('a')).toEqual({
      query: { multi_match: { query: 'a', fields: ['title', 'text'] } },
    })
  })
})

describe('bodyTemplate', () => {
  const body = {
    query: {
      bool: {
        should: [
          { match: { title: '{{query}}' } },
          { match: { text: { query: 'about {{query}} ({{query}})' } } },
        ],
        filter: [{ term: { tenant: 7 } }, { term: { '{{query}}': null } }],
      },
    },
    min_score: 0.5,
    highlight: { fields: { text: {} } },
  }

  it('puts the text into its slots and changes nothing else', () => {
    const before = structuredClone(body)
    expect(bodyTemplate(body)('red fox')).toEqual({
      ...body,
      query: {
        bool: {
          should: [
            { match: { title: 'red fox' } },
            { match: { text: { query: 'about red fox (red fox)' } } },
          ],
          filter: body.query.bool.filter,
        },
      },
    })
    expect(body).toEqual(before)
    expect(slotsIn(body)).toBe(3)
  })

  it.each([
    '"}}],"',
    '{"match_all":{}}',
    '$& $1 $$',
    '{{query}}',
    '\\u0022 \\',
    '\u0000\n\u2028',
    '__proto__',
  ])('takes %j for words', (text) => {
    const filled = bodyTemplate({ query: { match: { title: '{{query}}' } } })(text)
    expect(JSON.parse(JSON.stringify(filled))).toEqual({ query: { match: { title: text } } })
  })
})
