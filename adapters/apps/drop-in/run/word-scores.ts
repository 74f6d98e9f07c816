/** Asks the engine for the scores of hits by the words alone, where the caller's search ranks by more than words. */
import type { Hit } from '../../../../src/types.ts'
import { hitsOf } from '../answer/engine-hits.ts'
import { type JsonObject, only } from '../parse/json.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'
import { wordsAlone } from '../parse/ranking.ts'
import { within } from '../plan/chosen-hits.ts'
import type { WordScores } from '../rank/with-engine.ts'
import type { CallerEngine } from './caller-engine.ts'
import { type Asking, askOne } from './resilient-engine.ts'

/** Parts of a body on which the score of a query may depend. */
const scoring = ['query', 'runtime_mappings', 'derived', 'pit', 'timeout']

/** @param given a hit as the engine returned it */
export function wordScores(
  understood: RewritableSearch,
  given: (docid: string) => JsonObject | undefined,
  engine: CallerEngine,
  asking: Asking,
): WordScores {
  const words = only(wordsAlone(understood.body, understood.ranking.factors), ...scoring)
  return async (hits: readonly Hit[]) => {
    const wanted = hits.flatMap(({ docid }): readonly JsonObject[] => {
      const hit = given(docid)
      return hit === undefined ? [] : [hit]
    })
    const asked = { ...within(words, wanted), size: wanted.length, _source: false, track_total_hits: false }
    const answer = await askOne(engine, understood, asked, asking)
    return new Map(hitsOf(answer, () => undefined).map(({ docid, score }) => [docid, score]))
  }
}
