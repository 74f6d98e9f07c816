/** `filter_path` as the engines apply it, asked anew, and as we do. `UPDATE_FIXTURES=1` writes down what Elasticsearch says. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { describe, expect, inject, it } from 'vitest'
import { filterPath } from '../../adapters/apps/drop-in/answer/filter-path.ts'
import { isObject, type JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import recorded from '../support/filter-path-answers.json' with { type: 'json' }
import { askWithFilters, type FilterPathAnswers, filters } from '../support/filter-path-cases.ts'

const ask = (kind: 'elasticsearch' | 'opensearch'): Promise<FilterPathAnswers> =>
  askWithFilters(inject(kind), `qreq-filter-${randomBytes(5).toString('hex')}`)

describe('Elasticsearch', async () => {
  const answers = await ask('elasticsearch')
  if (process.env.UPDATE_FIXTURES === '1') {
    const made = `${JSON.stringify(answers, undefined, 2)}\n`
    writeFileSync(new URL('../support/filter-path-answers.json', import.meta.url), made)
  }

  it.each(filters)('%s: ours is the same', (filter) =>
    expect(filterPath(answers.whole, filter)).toEqual(answers.filtered[filter]),
  )

  it('says what was written down', () => expect(answers).toEqual(recorded satisfies FilterPathAnswers))
})

describe('OpenSearch', async () => {
  const answers = await ask('opensearch')
  /** Where a part is left out, it leaves out what was empty on the way there, too; Elasticsearch and we do not. */
  const withoutEmpty = ['-hits.hits._source.*.*', '-hits.hits._source.*.name', '-**.name', '**,-**.name']
  /** It does not mind a point at the end; to Elasticsearch and us it is a name that nothing has. */
  const withPoint = ['hits.', 'hits.hits.']

  it.each(filters.filter((filter) => ![...withoutEmpty, ...withPoint].includes(filter)))(
    '%s: ours is the same',
    (filter) => expect(filterPath(answers.whole, filter)).toEqual(answers.filtered[filter]),
  )

  it.each(withoutEmpty)('%s: ours is the same but for what was empty', (filter) => {
    const ours = filterPath(answers.whole, filter)
    expect(ours).not.toEqual(answers.filtered[filter])
    expect(full(ours)).toEqual(full(answers.filtered[filter]))
  })

  it.each(withPoint)('%s: ours is nothing', (filter) => {
    expect(filterPath(answers.whole, filter)).toEqual({})
    expect(answers.filtered[filter]).toEqual(filterPath(answers.whole, filter.slice(0, -1)))
  })
})

/** Without its empty parts. */
function full(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(full).filter((item) => item !== undefined)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, full(inner)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => !isEmpty(inner))) as JsonObject
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
