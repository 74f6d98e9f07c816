import { describe, expect, it } from 'vitest'
import { queryVectors, queryWeights } from '../../../../adapters/search/cluster/query-vectors.ts'
import type { Embedder, WordWeights } from '../../../../src/types.ts'
import { anError } from '../../../support/expect-error.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const giving = (embed: Embedder['embed']): Embedder => ({ name: 'scripted', dimensions: 2, embed })
const never = giving(() => new Promise(() => {}))

describe('queryVectors', () => {
  it('are one a text, all embedded in one call as queries', async () => {
    const calls: unknown[] = []
    const embedder = giving(async (texts, { kind }) => {
      calls.push([texts, kind])
      return texts.map((_, at) => Float32Array.of(at, 0.5))
    })
    expect(await queryVectors(embedder, ['a', 'b'], { clock: manualClock() })).toEqual([
      [0, 0.5],
      [1, 0.5],
    ])
    expect(calls).toEqual([[['a', 'b'], 'query']])
  })

  it('are the error of an embedder that fails, however it does', async () => {
    const failure = new Error('the model is gone')
    const failing = [
      giving(() => Promise.reject(failure)),
      giving(() => {
        throw failure
      }),
    ]
    for (const embedder of failing)
      expect(await queryVectors(embedder, ['a'], { clock: manualClock() })).toBe(failure)
  })

  it('are an error where there are too few', async () => {
    const found = await queryVectors(
      giving(async () => []),
      ['a'],
      { clock: manualClock() },
    )
    expect(found).toMatchObject({ code: 'embed-failed' })
  })

  it('are waited for half of the time, so that words come in time', async () => {
    const clock = manualClock()
    const found = queryVectors(never, ['a'], { clock, timeout: 2000 })
    await clock.advance(1000)
    expect(await found).toEqual(anError('deadline', 'scripted'))
    expect(clock.waiting).toBe(0)
  })

  it('end with the signal, for its reason', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const found = queryVectors(never, ['a'], { clock: manualClock(), signal: controller.signal })
    controller.abort(reason)
    await expect(found).rejects.toBe(reason)
  })
})

describe('queryWeights', () => {
  const weightsOf = (...found: readonly WordWeights[]) =>
    queryWeights({ name: 'scripted', encode: async () => found }, ['a'], { clock: manualClock() })

  it('are those above 0', async () => {
    const found = new Map([
      ['a', 0.5],
      ['b', 0],
      ['c', -1],
    ])
    expect(await weightsOf(found)).toEqual([new Map([['a', 0.5]])])
  })

  it('are an error where one is no finite number, or there are too few', async () => {
    const wrong = { code: 'embed-failed', message: expect.stringContaining('scripted') }
    expect(await weightsOf(new Map([['a', Number.NaN]]))).toMatchObject(wrong)
    expect(await weightsOf(new Map([['a', Number.POSITIVE_INFINITY]]))).toMatchObject(wrong)
    expect(await weightsOf()).toMatchObject(wrong)
  })
})
