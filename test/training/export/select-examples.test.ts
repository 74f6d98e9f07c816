import { describe, expect, it } from 'vitest'
import type { Example } from '../../../src/training/export/formats.ts'
import { type SelectionOptions, selectExamples } from '../../../src/training/export/select-examples.ts'
import { createRolloutScorer } from '../../../src/training/rewards/scorer.ts'
import { createSearcher } from '../../../src/training/rewards/searcher.ts'
import type { Trace } from '../../../src/types.ts'
import { traceOf } from '../../support/evaluated.ts'
import { expectError } from '../../support/expect-error.ts'
import { scriptedRetriever } from '../../support/scripted.ts'

const { signal } = new AbortController()

/** A trace of a search in which a model gave this answer, at the first attempt or after it was asked to repair it. */
function trace(qid: string, query: string, attempts = 1): Trace {
  const tokens = { prompt: 1, completion: 1 }
  const output = JSON.stringify({ query })
  const ask = { type: 'ask', prompt: 'acqo/rewrite', model: 'm', startMs: 0, ms: 1 } as const
  return traceOf({ text: 'as it is', qid }, { steps: [{ ...ask, attempts, tokens, output }] })
}

/** `rank n` finds the relevant document at rank n. */
const found = Object.fromEntries(
  [1, 2, 4, 11].map((rank) => [
    `rank ${rank}`,
    [...Array.from({ length: rank - 1 }, (_, place) => `other${place}`), 'gold'],
  ]),
)

const repeated = (qid: string, ranks: readonly number[]): Trace[] =>
  ranks.map((rank) => trace(qid, `rank ${rank}`))

async function select(traces: readonly Trace[], options: Partial<SelectionOptions> = {}) {
  const qids = [...new Set(traces.map(({ query }) => query.qid!)), 'unsearched']
  const examples = qids.map(
    (qid, index): Example => ({ qid, question: qid, messages: [], collection: 'c', split: 'train', index }),
  )
  async function* all() {
    yield* traces
  }
  const qrels = new Map(qids.map((qid) => [qid, new Map([['gold', 1]])]))
  const searcher = createSearcher({ retrievers: [scriptedRetriever({ found })], indexDigest: 'digest' })
  // A server in stage 2 with a bonus: tau is of stage 1 all the same.
  const scorer = createRolloutScorer({ searcher, qrels, defaults: { stage: 2, kStar: 3 } })
  const { examples: kept, ...counts } = await selectExamples(examples, all(), { scorer, signal, ...options })
  return { kept: kept.map(({ qid, index }) => [qid, index]), ...counts }
}

// Φ(1) = 2, Φ(4) = 5/3, Φ(11) = 89/90, and δ = −0.1, by eq. 3.
const traces = [
  ...repeated('mastered', [1, 1, 1, 1, 1, 1, 1, 11]), // (7 · 2 + 89/90) / 8 = 1349/720
  ...repeated('half', [1, 1, 1, 1, 11, 11, 11, 11]), // (8 + 4 · 89/90) / 8 = 1.49
  ...repeated('at the bound', [4, 4, 4, 4, 4, 4, 4, 4]), // 5/3
  ...Array.from({ length: 8 }, () => trace('hopeless', '')), // δ
  trace('repaired', 'rank 1'),
  trace('repaired', 'rank 1', 2), // (2 − 0.1) / 2 = 0.95: the answer that had to be repaired was malformed
]

describe("the challenge zone (eq. 8) of a model's recorded answers", () => {
  it('keeps what is at most tau max, and numbers the rows anew', async () => {
    expect(await select(traces, { zone: {} })).toEqual({
      kept: [
        ['half', 0],
        ['at the bound', 1],
        ['hopeless', 2],
        ['repaired', 3],
      ],
      unmeasured: 1,
      filtered: 1,
    })
  })

  it('counts every answer as often as it was recorded', async () => {
    // The mean of the distinct answers, 1.494, would be below the bound.
    expect((await select(repeated('often', [1, 1, 1, 1, 1, 1, 1, 11]), { zone: {} })).filtered).toBe(1)
  })

  it('has a lower bound where one is set', async () => {
    const { kept } = await select(traces, { zone: { tauMin: 0.95, tauMax: 1.5 } })
    expect(kept.map(([qid]) => qid)).toEqual(['half', 'repaired'])
  })
})

describe('the hardest share (A.3)', () => {
  it('is that of the lowest tau, rounded up, in the order of the examples', async () => {
    const { kept, filtered } = await select(traces, { retain: 0.5 })
    expect([kept.map(([qid]) => qid), filtered]).toEqual([['half', 'hopeless', 'repaired'], 2])
  })

  it('is taken before the zone', async () => {
    const { kept } = await select(traces, { retain: 0.5, zone: { tauMin: 0 } })
    expect(kept.map(([qid]) => qid)).toEqual(['half', 'repaired'])
  })

  it('keeps all measured queries by default', async () => {
    expect(await select(traces)).toMatchObject({ filtered: 0, unmeasured: 1, kept: { length: 5 } })
  })
})

it('refuses a share of nothing', async () => {
  await expectError(select(traces, { retain: 0 }), 'bad-config')
})
