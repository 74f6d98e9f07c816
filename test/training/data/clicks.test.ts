import { describe, expect, it } from 'vitest'
import { type ClickedSearch, judgmentsOfClicks } from '../../../src/training/data/clicks.ts'
import { readClicks } from '../../../src/training/data/read-clicks.ts'
import { expectError } from '../../support/expect-error.ts'
import { allOf, sourceOf } from '../../support/lines-of.ts'

/** Searches of `q`: what was shown, and what was clicked, a click after a slash with its seconds. */
const searches = (...lines: readonly string[]): ClickedSearch[] =>
  lines.map((line) => {
    const [shown = '', clicks = ''] = line.split(' | ')
    return {
      query: { text: 'q' },
      shown: shown.split(' '),
      clicks: clicks
        .split(' ')
        .filter(Boolean)
        .map((click) => {
          const [docid = '', seconds] = click.split('/')
          return seconds === undefined ? { docid } : { docid, seconds: Number(seconds) }
        }),
    }
  })

const gradesOf = (...lines: readonly string[]) =>
  Object.fromEntries(
    [...judgmentsOfClicks(searches(...lines)).qrels.values()].flatMap((grades) => [...grades]),
  )

describe('judgmentsOfClicks', () => {
  it.each([
    // What was passed over is not relevant, what is below the click is unknown.
    ['a b c d | c', { a: 0, b: 0, c: 1 }],
    // The lowest click ended the search, whatever the order of the clicks.
    ['a b c d | c a', { a: 0, b: 0, c: 1 }],
    // Who came back after 5 seconds was not satisfied; who stayed for 30 was, wherever it stood.
    ['a b c d | a/40 c/5', { a: 1, b: 0, c: 0 }],
    ['a b c d | a/30 c/31', { a: 1, b: 0, c: 1 }],
    // Where some stays are known, one that is not is no sign.
    ['a b c d | a/40 c', { a: 1, b: 0, c: 0 }],
    // A document that is shown twice stands where it is first; a click on what was not shown is none.
    ['a b a c | a z', { a: 1 }],
  ])('%s', (line, grades) => expect(gradesOf(line)).toEqual(grades))

  it('counts over the searches of a query: half of those that examined a document must be satisfied', () => {
    // a satisfied 1 of 3, b 1 of 2, c 1 of 1; d was never examined.
    expect(gradesOf('a b c d | a', 'a b c d | b', 'a b c d | c')).toEqual({ a: 0, b: 1, c: 1 })
    // Once b stands first, it is examined by everybody: 1 of 3.
    expect(gradesOf('b a c | b', 'b a c | a', 'b a c | c')).toEqual({ b: 0, a: 1, c: 1 })
  })

  it('leaves out searches without clicks, and queries with nothing relevant', () => {
    expect(judgmentsOfClicks(searches('a b', 'a b | z', 'a | a/3'))).toEqual({
      queries: [],
      qrels: new Map(),
      unclicked: 2,
    })
  })

  it('takes the same words after the same conversation for one query, and those of one qid', () => {
    const clicked = { shown: ['a'], clicks: [{ docid: 'a' }] }
    const history = [{ role: 'user', text: 'Who wrote Emma?' }] as const
    const { queries, qrels } = judgmentsOfClicks([
      { query: { text: 'Where was  she born?' }, ...clicked },
      { query: { text: 'where was she born?', history }, ...clicked },
      { query: { text: 'where was she born?' }, ...clicked },
      { query: { qid: 'x', text: 'one' }, ...clicked },
      { query: { qid: 'x', text: 'one, in other words' }, ...clicked },
    ])
    expect(queries).toEqual([
      { qid: 'c1', text: 'Where was  she born?' },
      { qid: 'c2', text: 'where was she born?', history },
      { qid: 'x', text: 'one' },
    ])
    expect([...qrels.keys()]).toEqual(['c1', 'c2', 'x'])
  })

  it('takes the lowest click for the one that satisfied, or every click where that is said', () => {
    const log = [{ query: { text: 'one' }, shown: ['a', 'b', 'c'], clicks: [{ docid: 'a' }, { docid: 'c' }] }]
    const stayed = [{ ...log[0]!, clicks: [{ docid: 'a', seconds: 40 }, { docid: 'c' }] }]
    const grades = (...args: Parameters<typeof judgmentsOfClicks>) =>
      Object.fromEntries(judgmentsOfClicks(...args).qrels.get('c1')!)
    expect(grades(log)).toEqual({ a: 0, b: 0, c: 1 })
    expect(grades(log, { everyClick: true })).toEqual({ a: 1, b: 0, c: 1 })
    expect(grades(stayed, { everyClick: true })).toEqual({ a: 1, b: 0, c: 0 })
  })

  it('gives no query the qid of another', () => {
    const clicked = { shown: ['a'], clicks: [{ docid: 'a' }] }
    const { queries } = judgmentsOfClicks([
      { query: { text: 'one' }, ...clicked },
      { query: { qid: 'c1', text: 'two' }, ...clicked },
      { query: { qid: 'cc1', text: 'three' }, ...clicked },
    ])
    expect(queries.map(({ qid }) => qid)).toEqual(['ccc1', 'c1', 'cc1'])
  })
})

describe('readClicks', () => {
  const read = (text: string) => allOf(readClicks(sourceOf('clicks.jsonl', text)))

  it('reads both forms of a click, and a conversation; other keys are not looked at', async () => {
    const line = {
      query: 'she?',
      history: [{ role: 'assistant', text: 'Hello' }],
      shown: ['a', 'b'],
      clicks: ['b', { docid: 'a', seconds: 3 }, { docid: 'a' }],
      user: 7,
    }
    expect(await read(`${JSON.stringify(line)}\n`)).toEqual([
      {
        query: { text: 'she?', history: [{ role: 'agent', text: 'Hello' }] },
        shown: ['a', 'b'],
        clicks: [{ docid: 'b' }, { docid: 'a', seconds: 3 }, { docid: 'a' }],
      },
    ])
  })

  it('accepts numbers for docids, as corpora do', async () => {
    expect(await read('{"query": "q", "shown": [3, 4], "clicks": [3, {"docid": 4}]}\n')).toEqual([
      { query: { text: 'q' }, shown: ['3', '4'], clicks: [{ docid: '3' }, { docid: '4' }] },
    ])
  })

  it.each([
    ['{', /clicks\.jsonl:2: .*JSON/],
    ['[]', /clicks\.jsonl:2: /],
    ['{"query": " ", "shown": ["a"], "clicks": []}', /clicks\.jsonl:2: .*"query"/],
    ['{"query": "q", "clicks": []}', /clicks\.jsonl:2: .*"shown"/],
    ['{"query": "q", "shown": ["a"], "clicks": [true]}', /clicks\.jsonl:2: .*"clicks.0"/],
  ])('names file and line of %s', async (line, fact) => {
    const content = `{"query": "q", "shown": ["a"], "clicks": []}\n${line}\n`
    await expectError(read(content), 'bad-file', fact)
  })
})
