import { describe, expect, it } from 'vitest'
import { acqo } from '../../policies/acqo/acqo.ts'
import { createOptimizer, type OptimizerOptions } from '../../src/optimizer.ts'
import type { Step } from '../../src/types.ts'
import { manualClock } from '../support/manual-clock.ts'
import { scriptedChat, scriptedRetriever } from '../support/scripted.ts'

const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'] }
const split = JSON.stringify({ query: 'first %% second' })

const optimizerOf = (options: Partial<OptimizerOptions> = {}) =>
  createOptimizer({
    retrievers: [scriptedRetriever({ found })],
    policy: acqo(),
    chat: scriptedChat([split]),
    rerank: { needs: () => [], rerank: (_, __, hits) => [...hits].reverse(), explain: () => [] },
    ...options,
  })

describe('onStep', () => {
  it('is told each step of the trace once, when it is complete', async () => {
    const told: Step[] = []
    const { trace } = await optimizerOf().search('who', {
      observe: { onStep: ({ step }) => told.push(structuredClone(step)) },
    })
    expect(trace.steps).toHaveLength(6)
    // As it was told, a step stands in the trace: nothing was added afterwards.
    const inOneOrder = (steps: readonly Step[]) => steps.map((step) => JSON.stringify(step)).sort()
    expect(inOneOrder(told)).toEqual(inOneOrder(trace.steps))
  })

  it('is told a step as soon as it is complete, whatever began before it', async () => {
    const clock = manualClock()
    const told: string[] = []
    const chat = scriptedChat([split], { ms: 500, clock })
    const slow = scriptedRetriever({ found, ms: 700, clock })
    const searching = optimizerOf({ retrievers: [slow], chat, clock }).search('who', {
      observe: { onStep: ({ step: { type } }) => told.push(`${clock.now()} ${type}`) },
    })
    await clock.advance(2000)
    await searching
    expect(told).toEqual([
      '500 ask',
      '500 decide',
      '700 retrieve',
      '1200 retrieve',
      '1200 fuse',
      '1200 rerank',
    ])
  })

  it('is told of a fallback, and of steps that failed', async () => {
    const told: Step[] = []
    const chat = scriptedChat([new Error('down')])
    await optimizerOf({ chat }).search('who', { observe: { onStep: ({ step }) => told.push(step) } })
    for (const type of ['ask', 'fallback'])
      expect(told.find((step) => step.type === type)).toMatchObject({ error: { message: 'down' } })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['never comes back', () => new Promise<void>(() => {})],
  ])('does nothing to the search when it %s', async (_, onStep) => {
    const [watched, alone] = await Promise.all([
      optimizerOf().search('who', { observe: { onStep } }),
      optimizerOf().search('who'),
    ])
    expect(watched.hits).toEqual(alone.hits)
    expect(watched.trace.steps.map(({ type }) => type)).toEqual(alone.trace.steps.map(({ type }) => type))
  })
})
