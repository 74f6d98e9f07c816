import { expect, it } from 'vitest'
import { queryTypeOf, queryTypes } from '../../../bench/experiments/query-type.ts'
import { bridgeFeatures } from '../../../policies/local/bridge-features.ts'
import { firstInputs } from '../../../policies/local/rerank/features.ts'
import { prepareSecondStage } from '../../../policies/local/second-stage.ts'
import { createReader } from '../../../src/text/reader.ts'
import type { Query } from '../../../src/types.ts'
import { example } from '../../support/prepared.ts'
import { conversation } from '../../support/question.ts'
import { linear } from '../../support/small-scorers.ts'

const lookAhead = prepareSecondStage(
  { cues: {}, seeds: linear(firstInputs), bridges: linear(bridgeFeatures) },
  createReader({ documents: 10, stems: {} }),
)

const typeOf = (query: Query): keyof typeof queryTypes =>
  queryTypeOf({
    example: { ...example({ qid: 'q', golds: [], asIs: [] }), query },
    stage: lookAhead(query, [], () => undefined),
  })

const queries = [
  ['Which is older, the Lune Viaduct or the Eskby Bridge?', 'comparison'],
  ['Were Ada Frost and Tom Hale of the same town?', 'comparison'],
  // It compares with nothing that has a name, or names two without comparing.
  ['Is the Lune Viaduct longer?', 'names'],
  ['Who showed Ada Frost to Tom Hale?', 'names'],
  ['a walk near Eskby', 'names'],
  ['which is older, a viaduct or a bridge?', 'other'],
  ['how do viaducts stand', 'other'],
  ['', 'other'],
] as const

it.each(queries)('%s: %s', (text, type) => {
  expect(typeOf({ text })).toBe(type)
  expect(typeOf({ text, history: [] })).toBe(type)
  expect(typeOf({ text, history: conversation('Is it old?', 'It is.') })).toBe('conversation')
})

it('every type is one of those that are told of', () =>
  expect(new Set([...queries.map(([, type]) => type), 'conversation'])).toEqual(
    new Set(Object.keys(queryTypes)),
  ))
