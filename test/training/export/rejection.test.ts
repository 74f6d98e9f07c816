import { describe, expect, it } from 'vitest'
import { type RejectionOptions, rejectionSample } from '../../../src/training/export/rejection.ts'
import { createRolloutScorer } from '../../../src/training/rewards/scorer.ts'
import { createSearcher } from '../../../src/training/rewards/searcher.ts'
import type { Trace } from '../../../src/types.ts'
import { traceOf } from '../../support/evaluated.ts'
import { expectError } from '../../support/expect-error.ts'
import { scriptedRetriever } from '../../support/scripted.ts'

const { signal } = new AbortController()
const answer = (query: string): string => JSON.stringify({ query })

/** A trace of a search in which a model gave these answers. */
function trace(qid: string | undefined, text: string, ...outputs: readonly string[]): Trace {
  const asked = { type: 'ask', prompt: 'acqo/rewrite', model: 'm', startMs: 0, ms: 1, attempts: 1 } as const
  const tokens = { prompt: 1, completion: 1 }
  const steps = outputs.map((output) => ({ ...asked, tokens, output }))
  return traceOf({ text, ...(qid !== undefined && { qid }) }, { steps })
}

/** The relevant document is `gold`; what a text finds is its own words, which are docids. */
async function sample(traces: readonly Trace[], options: Partial<RejectionOptions> = {}) {
  const found = {
    'x gold': ['x', 'gold'],
    'gold x': ['gold', 'x'],
    'Gold  x': ['gold', 'x'],
    'x y gold': ['x', 'y', 'gold'],
    gold: ['gold'],
  }
  const qrels = new Map(['q1', 'q2'].map((qid) => [qid, new Map([['gold', 1]])]))
  const searcher = createSearcher({ retrievers: [scriptedRetriever({ found })], indexDigest: 'digest' })
  async function* all() {
    yield* traces
  }
  const scorer = createRolloutScorer({ searcher, qrels })
  const { kept, ...counts } = await rejectionSample(all(), {
    scorer,
    qids: new Set(['q1', 'q2']),
    signal,
    ...options,
  })
  return { kept: [...kept], ...counts }
}

describe('what is kept', () => {
  it('is the best answer of each query, if it beats the query as it is', async () => {
    const traces = [
      trace('q1', 'x gold', answer('x y gold'), 'I cannot say'),
      trace('q2', 'x gold', answer('x y gold')),
      trace('q1', 'x gold', ` ${answer('gold x')}\n`, answer('x y gold')),
    ]
    expect(await sample(traces)).toEqual({ kept: [['q1', answer('gold x')]], answers: 4, malformed: 1 })
  })

  it("is never a repaired answer, or another prompt's", async () => {
    const { steps, ...rest } = trace('q1', 'x y gold', answer('gold x'), answer('x gold'), answer('x y gold'))
    const asked = (place: number) => steps[place] as Extract<(typeof steps)[number], { type: 'ask' }>
    const changed = [{ ...asked(0), attempts: 2 }, asked(1), { ...asked(0), prompt: 'rerank' }]
    const kept = [['q1', answer('x gold')]]
    expect(await sample([{ ...rest, steps: changed }])).toEqual({ kept, answers: 2, malformed: 1 })
  })

  it('is, of equal answers, the one with the fewest sub-queries, then the first', async () => {
    const traces = [trace('q1', 'x y gold', answer('gold x %% gold'), answer('gold x'), answer('gold'))]
    expect((await sample(traces)).kept).toEqual([['q1', answer('gold x')]])
  })

  it('is the query as it is where nothing is better and it finds something', async () => {
    const best = [trace('q1', 'gold x', answer('gold'), answer('Gold  x'))]
    expect((await sample(best)).kept).toEqual([['q1', answer('Gold  x')]])
    const equal = [trace('q1', 'gold x', answer('gold'))]
    expect((await sample(equal)).kept).toEqual([])
    const useless = [trace('q1', 'nothing', answer('nothing'))]
    expect((await sample(useless)).kept).toEqual([])
  })

  it('is what reaches the threshold, where one is set', async () => {
    const traces = [trace('q1', 'x gold', answer('x gold')), trace('q2', 'x gold', answer('x y gold'))]
    // Φ(2) = 17/9, Φ(3) = 16/9
    expect((await sample(traces, { threshold: 1.8 })).kept).toEqual([['q1', answer('x gold')]])
    expect((await sample(traces, { threshold: 0 })).kept).toHaveLength(2)
  })
})

it('says nothing of other queries, and of searches that asked no model', async () => {
  const traces = [
    trace('q7', 'x gold', answer('gold')),
    trace(undefined, 'x gold', answer('gold')),
    trace('q1', 'x gold'),
  ]
  expect(await sample(traces)).toEqual({ kept: [], answers: 0, malformed: 0 })
})

it('fails where answers cannot be priced', async () => {
  await expectError(
    sample([trace('q9', 'x gold', answer('gold'))], { qids: new Set(['q9']) }),
    'bad-config',
    '"q9"',
  )
})
