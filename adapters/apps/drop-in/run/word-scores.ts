/** Asks the engine for the scores of hits by the words alone, where the caller's search ranks by more than words. */
import type { Hit } from '../../../../src/types.ts'
import { errorOf } from '../answer/engine-answer.ts'
import { hitsOf } from '../answer/engine-hits.ts'
import { type JsonObject, only } from '../parse/json.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'
import { fill } from '../parse/placeholders.ts'
import { wordsAlone } from '../parse/ranking.ts'
import { within } from '../plan/chosen-hits.ts'
import { legParameters } from '../plan/leg-body.ts'
import type { WordScores } from '../rank/with-engine.ts'
import type { CallerEngine } from './caller-engine.ts'

/** Parts of a body on which the score of a query may depend. */
const scoring = ['query', 'runtime_mappings', 'derived', 'pit', 'timeout']

/** @param given a hit as the engine returned it */
export function wordScores(
  understood: RewritableSearch,
  given: (docid: string) => JsonObject | undefined,
  engine: CallerEngine,
  { signal, timeout }: { readonly signal: AbortSignal; readonly timeout: number },
): WordScores {
  const { body, slots, text, ranking, header } = understood
  const words = only(wordsAlone(fill(body, slots, text), ranking.factors), ...scoring)
  return async (hits: readonly Hit[]) => {
    const wanted = hits.flatMap(({ docid }): readonly JsonObject[] => {
      const hit = given(docid)
      return hit === undefined ? [] : [hit]
    })
    const asked = { ...within(words, wanted), size: wanted.length, _source: false, track_total_hits: false }
    const [answer] = (await engine.msearch([{ header, body: asked }], {
      signal,
      timeout,
      url: legParameters(understood),
    })) as readonly unknown[]
    const error = errorOf(answer)
    if (error !== undefined) throw error
    return new Map(hitsOf(answer as JsonObject, () => undefined).map(({ docid, score }) => [docid, score]))
  }
}
