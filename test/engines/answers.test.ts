/**
 * Every part of an answer, compared with what the engine itself says to the same body: through the wrapped clients and
 * through the proxy, for queries that are left alone, re-ranked, and decided on.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { identity } from '../../adapters/apps/drop-in/answer/engine-answer.ts'
import { isObject, numberOf, without } from '../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import { combMax } from '../../fusion/comb-max.ts'
import { localPolicy } from '../../policies/local/local-policy.ts'
import { deciding, leaving, patient } from '../support/scripted-policy.ts'
import { createWorld, type EngineKind, type World } from '../support/search-world.ts'
import {
  type Answer,
  askDeep,
  askLegs,
  asReturned,
  fusedAnswer,
  lasting,
  shapeOf,
} from './expected-answer.ts'
import { type SearchBody, searchBodies } from './search-bodies.ts'
import { type Optimizing, type Search, type Way, waysTo } from './ways.ts'

const asked = 'engineer of the Brooklyn Bridge born at Saxonburg'
const subQueries = ['engineers who drew a bridge over a river', 'born at Saxonburg in Pennsylvania']

describe.each(['elasticsearch', 'opensearch'] as const)('%s', (kind) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(kind, inject(kind))
  })
  afterAll(() => world.close())

  const bodies = searchBodies.filter(({ engines = [kind] }) =>
    (engines as readonly EngineKind[]).includes(kind),
  )
  const searchOf = (
    { body, parameters = {}, index = ({ works }) => works }: SearchBody,
    words = asked,
  ): Search => ({
    index: index(world),
    parameters,
    body: body(words, world),
  })

  describe.each(waysTo(kind, inject(kind)))('$name', (way) => {
    describe('a policy that leaves the query alone, without re-ranking', () => {
      const optimizing = withOptions(way, () => ({ policy: leaving, rerank: false }))

      it.each(bodies)("$name: is the engine's own answer", async (body) => {
        const search = searchOf(body)
        expect(lasting(await optimizing().ask(search))).toEqual(lasting(await way.bare(search)))
        expectPassed(optimizing(), body)
      })
    })

    describe('a policy that leaves the query alone, with re-ranking', () => {
      const optimizing = withOptions(way, async () => {
        const { rerank } = await localPolicy()
        return { policy: leaving, rerank: rerank! }
      })

      it.each(bodies)("$name: is the engine's own but for the order and the scores", async (body) => {
        const search = searchOf(body)
        const own = await way.bare(search)
        const answer = await optimizing().ask(search)
        expectPassed(optimizing(), { ...body, isStrict: false })
        if (!isObject(own) || body.passes || 'statusCode' in own)
          expect(lasting(answer)).toEqual(lasting(own))
        else if ('filter_path' in search.parameters) expect(shapeOf(answer)).toEqual(shapeOf(own))
        else
          expectReranked(
            answer as Answer,
            own as Answer,
            await askDeep(way.bare, search),
            body.hasFactors === true,
          )
      })
    })

    describe('a policy that decides on two sub-queries', () => {
      const optimizing = withOptions(way, () => ({ ...patient, policy: deciding(subQueries), rerank: false }))

      it.each(bodies)("$name: is fused, each hit the engine's own", async (body) => {
        const search = searchOf(body)
        const own = await way.bare(search)
        const answer = await optimizing().ask(search)
        expectPassed(optimizing(), body)
        if (body.passes || body.isStrict || !isObject(own) || 'statusCode' in own) {
          expect(lasting(answer)).toEqual(lasting(own))
          return
        }
        const { leg = body.body } = body
        const legs = await askLegs(
          way.bare,
          search,
          subQueries.map((words) => leg(words, world)),
        )
        expect(lasting(answer)).toEqual(
          lasting(fusedAnswer(legs, search, body.hasFactors ? combMax() : undefined)),
        )
        expect(shapeOf(Object.keys(answer as object).sort())).toEqual(shapeOf(Object.keys(own).sort()))
      })
    })
  })
})

/** Searches with these options, for the tests of a block. */
function withOptions(way: Way, options: () => AppOptions | Promise<AppOptions>): () => Optimizing {
  let optimizing: Optimizing
  beforeAll(async () => {
    optimizing = await way.optimizing(await options())
  })
  afterAll(() => optimizing.close())
  return () => optimizing
}

function expectPassed(optimizing: Optimizing, { isStrict = false, passes: why }: SearchBody): void {
  if (optimizing.passedThrough === undefined) return
  const passes = isStrict ? /must match/ : why
  if (passes === undefined) expect(optimizing.passedThrough()).toBeUndefined()
  else expect(optimizing.passedThrough()).toMatch(passes)
}

/** The same answer, but for which of the first hundred hits are on the page, and their scores. */
function expectReranked(answer: Answer, own: Answer, deep: Answer, hasFactors: boolean): void {
  const { hits, max_score: most, ...rest } = answer.hits
  const { hits: ownHits, max_score: _, ...ownRest } = own.hits
  expect(lasting({ ...answer, hits: rest })).toEqual(lasting({ ...own, hits: ownRest }))
  expect(hits).toHaveLength(ownHits.length)
  const known = new Map(deep.hits.hits.map((hit) => [identity(hit), hit]))
  for (const hit of hits)
    expect(without(hit, '_score')).toEqual(without(asReturned(known.get(identity(hit))!), '_score'))
  const scores = hits.map(({ _score }) => numberOf(_score)!)
  expect(scores).toEqual(scores.toSorted((one, other) => other - one))
  expect(numberOf(most)).toBeGreaterThanOrEqual(Math.max(...scores))
  for (const score of scores) expect(score).toBeGreaterThan(0)
  // Where more than words rank, scores are on the engine's scale.
  if (!hasFactors) for (const score of scores) expect(score).toBeLessThan(1)
}
