/**
 * Reads what an application says beside a search. Nothing of it may fail the search: a part that cannot be read is left out, and
 * named with the reason.
 */
import type { Turn } from '../../../../src/types.ts'

/** What could be read of a search's options. */
export interface Hints {
  readonly query?: string
  readonly history?: readonly Turn[]
  readonly explain?: boolean
  readonly optimize?: boolean
  /** The parts that were left out, each with the reason. */
  readonly leftOut: readonly string[]
}

/** Parts that are named. The first ones tell what is wrong. */
const maxNamed = 20

export function readContext(context: unknown): Hints {
  if (context === undefined || context === null) return { leftOut: [] }
  if (!isRecord(context)) return { leftOut: ['context.querent: it is no object'] }
  const { turns, leftOut } = readTurns(context.history)
  const [read, wrong]: [Record<string, unknown>, string[]] = [{}, [...leftOut]]
  for (const [key, value] of Object.entries(context)) {
    const type = key === 'query' ? 'string' : ['explain', 'optimize'].includes(key) ? 'boolean' : undefined
    if (value === undefined || value === null || key === 'history') continue
    if (typeof value === type) read[key] = value
    else wrong.push(`${key.slice(0, 40)}: ${type === undefined ? 'it is not known' : `it is no ${type}`}`)
  }
  return { ...read, ...(turns && { history: turns }), leftOut: wrong.slice(0, maxNamed) }
}

/** Reads a conversation: turns of ours, and messages as chat servers have them. */
export function readTurns(history: unknown): {
  readonly turns?: readonly Turn[]
  readonly leftOut: readonly string[]
} {
  if (history === undefined || history === null) return { leftOut: [] }
  if (!Array.isArray(history)) return { leftOut: ['history: it is no list'] }
  const read = history.map(readTurn)
  const leftOut = read.flatMap((one, place) => (typeof one === 'string' ? `history.${place}: ${one}` : []))
  return { turns: read.filter((one) => typeof one !== 'string'), leftOut: leftOut.slice(0, maxNamed) }
}

/** A turn, or why it is left out. */
function readTurn(given: unknown): Turn | string {
  if (!isRecord(given)) return 'it is no object'
  const { role } = given
  if (!['user', 'agent', 'assistant'].includes(role as string))
    return 'its role is not user, agent or assistant'
  const own = textOf(given.text) ?? textOf(given.content)
  return own === undefined ? 'it has no text' : { role: role === 'user' ? 'user' : 'agent', text: own }
}

/** A text, or the texts of a list of parts, of which others may be pictures or calls of tools. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  const texts = parts
    .map((part) => (isRecord(part) ? part.text : part))
    .filter((text) => typeof text === 'string')
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** Whether a value has keys: also an object of a class, as messages of some libraries are. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
