import { describe, expect, it } from 'vitest'
import { acqo } from '../../policies/acqo/acqo.ts'
import type { ObservedLeg } from '../../src/observe.ts'
import { createOptimizer, type OptimizerOptions } from '../../src/optimizer.ts'
import { manualClock } from '../support/manual-clock.ts'
import { scriptedChat, scriptedRetriever } from '../support/scripted.ts'

const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'] }
const split = JSON.stringify({ query: 'first %% second' })

const optimizerOf = (options: Partial<OptimizerOptions> = {}) =>
  createOptimizer({
    retrievers: [scriptedRetriever({ name: 'fast', found }), scriptedRetriever({ name: 'slow', found })],
    policy: acqo(),
    chat: scriptedChat([split]),
    ...options,
  })

describe('onLeg', () => {
  it('is told each leg of the trace once', async () => {
    const told: ObservedLeg[] = []
    const { trace } = await optimizerOf().search('who', {
      observe: { onLeg: ({ leg }) => told.push(structuredClone(leg)) },
    })
    const legs = trace.steps.flatMap((step) =>
      step.type === 'retrieve' ? step.legs.map((leg) => ({ round: step.round, ...leg })) : [],
    )
    expect(legs).toHaveLength(6)
    const inOneOrder = (all: readonly ObservedLeg[]) => all.map((leg) => JSON.stringify(leg)).sort()
    expect(inOneOrder(told)).toEqual(inOneOrder(legs))
  })

  it('is told a leg when its retriever has answered, before the step that waits for all, and behind its decision', async () => {
    const clock = manualClock()
    const told: string[] = []
    const retrievers = [
      scriptedRetriever({ name: 'slow', found, ms: 700, clock }),
      scriptedRetriever({ name: 'late', found, ms: 5000, clock }),
      scriptedRetriever({ name: 'fast', found, ms: 100, clock }),
    ]
    const chat = scriptedChat([split], { ms: 500, clock })
    const searching = optimizerOf({ retrievers, chat, clock, legTimeout: 1000 }).search('who', {
      observe: {
        onLeg: ({ leg: { round, retriever, subQuery, status, ms } }) =>
          told.push(`${clock.now()} ${round} ${retriever} ${subQuery.text} ${status} in ${ms}`),
        onStep: ({ step: { type } }) => told.push(`${clock.now()} ${type}`),
      },
    })
    await clock.advance(5000)
    await searching
    expect(told).toEqual([
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
    ])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('does nothing to the search when it %s, and is told of all', async (_, broken) => {
    let told = 0
    const onLeg = () => {
      told++
      return broken()
    }
    const [watched, alone] = await Promise.all([
      optimizerOf().search('who', { observe: { onLeg } }),
      optimizerOf().search('who'),
    ])
    expect(watched.hits).toEqual(alone.hits)
    expect(told).toBe(6)
  })
})
