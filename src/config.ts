/** Checking what a user passes: options are checked when something is made and not on the first search. */
import { z } from 'zod'
import { QuerentError } from './errors.ts'
import type { GivenTurn, Turn } from './types.ts'

export const milliseconds: z.ZodNumber = z.number().positive()
export const count: z.ZodInt = z.int().positive()
export const countOrNone: z.ZodInt = z.int().nonnegative()

/** Who said a turn of a conversation. What chat servers call `assistant` is an `agent` from here on. */
export const turnRole = z
  .enum(['user', 'agent', 'assistant'], 'must be user, agent or assistant')
  .transform((role) => (role === 'user' ? 'user' : 'agent'))

/** A conversation, oldest turn first. */
export const turns: z.ZodType<Turn[], GivenTurn[]> = z.array(z.object({ role: turnRole, text: z.string() }))

/** A value of an interface that only its functions can tell: zod looks at their presence, the types at the rest. */
export const having = <T>(what: string, ...methods: readonly string[]): z.ZodType<T> =>
  z.custom<T>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((name) => typeof Reflect.get(value, name) === 'function'),
    `expected ${what} with ${methods.map((name) => `${name}()`).join(' and ')}`,
  )

/**
 * Parses with `schema`; what is wrong becomes one error that names every place.
 *
 * @throws QuerentError `bad-config`
 */
export function parseConfig<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new QuerentError('bad-config', `${where}: ${issuesOf(parsed.error)}`)
}

/** What is wrong, each with its place, of the first so many. */
export function issuesOf({ issues }: z.ZodError, most = Number.POSITIVE_INFINITY): string {
  return issues
    .slice(0, most)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}
