/** What a search is for this caller on these indices: what is known of the fields decides, and what is not is asked for. */
import type { CallerEngine } from '../caller-engine.ts'
import type { JsonObject } from '../json.ts'
import { limitedFieldCaps } from '../run/resilient-engine.ts'
import type { SearchSettings } from '../settings.ts'
import type { FieldScope, KindOf } from './field-kinds.ts'
import {
  type CallerHints,
  type PassThrough,
  parseSearch,
  type RewritableSearch,
  type SearchCall,
  strict,
} from './parse-search.ts'

/** Whose search it is. */
export interface Asker {
  readonly settings: SearchSettings
  /** Who asks, as one text: what is kept is kept for that one. */
  readonly identity: string
  /** Ends what is asked for the search. */
  readonly signal?: AbortSignal | undefined
}

type Caps = Pick<CallerEngine, 'fieldCaps'>

/**
 * Fields of which nothing is known are taken for texts: see `certainFor`. Where it depends on them whether the search passes
 * through, it does, and they are asked for beside it, so that the next one need not.
 */
export function parseWithMapping(
  call: SearchCall,
  told: CallerHints,
  asker: Asker,
  engine: Caps,
): RewritableSearch | PassThrough {
  const { kinds } = asker.settings
  const understood = parseSearch(call, told, {
    ...asker.settings,
    kindsFor: (header) => kinds.known(scopeOf(call, header, asker)),
  })
  if ('reason' in understood && understood.header !== undefined && understood.unknown !== undefined)
    void ask(call, understood.header, understood.unknown, asker, engine)
  return understood
}

/** The same search once all of its fields are known. Never rejects, and takes no longer than a sub-query may. */
export async function certainFor(
  understood: RewritableSearch,
  call: SearchCall,
  asker: Asker,
  engine: Caps,
): Promise<RewritableSearch | PassThrough> {
  const { unknown, header, isStrict } = understood
  if (unknown.length === 0) return understood
  const kindOf = await ask(call, header, unknown, asker, engine)
  const certain = parseSearch(call, {}, { ...asker.settings, kindsFor: () => kindOf })
  return 'reason' in certain || certain.isStrict === isStrict ? certain : { reason: strict }
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
