/** Reads what an application says beside a search. Nothing of it may fail the search: what cannot be read is left out and named. */
import { z } from 'zod'
import { issuesOf, turnRole } from '../../../../src/config.ts'
import type { Turn } from '../../../../src/types.ts'

export interface Hints {
  readonly query?: string
  readonly history?: readonly Turn[]
  readonly explain?: boolean
  readonly optimize?: boolean
  /** The first of the parts that were left out, each with the reason. */
  readonly leftOut: readonly string[]
}

const maxNamed = 20

/** A turn of ours, or a message as chat servers have it. */
const turnSchema = z
  .object({ role: turnRole, text: z.unknown().optional(), content: z.unknown().optional() })
  .transform(({ role, text, content }, context): Turn => {
    const own = textOf(text) ?? textOf(content)
    if (own === undefined) context.addIssue('it has no text')
    return { role, text: own ?? '' }
  })

// Made once: each takes longer than what it reads.
const contextSchema = z.looseObject({ history: z.unknown().optional() }).nullish()
const listSchema = z.array(z.unknown()).nullish()
const partSchema = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)])

const parts: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['query', z.string()],
  ['explain', z.boolean()],
  ['optimize', z.boolean()],
])

export function readContext(context: unknown): Hints {
  const { data, error } = contextSchema.safeParse(context)
  if (error !== undefined) return { leftOut: [`context.querent: ${issuesOf(error)}`] }
  const { history, ...others } = data ?? {}
  const { turns, leftOut } = readTurns(history)
  const [read, wrong]: [Record<string, unknown>, string[]] = [{}, [...leftOut]]
  for (const [key, value] of Object.entries(others)) {
    if (value === undefined || value === null) continue
    const parsed = parts.get(key)?.safeParse(value)
    if (parsed?.success) read[key] = parsed.data
    else
      wrong.push(`${key.slice(0, 40)}: ${parsed === undefined ? 'it is not known' : issuesOf(parsed.error)}`)
  }
  return { ...read, ...(turns && { history: turns }), leftOut: wrong.slice(0, maxNamed) }
}

export function readTurns(history: unknown): { turns?: readonly Turn[]; leftOut: readonly string[] } {
  const list = listSchema.safeParse(history)
  if (!list.success) return { leftOut: [`history: ${issuesOf(list.error)}`] }
  const read = list.data?.map((turn) => turnSchema.safeParse(turn))
  const leftOut = read?.flatMap(({ error }, place) => (error ? `history.${place}: ${issuesOf(error)}` : []))
  const turns = read?.flatMap(({ data }) => data ?? [])
  return { ...(turns && { turns }), leftOut: leftOut?.slice(0, maxNamed) ?? [] }
}

/** A text, or the texts of a list of parts: others are pictures, or calls of tools. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  const texts = Array.isArray(content) ? content.flatMap((one) => partSchema.safeParse(one).data ?? []) : []
  return texts.length === 0 ? undefined : texts.join('\n')
}
