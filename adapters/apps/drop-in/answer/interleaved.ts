/** A page by which users say what they prefer: the engine's own list and the optimized one, interleaved. */
import { type Side, teamDraft } from '../../../../src/evaluation/team-draft.ts'
import type { InterleavedHits } from '../../../../src/observe.ts'
import type { Hit } from '../../../../src/types.ts'
import { digestOf } from '../../../cache/key.ts'
import { isObject, type JsonObject } from '../parse/json.ts'
import { type Composition, listOfAll } from './compose.ts'
import { identity } from './engine-answer.ts'

export interface Interleaved {
  /** The list of which pages are cut. A score is one over the rank, since those of two lists cannot be compared. */
  readonly hits: readonly Hit[]
  /** The report about a hit. */
  about(docid: string): JsonObject
  /** The answer, and which list brought its hits: with these in `ext`, if User Behavior Insights logs the caller's search. */
  said(
    answer: JsonObject,
    shown: readonly JsonObject[],
  ): { readonly answer: JsonObject; readonly interleaved: InterleavedHits }
}

/**
 * The draft of both lists, as deep as fused pages go. The engine's own list continues behind it, as behind a fused one.
 *
 * @param scope the caller and the index: all pages of their query are cut from the same draft
 */
export function interleaved(
  lists: Pick<Composition, 'understood' | 'hits' | 'own' | 'given'>,
  scope: readonly unknown[],
): Interleaved {
  const { text, body, page } = lists.understood
  const { depth } = page
  const qid = digestOf([...scope, text])
  const optimized = listOfAll(lists).map(({ hit }) => hit)
  const known = new Map([...lists.own, ...optimized].map((hit) => [hit.docid, hit]))
  const first = (hits: readonly Hit[]): string[] => hits.slice(0, depth).map(({ docid }) => docid)
  const drafted = teamDraft(first(lists.own), first(optimized), qid).slice(0, depth)
  const sides = new Map(drafted.map(({ docid, side }) => [docid, side]))
  return {
    hits: drafted.map(({ docid }, place) => ({
      ...known.get(docid)!,
      rank: place + 1,
      score: 1 / (place + 1),
    })),
    about(docid) {
      const side = sides.get(docid)
      return side === undefined ? {} : { side }
    },
    said(answer, shown) {
      const of = (side: Side): string[] =>
        shown.filter((hit) => sides.get(identity(hit)) === side).map(({ _id }) => String(_id))
      const both = { qid, engine: of('engine'), querent: of('querent') }
      const asked = ubiOf(body)
      if (asked === undefined) return { answer, interleaved: both }
      const logged = ubiOf(answer) ?? {}
      const queryId = logged.query_id ?? asked.query_id
      return {
        answer: { ...answer, ext: { ...Object(answer.ext), ubi: { ...logged, interleaved: both } } },
        interleaved: { ...both, ...(typeof queryId === 'string' && { queryId }) },
      }
    },
  }
}

const ubiOf = ({ ext }: JsonObject): JsonObject | undefined =>
  isObject(ext) && isObject(ext.ubi) ? ext.ubi : undefined
