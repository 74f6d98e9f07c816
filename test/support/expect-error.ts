/** What a failure promises: its code and one fact of its message, a name or a number. Sentences may be written anew. */
import { expect } from 'vitest'
import type { ErrorCode } from '../../src/errors.ts'

/** Matches an error of Querent, also inside a value: `toEqual({ error: anError('deadline', /300 ms/) })`. */
export const anError = (code: ErrorCode, fact: string | RegExp = ''): unknown =>
  expect.objectContaining({
    name: 'QuerentError',
    code,
    message: typeof fact === 'string' ? expect.stringContaining(fact) : expect.stringMatching(fact),
  })

/** The function throws such an error, or the promise rejects with one: await that. */
export function expectError(failing: Promise<unknown>, code: ErrorCode, fact?: string | RegExp): Promise<void>
export function expectError(failing: () => unknown, code: ErrorCode, fact?: string | RegExp): void
export function expectError(
  failing: Promise<unknown> | (() => unknown),
  code: ErrorCode,
  fact?: string | RegExp,
): Promise<void> | void {
  if (typeof failing !== 'function') return expect(failing).rejects.toEqual(anError(code, fact))
  expect(failing).toThrow(anError(code, fact) as Error)
}
