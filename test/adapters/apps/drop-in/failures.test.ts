/** Whatever fails, the caller has the engine's own answer to its own search, and it says so. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/run/settings.ts'
import type { Policy } from '../../../../src/policy.ts'
import type { ChatModel } from '../../../../src/types.ts'
import {
  answered,
  answerOf,
  answerOfRun,
  type Faults,
  fakeEngine,
  finding,
  found,
  idsOf,
  run,
  searchFor,
} from '../../../support/fake-engine.ts'
import { deferred } from '../../../support/held.ts'
import { deciding, leaving } from '../../../support/scripted-policy.ts'

const lists = {
  bridge: found('a', 'b', 'c'),
  'brooklyn bridge': found('d', 'a'),
  'golden gate': found('e', 'b'),
}
const subQueries = ['brooklyn bridge', 'golden gate']
const split = deciding(subQueries, { withOriginal: false })
const options = { policy: split, retries: 0, resilience: { retries: 0 } }
const call = searchFor('bridge')
const error = (type: string, status: number): JsonObject => ({ error: { type, reason: 'so' }, status })

const optimize = (faults: Faults, more = {}) => {
  const engine = fakeEngine(call, finding(lists), faults)
  return { engine, result: run(call, engine, { options: { ...options, ...more } }) }
}

it('without a fault the sub-queries are searched', async () => {
  const { engine, result } = optimize({})
  // d and e lead a list each; a and b are second. Of equals the first list's comes first: its score is as high, its id is less.
  expect(idsOf(await result)).toEqual(['d', 'e', 'a', 'b', 'c'])
  expect(engine.searches).toEqual([undefined])
  expect(engine.batches).toHaveLength(1)
})

describe("the engine's own answer to the caller's search is given, labeled, where the `_msearch`", () => {
  const good = answerOf(lists['brooklyn bridge'])
  it.each<readonly [string, (good: JsonObject) => unknown]>([
    ['has an answer too few', () => [good]],
    ['has an answer too many', () => [good, good, good]],
    ['has no answers', () => []],
    ['has no list of answers', () => undefined],
    ['has an answer that is none', () => [null, 'x']],
    ['failed in every item', () => [error('a', 400), error('b', 500)]],
    ['has answers without hits', () => [{ took: 1 }, { hits: {} }]],
    [
      'has no score in any list',
      () => Array(2).fill(answerOf([{ _index: 'works', _id: 'x', _score: null }])),
    ],
    ['found nothing', () => [answerOf([]), answerOf([])]],
    [
      'was not answered',
      () => {
        throw new Error('reset')
      },
    ],
  ])('%s', async (_, msearch) => {
    const { engine, result } = optimize({ msearch: () => msearch(good) })
    const { own, body, trace } = await result
    expect(body).toBeUndefined()
    expect(own).toEqual(answerOf(lists.bridge))
    expect(trace).toMatchObject({ kind: 'as-is', fallback: { message: expect.any(String) } })
    expect(engine.searches).toEqual([undefined])
  })

  it('came back whole for a later page: that page, and not an empty one', async () => {
    const later = searchFor('bridge', { from: 2, size: 1 })
    const engine = fakeEngine(later, finding(lists), { msearch: () => [answerOf([]), answerOf([])] })
    const result = await run(later, engine, { options })
    expect(idsOf(result)).toEqual(['c'])
    expect(answerOfRun(result)).toEqual(answerOf(lists.bridge, { from: 2, size: 1 }))
  })
})

it('one failed item of two: the other list alone, and it is said to be a part', async () => {
  const failed = error('search_phase_execution_exception', 503)
  const { result } = optimize({ msearch: () => [failed, answerOf(lists['golden gate'])] })
  const { trace, ...rest } = await result
  expect(idsOf(rest)).toEqual(['e', 'b', 'a', 'c'])
  expect(trace?.partial).toBe(true)
  const legs = trace?.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  expect(legs?.find(({ status }) => status === 'failed')?.error).toMatchObject({
    code: 'ResponseError',
    message: 'The engine answered with status 503: search_phase_execution_exception: so',
  })
})

it('shards that failed make a list a part of one', async () => {
  const part = {
    ...answerOf(lists['brooklyn bridge']),
    _shards: { total: 2, successful: 1, skipped: 0, failed: 1, failures: [{ shard: 1 }] },
  }
  const { result } = optimize({ msearch: () => [part, answerOf(lists['golden gate'])] })
  const { trace, ...rest } = await result
  expect(trace?.partial).toBe(true)
  expect(answerOfRun(rest)._shards).toEqual({
    total: 4,
    successful: 3,
    skipped: 0,
    failed: 1,
    failures: [{ shard: 1 }],
  })
})

describe('a wider search that the engine refuses', () => {
  const wide = {
    ...options,
    rerank: { needs: () => [], rerank: (_: unknown, __: unknown, hits: never) => hits },
  }
  const refusing = (body: JsonObject, status: number): Faults => ({
    search: (change) => (change === undefined ? answered(answerOf(lists.bridge)) : answered(body, status)),
  })

  it.each([
    ['with 400', error('illegal_argument_exception', 400), 400],
    ['because it needs too much memory', error('circuit_breaking_exception', 429), 429],
  ])('%s is sent as the caller wrote it', async (_, body, status) => {
    const engine = fakeEngine(call, finding(lists), refusing(body, status))
    const result = await run(call, engine, { options: { ...wide, policy: leaving } as never })
    expect(engine.searches).toHaveLength(2)
    expect(engine.searches[0]).toMatchObject({ body: { from: 0, size: 20 } })
    expect(engine.searches[1]).toBeUndefined()
    expect(result).toMatchObject({ own: answerOf(lists.bridge) })
    expect(result.body).toBeUndefined()
    expect(result.trace).toMatchObject({ kind: 'as-is', fallback: { code: 'retriever-failed' } })
  })

  it.each([
    ['waits for its hits', leaving],
    ['needs no hits of it', split],
  ])('is told as the reason, also where the policy %s', async (_, policy) => {
    const engine = fakeEngine(call, finding(lists), refusing(error('x', 413), 413))
    const result = await run(call, engine, { options: { ...wide, policy } as never, explains: true })
    const { _querent: said, ...rest } = answerOfRun(result)
    expect(rest).toEqual(answerOf(lists.bridge))
    expect(said).toMatchObject({ decision: 'as-is', fallback: { code: 'retriever-failed' } })
  })

  it("is the caller's error where the caller's own is refused, too", async () => {
    const refused = answered(error('parsing_exception', 400), 400)
    const engine = fakeEngine(call, finding(lists), { search: () => refused })
    const result = await run(call, engine, { options: wide as never })
    expect(engine.searches).toHaveLength(2)
    expect(result).toEqual({ own: refused.own, status: 400, passed: 'the engine answered 400' })
  })

  it('with 403 is not sent again', async () => {
    const engine = fakeEngine(call, finding(lists), {
      search: () => answered(error('security_exception', 403), 403),
    })
    const result = await run(call, engine, { options: wide as never })
    expect(engine.searches).toHaveLength(1)
    expect(result.own).toEqual(error('security_exception', 403))
  })

  it('with words told beside the body is sent with them', async () => {
    const told = {
      index: 'works',
      parameters: {},
      body: { query: { match: { text: '{{query}}' } }, from: 1 },
    }
    const engine = fakeEngine(told, finding(lists), {
      search: (change) =>
        change?.body.size === undefined
          ? answered(answerOf(lists.bridge, { from: 1 }))
          : answered(error('x', 400), 400),
    })
    const result = await run(told, engine, { options: { policy: leaving }, told: { query: 'bridge' } })
    expect(engine.searches[1]).toEqual({ body: { query: { match: { text: 'bridge' } }, from: 1 }, url: {} })
    expect(idsOf(result)).toEqual(['b', 'c'])
  })
})

describe("where the caller's own search fails, the caller has its error at once", () => {
  /** Never answers, and says when it is asked and when it is let go of. */
  function endlessChat() {
    let [ask, end]: ((reason?: unknown) => void)[] = [() => {}, () => {}]
    const asked = new Promise((resolve) => {
      ask = resolve
    })
    const letGo = new Promise((resolve) => {
      end = resolve
    })
    const complete: ChatModel['complete'] = (_, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        ask!()
        signal?.addEventListener('abort', () => {
          end!(signal.reason)
          reject(signal.reason)
        })
      })
    return { chat: { name: 'endless', complete }, asked, letGo }
  }

  it.each([401, 403, 404, 429, 500, 503])('with status %d, without waiting for the model', async (status) => {
    const { chat, asked, letGo } = endlessChat()
    const answer = answered(error('some_exception', status), status)
    const engine = fakeEngine(call, finding(lists), { search: () => asked.then(() => answer) })
    const result = await run(call, engine, {
      options: { policy: 'acqo', chat, retries: 0, chatTimeout: 60_000 },
    })
    expect(result.own).toBe(answer.own)
    expect(result.status).toBe(status)
    // The engine refuses what the caller sent: neither Querent nor the engine has failed.
    if (status < 500) {
      expect(result.passed).toBe(`the engine answered ${status}`)
      expect(result.error).toBeUndefined()
    } else {
      expect(result.error).toMatchObject({
        name: 'AnswerError',
        message: `The engine answered with status ${status}: some_exception: so`,
      })
    }
    await letGo
  })

  it('with the very error that was thrown', async () => {
    const { chat, asked, letGo } = endlessChat()
    const reset = Object.assign(new Error('reset'), { name: 'ConnectionError' })
    const engine = fakeEngine(call, finding(lists), {
      search: () => asked.then(() => Promise.reject(reset)),
    })
    await expect(
      run(call, engine, { options: { policy: 'acqo', chat, retries: 0, chatTimeout: 60_000 } }),
    ).rejects.toBe(reset)
    await letGo
  })

  it.each<readonly [string, unknown]>([
    ['no JSON', undefined],
    ['a list', []],
    ['no hits', { took: 1 }],
    ['hits without a list', { hits: { hits: null } }],
  ])('when the answer has %s: that answer', async (_, body) => {
    const answer = { body, status: 200, own: { raw: 'as it came' } }
    const { result } = optimize({ search: () => answer })
    expect(await result).toMatchObject({ own: answer.own, status: 200, error: { name: 'AnswerError' } })
    expect((await result).body).toBeUndefined()
  })

  it('an error text of a router', async () => {
    const { result } = optimize({ search: () => answered({ error: 'no handler', status: 501 }, 501) })
    expect((await result).error?.message).toBe('The engine answered with status 501: no handler')
  })
})

it("scores that are null: the caller's own answer where nothing else is fused", async () => {
  const unscored = answerOf([{ _index: 'works', _id: 'a', _score: null }])
  const { result } = optimize({ search: () => answered(unscored) }, { policy: leaving })
  expect(await result).toMatchObject({ own: unscored, status: 200, error: { code: 'bad-list' } })
  expect((await result).body).toBeUndefined()
})

describe("the caller's own search is waited for", () => {
  it('when the sub-queries were faster: what it counted is in the answer', async () => {
    let answer: () => void = () => {}
    const slow = new Promise<void>((resolve) => {
      answer = resolve
    })
    const original = { ...answerOf(lists.bridge), aggregations: { years: { value: 3 } } }
    let signaled: AbortSignal | undefined
    const engine = fakeEngine(call, finding(lists), {
      async search(_, signal) {
        signaled = signal
        await slow
        return answered(original)
      },
      msearch(legs) {
        // Let go of once the policy has what it decides on.
        setImmediate(() => setImmediate(answer))
        return legs.map(() => answerOf(lists['golden gate']))
      },
    })
    const result = await run(call, engine, { options })
    expect(idsOf(result)).toEqual(['e', 'b', 'a', 'c'])
    expect(answerOfRun(result)).toMatchObject({ aggregations: { years: { value: 3 } } })
    expect(signaled?.aborted).toBe(false)
  })

  it("and its error is the caller's, whatever the sub-queries found", async () => {
    const engine = fakeEngine(call, finding(lists), {
      async search() {
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
        return answered(error('x', 500), 500)
      },
    })
    expect((await run(call, engine, { options })).own).toEqual(error('x', 500))
  })
})

describe("the caller's abort", () => {
  it('ends all that is under way, and the search rejects with the reason', async () => {
    const gone = new Error('gone')
    const controller = new AbortController()
    const ended: string[] = []
    const untilAborted = (what: string, signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          ended.push(what)
          reject(signal.reason)
        })
      })
    const engine = fakeEngine(call, finding(lists), {
      search: (_, signal) => untilAborted('search', signal),
      msearch(_, signal) {
        setImmediate(() => controller.abort(gone))
        return untilAborted('msearch', signal)
      },
    })
    await expect(run(call, engine, { options, signal: controller.signal })).rejects.toBe(gone)
    expect(ended.sort()).toEqual(['msearch', 'search'])
  })

  it('before it began sends nothing', async () => {
    const gone = new Error('gone')
    const engine = fakeEngine(call, finding(lists))
    await expect(run(call, engine, { options, signal: AbortSignal.abort(gone) })).rejects.toBe(gone)
    expect(engine.searches).toEqual([])
  })
})

describe('a policy that', () => {
  const broken = (policyRun: Policy['run']): Policy => ({ name: 'broken', reads: false, run: policyRun })
  it.each<readonly [string, Policy]>([
    [
      'throws',
      broken(() => {
        throw new Error('so')
      }),
    ],
    ['finds nothing', broken(async () => ({ hits: [] }))],
    ['comes back with nothing', broken(async () => undefined as never)],
    ['asks for texts that are none', deciding([5 as never])],
    ['asks for sixteen sub-queries', deciding([...Array(16)].map((_, place) => `text ${place}`))],
    ['makes up hits', broken(async () => ({ hits: [{ docid: 'no', score: 1, rank: 1 }] }))],
  ])("%s leaves the engine's own answer", async (_, policy) => {
    const { own, body, trace, error: failed } = await optimize({}, { policy }).result
    expect(body).toBeUndefined()
    expect(own).toEqual(answerOf(lists.bridge))
    expect(trace?.fallback ?? failed).toBeDefined()
  })

  it('fails when its sub-queries have been searched leaves each page what it is', async () => {
    const late = broken(async (_, tools) => {
      await tools.retrieve([{ text: 'golden gate' }], { reason: 'so' })
      throw new Error('so')
    })
    for (const from of [0, 1, 2]) {
      const asked = searchFor('bridge', { size: 1, from })
      const result = await run(asked, fakeEngine(asked, finding(lists)), { options: { policy: late } })
      expect(answerOfRun(result)).toEqual(answerOf(lists.bridge, { size: 1, from }))
    }
  })

  it('orders the first page anew by itself is heard, and has no say in the next ones', async () => {
    const backwards: Policy = {
      name: 'backwards',
      async run(_, tools) {
        const hits = [...tools.fuse(await tools.original())].reverse()
        return { hits: hits.map((hit, place) => ({ ...hit, rank: place + 1, score: 10 - place })) }
      },
    }
    const page = async (from: number) => {
      const asked = searchFor('bridge', { size: 2, from })
      return idsOf(await run(asked, fakeEngine(asked, finding(lists)), { options: { policy: backwards } }))
    }
    expect(await page(0)).toEqual(['b', 'a'])
    expect(await page(2)).toEqual(['c'])
  })

  it('names a hit twice shows it once', async () => {
    const twice = broken(async (_, tools) => {
      const [first] = tools.fuse(await tools.original())
      return { hits: [first!, { ...first!, rank: 2 }] }
    })
    const { result } = optimize({}, { policy: twice })
    expect(idsOf(await result)).toEqual(['a', 'b', 'c'])
  })

  it('writes a sub-query of 10,001 characters has the others searched', async () => {
    const long = 'a'.repeat(10_001)
    const { engine, result } = optimize(
      {},
      { policy: deciding([long, 'golden gate'], { withOriginal: false }) },
    )
    const { trace, ...rest } = await result
    expect(idsOf(rest)).toEqual(['e', 'b', 'a', 'c'])
    expect(engine.batches).toEqual([
      [{ header: {}, body: expect.objectContaining({ query: { match: { text: 'golden gate' } } }) }],
    ])
    expect(trace?.partial).toBe(true)
  })

  it('writes nothing but such sub-queries sends nothing', async () => {
    const long = ['a'.repeat(10_001), 'b'.repeat(1_000_000)]
    const { engine, result } = optimize({}, { policy: deciding(long, { withOriginal: false }) })
    expect((await result).trace?.fallback).toMatchObject({ code: 'budget-exceeded' })
    expect(idsOf(await result)).toEqual(['a', 'b', 'c'])
    expect(engine.batches).toEqual([])
  })
})

describe('what Querent adds takes no longer than the budget allows, from the answer of the engine on', () => {
  function startTime(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
  }

  it.each<readonly [string, AppOptions, Partial<Policy>]>([
    ['of the application', { budget: { timeout: 50 } }, {}],
    ['of the policy', {}, { budget: { timeout: 50 } }],
    ['of the application, which is less', { budget: { timeout: 50 } }, { budget: { timeout: 90 } }],
  ])("a policy that never settles leaves the engine's own answer after the time %s", async (_, more, own) => {
    startTime()
    const begun = deferred()
    const policy: Policy = {
      name: 'endless',
      ...own,
      run() {
        begun.resolve()
        return deferred<never>().promise
      },
    }
    let isEnded = false
    const result = optimize({}, { ...more, policy }).result.finally(() => {
      isEnded = true
    })
    await begun.promise
    await vi.advanceTimersByTimeAsync(49)
    expect(isEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(2)
    const { trace, body, ...rest } = await result
    expect(rest.own).toEqual(answerOf(lists.bridge))
    expect(body).toBeUndefined()
    expect(trace?.fallback).toMatchObject({ code: 'deadline' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a slow engine takes nothing of it', async () => {
    startTime()
    const search: Faults['search'] = async () => {
      await vi.advanceTimersByTimeAsync(60_000)
      return answered(answerOf(lists.bridge))
    }
    const { result } = optimize({ search }, { budget: { timeout: 50 } })
    expect(idsOf(await result)).toEqual(['d', 'e', 'a', 'b', 'c'])
  })
})
