/** What became of a search: one of four words, with a reason that has nothing of what a backend wrote. */
import { describe, expect, it } from 'vitest'
import { AnswerError } from '../../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import {
  type Ended,
  outcomeOf,
  outcomeOfAll,
  unanswered,
} from '../../../../../adapters/apps/drop-in/answer/outcome.ts'
import { QuerentError } from '../../../../../src/errors.ts'
import { passedThrough, said } from '../../../../../src/observe.ts'
import { createOptimizer } from '../../../../../src/optimizer.ts'
import { scriptedRetriever } from '../../../../support/scripted.ts'
import { deciding } from '../../../../support/scripted-policy.ts'

/** As of a chat server that repeats its key. */
const chatFailed = new QuerentError('chat-failed', 'Chat model "m" at 10.1.2.3 answered 401 of key canary')
const lost = new Error('a shard of canary failed')

async function traceOf(second: readonly string[] | Error = ['c'], fails?: Error) {
  const retriever = scriptedRetriever({ found: { who: ['a'], first: ['b'], second } })
  const policy = deciding(['first', 'second'], { withOriginal: false })
  const failing = { name: 'failing', run: () => Promise.reject(fails) }
  const made = { retrievers: [retriever], policy: fails === undefined ? policy : failing }
  return (await createOptimizer(made).search('who')).trace
}
const answer = (status: number, body: object) => new AnswerError({ status, body, own: undefined })

describe('outcomeOf', () => {
  it.each<readonly [string, () => Promise<Ended>, RegExp]>([
    ['was changed', async () => ({ trace: await traceOf() }), /^changed$/],
    ['kept its order', async () => ({ trace: await traceOf(), kept: 'so' }), /^unchanged: so$/],
    ['lost a sub-query', async () => ({ trace: await traceOf(lost) }), /^changed: in part, Error: /],
    [
      'lost one and kept its order',
      async () => ({ trace: await traceOf(lost), kept: 'so' }),
      /^unchanged: .*Error: /,
    ],
    [
      'without Querent',
      async () => ({ trace: await traceOf([], chatFailed), kept: 'so' }),
      /^failed: chat-failed: /,
    ],
    ['failed', async () => ({ error: new TypeError('no canary') }), /^failed: TypeError: /],
    [
      'the engine could not answer',
      async () => ({ error: answer(503, { error: 'canary' }) }),
      /^failed: .* 503$/,
    ],
    ['has no hits', async () => ({ error: answer(200, { took: 1 }) }), /^failed: .* 200 without hits$/],
    [
      'passed through',
      async () => ({ passed: 'it is sorted', error: lost }),
      /^passed through: it is sorted$/,
    ],
  ])('of a search that %s', async (_, search, line) => {
    const told = said(outcomeOf(await search()))
    expect(told).toMatch(line)
    expect(told).not.toMatch(/canary|10\.1/)
  })

  it('of a search without an answer has the code alone', () => {
    const error = Object.assign(new Error('no route to https://user:canary@host'), { code: 'ECONNREFUSED' })
    expect(said(unanswered(error))).toMatch(/^failed: [^:]+$/)
  })
})

describe('outcomeOfAll', () => {
  const [changed, unchanged] = [{ kind: 'changed' }, { kind: 'unchanged', reason: 'so' }] as const
  const [failed, passed] = [{ kind: 'failed', reason: 'reset' } as const, passedThrough('it is sorted')]

  it.each([
    [[changed, changed], 'changed'],
    [[unchanged], 'unchanged: so'],
    [[passed, changed, unchanged], 'changed: 1 of 3 searches; unchanged: so'],
    [[unchanged, failed, changed], 'changed: 1 of 3 searches; failed: reset'],
    [[passed, unchanged], 'unchanged: 1 of 2 searches; passed through: it is sorted'],
    [[passed, failed], 'failed: 1 of 2 searches; passed through: it is sorted'],
  ])('of %j', (all, line) => expect(said(outcomeOfAll(all))).toBe(line))
})
