/** Answers of an engine that are errors, in the engine's own words. */
import { describe, expect, it } from 'vitest'
import {
  AnswerError,
  errorOf,
  isRefusal,
  requestError,
} from '../../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import { anError } from '../../../../support/expect-error.ts'
import { answered, answerOf, found } from '../../../../support/fake-engine.ts'

const error = { type: 'search_phase_execution_exception', reason: 'so' }

describe('AnswerError', () => {
  it.each([
    [{ error, status: 503 }, 503, 'status 503: search_phase_execution_exception: so'],
    [{ error: 'no handler' }, 405, 'status 405: no handler'],
    ['<p>', 502, 'status 502'],
    [{ took: 1 }, 200, 'status 200, but without hits'],
  ])('of %j has its words', (body, status, message) => {
    const answer = answered(body, status)
    expect(new AnswerError(answer)).toMatchObject({
      name: 'AnswerError',
      message: `The engine answered with ${message}`,
      answer,
    })
  })
})

describe('isRefusal', () => {
  const breaker = { type: 'circuit_breaking_exception', reason: 'Data too large' }

  it.each([
    ['a bad request', {}, 400, true],
    ['too little memory', { error: breaker }, 429, true],
    [
      'too little memory in one of its causes',
      { error: { ...error, root_cause: [error, breaker] } },
      503,
      true,
    ],
    ['a server that is busy', { error }, 429, false],
    ['missing rights', { error }, 403, false],
    ['a server that is down', { error }, 503, true],
    ['a gateway that lets no such answer through', '<p>', 502, true],
    ['hits', answerOf(found('a')), 200, false],
  ])('of %s', (_, body, status, expected) => expect(isRefusal(answered(body, status))).toBe(expected))

  it('of whatever is thrown, but for a time-out', () => {
    expect(isRefusal(new Error('cut'))).toBe(true)
    expect(isRefusal(Object.assign(new Error('late'), { name: 'TimeoutError' }))).toBe(false)
  })
})

describe('errorOf', () => {
  it('is nothing for a response with hits, empty or not', () => {
    expect(errorOf(answerOf([]))).toBeUndefined()
    expect(errorOf({ ...answerOf(found('a')), status: 200 })).toBeUndefined()
  })

  it.each([null, [], { took: 1 }])("of %j is the retriever's", (response) =>
    expect(errorOf(response)).toEqual(anError('retriever-failed')),
  )

  it('of an error is one that a client would throw', () =>
    expect(errorOf({ error, status: 503 })).toMatchObject({ name: 'ResponseError', statusCode: 503 }))
})

it('requestError has when to ask again', () => {
  const headers = { 'retry-after': '3' }
  expect(requestError({ ...answered({ error }, 429), headers })).toMatchObject({
    name: 'ResponseError',
    statusCode: 429,
    headers,
    body: { error },
    message: 'The engine answered with status 429: search_phase_execution_exception: so',
  })
})
