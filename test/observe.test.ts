/** Watching searches as they run: who is called, when, and with what. */
import { describe, expect, it } from 'vitest'
import { acqo } from '../policies/acqo/acqo.ts'
import {
  type ObservedLeg,
  type Observer,
  reportSearch,
  type SearchReport,
  watchSearch,
} from '../src/observe.ts'
import { createOptimizer, type OptimizerOptions } from '../src/optimizer.ts'
import type { Policy } from '../src/policy.ts'
import type { Step } from '../src/types.ts'
import { manualClock } from './support/manual-clock.ts'
import { scriptedChat, scriptedRetriever } from './support/scripted.ts'

const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'] }
const split = JSON.stringify({ query: 'first%%second' })
const chat = () => scriptedChat([split])
const optimizerOf = (options: Partial<OptimizerOptions> = {}) =>
  createOptimizer({
    retrievers: [scriptedRetriever({ name: 'fast', found }), scriptedRetriever({ name: 'slow', found })],
    policy: acqo(),
    chat: chat(),
    rerank: { rerank: (_, __, fused) => [...fused].reverse() },
    ...options,
  })
const broken = (): never => {
  throw new Error('broken')
}

/** Writes down every event, and the object that stands for its search. */
function noting() {
  const events: string[] = []
  const searches = new Set<unknown>()
  const note = (one: unknown, event: string): void => {
    searches.add(one)
    events.push(event)
  }
  const observer: Observer = {
    onSearchStart: ({ search }) => note(search, `search ${search.query.text} by ${search.policy}`),
    onStepStart: ({ search, step }) => note(search, `${step.type} begins`),
    onStep: ({ search, step }) => note(search, `${step.type} ends`),
    onLeg: ({ search, leg }) => note(search, `leg ${leg.round} ${leg.subQuery.text}`),
    onSearch: ({ search, trace, error }) => note(search, `ended ${trace?.kind ?? error?.message}`),
  }
  return { events, searches, observer }
}

describe('watchSearch', () => {
  const search = { query: { text: 'who' }, policy: 'none' }

  it('is nothing where nobody observes, so that a search pays for nothing', () => {
    expect(watchSearch([], search)).toBeUndefined()
    expect(watchSearch([undefined, undefined], search)).toBeUndefined()
  })

  it('calls every observer that has the callback, whatever another one does', () => {
    const [first, second] = [noting(), noting()]
    const watch = watchSearch(
      [first.observer, { onSearchStart: broken }, undefined, second.observer],
      search,
    )!
    watch.start()
    watch.end({ error: new Error('down') })
    for (const { events } of [first, second]) expect(events).toEqual(['search who by none', 'ended down'])
  })

  it('calls a method on its observer', () => {
    const counter = {
      searches: 0,
      onSearchStart() {
        this.searches++
      },
    }
    watchSearch([counter], search)!.start()
    expect(counter.searches).toBe(1)
  })

  it('runs a search once inside all observers around it, whatever they do', async () => {
    const events: string[] = []
    const noting = (name: string): Observer => ({
      around(_, run) {
        events.push(`${name} begins`)
        run()
        run()
        events.push(`${name} ends`)
      },
    })
    const lazy: Observer = { around: () => {} }
    const after: Observer = {
      around(_, run) {
        run()
        broken()
      },
    }
    const watch = watchSearch([noting('first'), lazy, { around: broken }, after, noting('last')], search)!
    const found = await watch.around(async () => events.push('search'))
    expect(events).toEqual(['first begins', 'last begins', 'search', 'last ends', 'first ends'])
    expect(found).toBe(3)
    const failed = watch.around(() => Promise.reject(new Error('down')))
    await expect(failed).rejects.toThrow('down')
  })

  it('ignores a rejection', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    watchSearch([{ onSearchStart: () => Promise.reject(new Error('broken')) }], search)!.start()
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

describe('reportSearch', () => {
  it('reports a search that was not optimized, and needs no observer', () => {
    const reports: SearchReport[] = []
    const report = { outcome: { kind: 'passed through', reason: 'the policy is none' } } as const
    reportSearch({ onSearch: (one) => void reports.push(one) }, report)
    reportSearch({ onSearch: broken }, report)
    reportSearch(undefined, report)
    expect(reports).toEqual([report])
  })
})

describe('a search', () => {
  const once: Policy = {
    name: 'mine',
    async run(_query, tools) {
      tools.decide('rewrite', 'so')
      return { hits: tools.fuse(await tools.retrieve([{ text: 'first' }], { reason: 'so' })) }
    },
  }

  it('is observed from its start to its end, all with one object', async () => {
    const { events, searches, observer } = noting()
    const retrievers = [scriptedRetriever({ found })]
    await createOptimizer({ retrievers, policy: once, observe: observer }).search('who')
    expect(events).toEqual([
      'search who by mine',
      'retrieve begins',
      'decide begins',
      'decide ends',
      'retrieve begins',
      'leg 0 who',
      'leg 1 first',
      'retrieve ends',
      'retrieve ends',
      'fuse begins',
      'fuse ends',
      'ended rewrite',
    ])
    expect(searches.size).toBe(1)
  })

  it("can have an observer of its own beside the optimizer's", async () => {
    const [all, own] = [noting(), noting()]
    await optimizerOf({ observe: all.observer }).search('who', { observe: own.observer })
    expect(own.events).toEqual(all.events)
    expect(own.events.length).toBeGreaterThan(10)
  })

  it('that rejects is reported with its error', async () => {
    const { events, observer } = noting()
    const down = scriptedRetriever({ fails: new Error('down') })
    const { search } = createOptimizer({ retrievers: [down], observe: observer })
    await expect(search('who')).rejects.toThrow('down')
    expect(events.at(-1)).toBe('ended down')
  })

  it.each([
    ['throws', broken],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['never settles', () => new Promise<void>(() => {})],
  ])('is the same where an observer %s', async (_, callback) => {
    const names = ['onSearchStart', 'onSearch', 'onStepStart', 'onStep', 'onLeg']
    const observe = Object.fromEntries(names.map((name) => [name, callback]))
    const [watched, alone] = await Promise.all([
      optimizerOf({ observe }).search('who'),
      optimizerOf().search('who'),
    ])
    expect(watched.hits).toEqual(alone.hits)
    expect(watched.trace.steps.map(({ type }) => type)).toEqual(alone.trace.steps.map(({ type }) => type))
  })
})

/** Steps complete in another order than they begin in, which is that of the trace. */
const sorted = (all: readonly unknown[]): string[] => all.map((one) => JSON.stringify(one)).sort()

describe('onStep and onLeg', () => {
  it('have each step and leg of the trace once, and nothing is added to it afterwards', async () => {
    const [steps, legs]: [Step[], ObservedLeg[]] = [[], []]
    const { trace } = await optimizerOf().search('who', {
      observe: {
        onStep: ({ step }) => void steps.push(structuredClone(step)),
        onLeg: ({ leg }) => void legs.push(structuredClone(leg)),
      },
    })
    expect(steps).toHaveLength(6)
    expect(sorted(steps)).toEqual(sorted(trace.steps))
    const legsOf = (step: Step) =>
      step.type === 'retrieve' ? step.legs.map((leg) => ({ round: step.round, ...leg })) : []
    expect(legs).toHaveLength(6)
    expect(sorted(legs)).toEqual(sorted(trace.steps.flatMap(legsOf)))
  })

  it('come as soon as a retriever answers and a step is complete, whatever began before', async () => {
    const clock = manualClock()
    const seen: string[] = []
    const retrievers = [
      scriptedRetriever({ name: 'slow', found, ms: 700, clock }),
      scriptedRetriever({ name: 'late', found, ms: 5000, clock }),
      scriptedRetriever({ name: 'fast', found, ms: 100, clock }),
    ]
    const model = scriptedChat([split], { ms: 500, clock })
    const searching = optimizerOf({ retrievers, chat: model, clock, legTimeout: 1000 }).search('who', {
      observe: {
        onLeg: ({ leg: { round, retriever, subQuery, status, ms } }) =>
          void seen.push(`${clock.now()} ${round} ${retriever} ${subQuery.text} ${status} in ${ms}`),
        onStep: ({ step: { type } }) => void seen.push(`${clock.now()} ${type}`),
      },
    })
    await clock.advance(5000)
    await searching
    expect(seen).toEqual([
      '100 0 fast who ok in 100',
      '500 ask',
      '500 decide',
      '600 1 fast first ok in 100',
      '600 1 fast second ok in 100',
      '700 0 slow who ok in 700',
      '1000 0 late who late in 1000',
      '1000 retrieve',
      '1200 1 slow first ok in 700',
      '1200 1 slow second ok in 700',
      '1500 1 late first late in 1000',
      '1500 1 late second late in 1000',
      '1500 retrieve',
      '1500 fuse',
      '1500 rerank',
    ])
  })

  it('tell of a fallback, and of the step that failed', async () => {
    const steps: Step[] = []
    const down = scriptedChat([new Error('down')])
    await optimizerOf({ chat: down }).search('who', {
      observe: { onStep: ({ step }) => void steps.push(step) },
    })
    for (const type of ['ask', 'fallback'])
      expect(steps.find((step) => step.type === type)).toMatchObject({ error: { message: 'down' } })
  })
})
