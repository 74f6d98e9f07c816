/** Documents of engines. The proxy identifies them by index, id and routing; readers know them by their id. */
import type { Document, SubQuery } from '../types.ts'
import type { SearchView } from './view.ts'

export interface EngineHit {
  readonly _index: string
  readonly _id: string
  readonly _source?: Readonly<Record<string, unknown>>
}

/** The view with docids as `_id`, or `<index>/<_id>` if the hits lie in several indices, and with documents that are known. */
export function withReadableDocids(view: SearchView, known: readonly EngineHit[] = []): SearchView {
  const places = view.hits.map(({ docid }) => placeOf(docid))
  const isOne = new Set(places.map((place) => place?.[0])).size <= 1
  const named = (docid: string): string => {
    const place = placeOf(docid)
    if (place === undefined) return docid
    return isOne ? place[1] : `${place[0]}/${place[1]}`
  }
  const made = (subQuery: SubQuery): SubQuery =>
    subQuery.from === undefined ? subQuery : { ...subQuery, from: named(subQuery.from) }
  const documents = new Map(known.map((hit) => [JSON.stringify([hit._index, hit._id]), documentOf(hit)]))
  return {
    ...view,
    hits: view.hits.map((hit, at) => {
      const document = documents.get(JSON.stringify(places[at]?.slice(0, 2)))
      return { ...hit, docid: named(hit.docid), ...(document && { document }) }
    }),
    citations: view.citations.map(named),
    rounds: view.rounds.map((round) => ({
      ...round,
      subQueries: round.subQueries.map(made),
      legs: round.legs.map((leg) => ({
        ...leg,
        ranks: new Map([...leg.ranks].map(([docid, rank]) => [named(docid), rank])),
      })),
    })),
  }
}

/** Index, id and perhaps routing. */
function placeOf(docid: string): readonly [string, string, ...string[]] | undefined {
  try {
    const place: unknown = JSON.parse(docid)
    return Array.isArray(place) && place.length >= 2
      ? [String(place[0]), String(place[1]), ...place.slice(2)]
      : undefined
  } catch {
    return undefined
  }
}

const titleNames = ['title', 'name', 'headline']

function documentOf({ _id, _source = {} }: EngineHit): Document {
  const texts = Object.entries(_source).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  )
  const title = texts.find(([name]) => titleNames.includes(name))
  const longest = texts.reduce((best, [, text]) => (text.length > best.length ? text : best), '')
  return { docid: _id, text: longest, ...(title && { title: title[1] }) }
}
