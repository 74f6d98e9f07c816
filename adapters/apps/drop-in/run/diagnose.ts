/** What would become of a search: whether it is optimized, and why not. Nothing is searched. */

import type { SearchCall } from '../parse/parse-search.ts'
import type { CallerEngine } from './caller-engine.ts'
import { certainFor, parseWithMapping } from './parse-with-mapping.ts'
import type { SearchSettings } from './settings.ts'

/** `reason`: why the search passes through. */
export type Diagnosis = { readonly reason: string } | { readonly text: string; readonly reason?: never }

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
  if ('reason' in understood) return { reason: understood.reason }
  return { text: understood.text }
}
