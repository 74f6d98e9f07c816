/** Parses a search with the kinds of fields in this caller's indices. Querent asks the engine for unknown kinds. */

import type { KindOf } from '../parse/field-kinds.ts'
import type { JsonObject } from '../parse/json.ts'
import {
  byMore,
  type CallerHints,
  type PassThrough,
  parseSearch,
  type RewritableSearch,
  type SearchCall,
} from '../parse/parse-search.ts'
import type { CallerEngine } from './caller-engine.ts'
import type { FieldScope } from './field-kinds.ts'
import type { SearchSettings } from './prepare-settings.ts'
import { limitedFieldCaps } from './resilient-engine.ts'

/** Who searches. */
export interface Asker {
  readonly settings: SearchSettings
  /** The caller, as one string. Kept answers are used for this caller only. */
  readonly identity: string
  /** Ends the requests that are made for the search. */
  readonly signal?: AbortSignal | undefined
}

type Caps = Pick<CallerEngine, 'fieldCaps'>

/**
 * Parses a search with the known kinds of fields. Fields of unknown kind are read as text fields: see `certainFor`. If the search
 * passes through because of an unknown field, Querent asks for that field in the background, for the next search.
 */
export function parseWithMapping(
  call: SearchCall,
  hints: CallerHints,
  asker: Asker,
  engine: Caps,
): RewritableSearch | PassThrough {
  const { kinds } = asker.settings
  const understood = parseSearch(call, hints, {
    ...asker.settings,
    kindsFor: (header) => kinds.known(scopeOf(call, header, asker)),
  })
  if ('reason' in understood && understood.header !== undefined && understood.unknown !== undefined)
    void ask(call, understood.header, understood.unknown, asker, engine)
  return understood
}

/** Parses the search again once all of its fields are known. Never rejects, and takes no longer than a sub-query may. */
export async function certainFor(
  understood: RewritableSearch,
  call: SearchCall,
  asker: Asker,
  engine: Caps,
): Promise<RewritableSearch | PassThrough> {
  const { unknown, header, fixed } = understood
  if (unknown.length === 0) return understood
  const kindOf = await ask(call, header, unknown, asker, engine)
  const certain = parseSearch(call, {}, { ...asker.settings, kindsFor: () => kindOf })
  if ('reason' in certain || certain.fixed === undefined || fixed !== undefined) return certain
  return { reason: certain.fixed }
}

function ask(
  call: SearchCall,
  header: JsonObject,
  unknown: readonly string[],
  asker: Asker,
  engine: Caps,
): Promise<KindOf> {
  const { kinds, limits } = asker.settings
  return kinds.ask(scopeOf(call, header, asker), unknown, limitedFieldCaps(engine, limits), asker.signal)
}

const scopeOf = ({ index }: SearchCall, header: JsonObject, { identity }: Asker): FieldScope => ({
  identity,
  index,
  header,
})

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
