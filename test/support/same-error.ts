/** Errors of a wrapped client beside those of the client itself. */
import { expect } from 'vitest'
import { isObject } from '../../adapters/apps/drop-in/parse/json.ts'

/** What it rejects with. */
export async function rejection(asked: Promise<unknown>): Promise<Error> {
  const answer = await asked.then(
    (value) => ({ value }),
    (error: Error) => ({ error }),
  )
  if ('error' in answer) return answer.error
  throw new Error(`It was answered: ${JSON.stringify(answer.value).slice(0, 200)}`)
}

/** The same class, the same fields, and the same words. */
export function expectSameError(error: unknown, own: unknown): void {
  const [one, other] = [error, own].map((thrown) => {
    const { name, message, statusCode, body, meta } = thrown as Record<string, unknown> & Error
    return {
      name,
      message: message.replace(/127\.0\.0\.1:\d+/g, ''),
      prototype: Object.getPrototypeOf(thrown),
      statusCode,
      body,
      meta: isObject(meta) && Object.keys(meta).sort(),
      keys: Object.keys(thrown as object).sort(),
    }
  })
  expect(one).toEqual(other)
}
