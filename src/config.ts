/** Checks options when something is made, and not on the first search. */
import { z } from 'zod'
import { QuerentError } from './errors.ts'
import type { GivenTurn, Turn } from './types.ts'

export const milliseconds: z.ZodNumber = z.number().positive()
export const count: z.ZodInt = z.int().positive()
export const countOrNone: z.ZodInt = z.int().nonnegative()

/** The maximum length in characters of a query, a turn or an intent from outside. Longer ones are none, and take long. */
export const maxQueryLength = 10_000
export const queryLimit = [maxQueryLength, `must have ${maxQueryLength} characters at most`] as const

/** The role of a turn in a conversation. `assistant`, as chat servers call it, becomes `agent`. */
export const turnRole = z
  .enum(['user', 'agent', 'assistant'], 'must be user, agent or assistant')
  .transform((role) => (role === 'user' ? 'user' : 'agent'))

/** A conversation, oldest turn first. */
export const turns: z.ZodType<Turn[], GivenTurn[]> = z.array(z.object({ role: turnRole, text: z.string() }))

/** A value with these methods. The types check the rest. */
export const having = <T>(what: string, ...methods: readonly string[]): z.ZodType<T> =>
  z.custom<T>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((name) => typeof Reflect.get(value, name) === 'function'),
    methods.length === 0
      ? `expected ${what}`
      : `expected ${what} with ${methods.map((name) => `${name}()`).join(' and ')}`,
  )

/**
 * Parses with `schema`. One error names every wrong place.
 *
 * @throws QuerentError `bad-config`
 */
export function parseConfig<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new QuerentError('bad-config', `${where}: ${issuesOf(parsed.error)}`)
}

/** The first `max` issues, each with its place. */
export function issuesOf({ issues }: z.ZodError, max = Number.POSITIVE_INFINITY): string {
  return issues
    .slice(0, max)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}
