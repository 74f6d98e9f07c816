/** What can become of a search: whether Querent may change its answer, and why not. Nothing is searched. */

import { byMore, type SearchCall } from '../parse/parse-search.ts'
import type { CallerEngine } from './caller-engine.ts'
import { certainFor, parseWithMapping } from './parse-with-mapping.ts'
import type { SearchSettings } from './settings.ts'

export interface Diagnosis {
  /** Whether the answer can change. */
  readonly canChange: boolean
  /** The words that would be rewritten. Absent if the search passes through. */
  readonly text?: string
  /** Why the search passes through; if it can change, why by re-ranking alone. */
  readonly reason?: string
}

/** Asks the engine for the kinds of the search's fields, and for nothing else. Never rejects because of the engine. */
export async function diagnose(
  call: SearchCall,
  settings: SearchSettings,
  engine: Pick<CallerEngine, 'fieldCaps'>,
): Promise<Diagnosis> {
  const asker = { settings, identity: '' }
  const parse = () => parseWithMapping(call, {}, asker, engine)
  const first = parse()
  if ('reason' in first && first.header !== undefined && first.unknown !== undefined)
    await settings.kinds.ask({ identity: '', index: call.index, header: first.header }, first.unknown, engine)
  const parsed = parse()
  const understood = 'reason' in parsed ? parsed : await certainFor(parsed, call, asker, engine)
  if ('reason' in understood) return { canChange: false, reason: understood.reason }
  const { body, text, fixed, ranking } = understood
  const reason = fixed ?? (ranking.factors.length > 0 ? byMore(body, ranking) : undefined)
  return { canChange: true, text, ...(reason !== undefined && { reason }) }
}
