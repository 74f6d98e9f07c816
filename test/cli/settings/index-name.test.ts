import { describe, expect, it } from 'vitest'
import { indexName } from '../../../src/cli/settings/setting-kinds.ts'
import { runToEnd } from '../../support/run-to-end.ts'

describe('the name of an index on a cluster', () => {
  it.each(['articles', 'articles-2026.11', 'été', 'a'.repeat(255)])('may be %s', (name) => {
    expect(indexName.safeParse(name).success).toBe(true)
  })

  it.each([
    'UPPER*',
    'Upper',
    'a*',
    'two words',
    'a,b',
    'a/b',
    '_hidden',
    '-x',
    '+x',
    '.',
    '..',
    'a:b',
    'a#b',
  ])('is not %s', (name) => {
    expect(indexName.safeParse(name).success).toBe(false)
  })

  it('has at most 255 bytes', () => expect(indexName.safeParse('é'.repeat(128)).success).toBe(false))

  it('is checked before anything is read or sent', async () => {
    const target = ['--engine', 'elasticsearch', '--url', 'http://127.0.0.1:1', '--name', 'UPPER*']
    const { status, errors } = await runToEnd(['index', '/nowhere.jsonl', ...target])
    expect([status, errors]).toEqual([2, expect.stringContaining('--name ')])
  })
})
