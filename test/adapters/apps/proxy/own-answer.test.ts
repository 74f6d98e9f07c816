/** Answers of the proxy itself: in the engines' format, with the status that says whose fault it is. */
import type { IncomingMessage } from 'node:http'
import { errors } from 'undici'
import { describe, expect, it } from 'vitest'
import {
  explained,
  explainedPass,
  failure,
  failureOf,
  ownAnswer,
} from '../../../../adapters/apps/proxy/own-answer.ts'
import { NotSigned } from '../../../../adapters/apps/proxy/sign.ts'
import { valuesOf } from '../../../support/raw-http.ts'

const from = (...rawHeaders: string[]) => ({ rawHeaders }) as unknown as IncomingMessage
const reasonOf = (error: Error) => {
  const { status, bytes } = failureOf(error, 'http://engine:9200')
  return [status, JSON.parse(String(bytes)).error]
}

it('have their length in bytes', () => {
  const { headers, bytes } = ownAnswer(200, { status: 'Zürich' })
  expect(valuesOf(headers, 'content-length')).toEqual([String(bytes.length)])
  expect(bytes.length).toBe(20)
})

it('are errors as engines write them', () => {
  const error = { type: 'querent_too_many', reason: 'later' }
  expect(JSON.parse(String(failure(503, 'querent_too_many', 'later').bytes))).toEqual({
    error: { root_cause: [error], ...error },
    status: 503,
  })
})

it('blame the caller for what cannot be sent, the signer for what is not signed, and else the target', () => {
  expect(reasonOf(new errors.InvalidArgumentError('duplicate host'))).toEqual([
    400,
    expect.objectContaining({ reason: 'The request cannot be sent on: duplicate host' }),
  ])
  expect(reasonOf(new NotSigned(413, 'its body is too long'))).toEqual([
    413,
    expect.objectContaining({ type: 'querent_not_signed' }),
  ])
  expect(reasonOf(new Error('connect ECONNREFUSED'))).toEqual([
    502,
    expect.objectContaining({ reason: 'http://engine:9200 cannot be reached: connect ECONNREFUSED' }),
  ])
})

describe('the header that says what became of a search', () => {
  it.each(['true', 'True', '1', 'header'])('is there for x-querent-explain: %s', (value) => {
    expect(explained(from('X-Querent-Explain', value), 'changed')).toEqual(['x-querent', 'changed'])
  })

  it('is not there unless it is asked for, or if there is nothing to say', () => {
    expect(explained(from(), 'changed')).toEqual([])
    expect(explained(from('x-querent-explain', 'false'), 'changed')).toEqual([])
    expect(explainedPass(from('x-querent-explain', 'true'), undefined)).toEqual([])
  })

  it('tells without being asked which settings were ignored', () => {
    expect(explained(from('x-querent-optimize', 'never', 'x-querent-explain', 'all'), 'changed')).toEqual([
      'x-querent',
      'changed; x-querent-explain was ignored: it is neither true nor false; ' +
        'x-querent-optimize was ignored: it is neither true nor false',
    ])
  })

  it('is short, whatever a reason repeats, and keeps what was ignored', () => {
    const long = `failed: ${'x'.repeat(60_000)}`
    const asked = ['x-querent-explain', 'header', 'x-querent-optimize', 'never']
    const [, said = ''] = explained(from(...asked), long)
    expect(said.length).toBeLessThanOrEqual(256)
    expect(said).toMatch(/^failed: x+\.\.\.; x-querent-optimize was ignored/)
    expect(explained(from(...asked.slice(0, 2)), 'x'.repeat(256))).toEqual(['x-querent', 'x'.repeat(256)])
  })

  it('is ASCII, whatever the words of the search are', () => {
    expect(explained(from('x-querent-explain', 'header'), 'Zürich\r\nx: y')).toEqual([
      'x-querent',
      'Z?rich??x: y',
    ])
  })
})
