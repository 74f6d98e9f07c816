/** Retries and limits around an engine: the caller's own request is sent again, and sub-queries are limited. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EngineAnswer } from '../../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import {
  begunWith,
  engineLimits,
  resilientEngine,
  sendOwn,
} from '../../../../../adapters/apps/drop-in/run/resilient-engine.ts'
import { expectError } from '../../../../support/expect-error.ts'
import { answered, answerOf, fakeEngine, found, searchFor } from '../../../../support/fake-engine.ts'

const good = answered(answerOf(found('a')))
const busy = answered({ error: 'busy' }, 429)
const busyFor = (wait: string): EngineAnswer => ({ ...busy, headers: { 'retry-after': wait } })
const { signal } = new AbortController()

/** Answers one after the other; an error is thrown. */
function scripted(...answers: readonly (EngineAnswer | Error)[]) {
  let sent = 0
  return {
    count: () => sent,
    async send() {
      const answer = answers[Math.min(sent++, answers.length - 1)]!
      if (answer instanceof Error) throw answer
      return answer
    },
  }
}

describe('sendOwn', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const send = (retries: number, ...answers: readonly (EngineAnswer | Error)[]) => {
    const { count, send: one } = scripted(...answers)
    const sending = sendOwn(engineLimits(retries), one, signal)
    sending.catch(() => {})
    return { count, ended: vi.runAllTimersAsync().then(() => sending) }
  }
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })

  it.each<readonly [string, readonly (EngineAnswer | Error)[], number]>([
    ['once where it is answered', [good], 1],
    ['once where the engine answers with an error for good', [answered({ error: 'no' }, 400)], 1],
    ['again where the engine is busy', [busy, good], 2],
    ['again where the connection is lost', [reset, good], 2],
    ['as often as it may, and no more', [busy, busy, busy, busy], 3],
    ['again where the engine wants a second', [busyFor('1'), busyFor('1'), good], 3],
    ['once where the engine wants more than a second', [busyFor('2'), good], 1],
    ['once where it wants that by a date', [busyFor(new Date(Date.now() + 60_000).toUTCString()), good], 1],
  ])('sends a request %s', async (_, answers, count) => {
    const sending = send(2, ...answers)
    expect(await sending.ended).toBe(answers[count - 1])
    expect(sending.count()).toBe(count)
  })

  it('sends no request again with 0 retries', async () => {
    const sending = send(0, busy, good)
    expect(await sending.ended).toBe(busy)
    expect(sending.count()).toBe(1)
  })

  it.each<readonly [string, EngineAnswer | Error, number]>([
    ['where the engine is busy', busy, 2],
    ['not where the connection is lost', reset, 1],
    ['not where the engine is down', answered({ error: 'down' }, 503), 1],
  ])('sends a larger request again %s', async (_, first, count) => {
    const { count: sent, send: one } = scripted(first, good)
    const sending = sendOwn(engineLimits(2), one, signal, true)
    sending.catch(() => {})
    await vi.runAllTimersAsync()
    expect(sent()).toBe(count)
  })

  it('throws what is no lost connection, and what stays one', async () => {
    const bug = new TypeError('bug')
    await expect(send(2, bug, good).ended).rejects.toBe(bug)
    await expect(send(1, reset).ended).rejects.toBe(reset)
  })

  it('sends nothing for a caller that has gone', async () => {
    const { count, send: one } = scripted(good)
    const gone = new Error('gone')
    await expect(sendOwn(engineLimits(2), one, AbortSignal.abort(gone))).rejects.toBe(gone)
    expect(count()).toBe(0)
  })
})

it('begunWith takes the request that is under way for the first one', async () => {
  const { count, send } = scripted(busy)
  const again = begunWith(Promise.resolve(good), send)
  expect([await again(signal), await again(signal)]).toEqual([good, busy])
  expect(count()).toBe(1)
})

describe('resilientEngine', () => {
  const call = searchFor('bridge')
  const options = { signal, timeout: 1000, url: {} }
  const leg = { header: {}, body: { query: { match: { text: 'bridge' } } } }

  it("holds back sub-queries, and never the caller's own search", async () => {
    let answer = (): void => {}
    const waiting = new Promise<readonly unknown[]>((resolve) => {
      answer = () => resolve([answerOf([])])
    })
    const engine = fakeEngine(call, () => found('a'), { msearch: () => waiting })
    const { search, msearch } = resilientEngine(engine, engineLimits(0, { concurrency: 1, queue: 0 }))
    const first = msearch([leg], options)
    await expectError(msearch([leg], options), 'overloaded')
    const searches = await Promise.all([1, 2, 3].map(() => search(undefined, { signal })))
    expect(searches.map(({ status }) => status)).toEqual([200, 200, 200])
    answer()
    expect(await first).toHaveLength(1)
  })

  it('asks what fields are within the limits of sub-queries', async () => {
    const engine = fakeEngine(call, () => found('a'), { msearch: () => new Promise(() => {}) })
    const { msearch, fieldCaps } = resilientEngine(engine, engineLimits(0, { concurrency: 1, queue: 0 }))
    void msearch([leg], options).catch(() => {})
    await expectError(fieldCaps({ path: '/_field_caps', url: {} }, options), 'overloaded')
  })
})

it('a wrong limit is named', () => expectError(() => engineLimits(2, { concurrency: 0 }), 'bad-config'))
