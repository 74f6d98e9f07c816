/** Documents of engines. The proxy identifies them by index, id and routing; readers know them by their id. */
import type { SearchAnswer } from '../../adapters/apps/http/answer.ts'
import type { Document } from '../types.ts'

export interface EngineHit {
  readonly _index: string
  readonly _id: string
  readonly _source?: Readonly<Record<string, unknown>>
}

/** The answer with docids as `_id`, or `<index>/<_id>` if the hits lie in several indices, and with documents that are known. */
export function withReadableDocids<Answer extends SearchAnswer>(
  answer: Answer,
  known: readonly EngineHit[] = [],
): Answer {
  const places = answer.hits.map(({ docid }) => placeOf(docid))
  const isOne = new Set(places.map((place) => place?.[0])).size <= 1
  const named = (docid: string): string => {
    const place = placeOf(docid)
    if (place === undefined) return docid
    return isOne ? place[1] : `${place[0]}/${place[1]}`
  }
  const documents = new Map(known.map((hit) => [JSON.stringify([hit._index, hit._id]), documentOf(hit)]))
  const renamed: Answer = JSON.parse(JSON.stringify(answer), (key, value) =>
    typeof value === 'string' && (key === 'docid' || key === 'from') ? named(value) : value,
  )
  const hits = renamed.hits.map((hit, at) => {
    const document = documents.get(JSON.stringify(places[at]?.slice(0, 2)))
    return { ...hit, ...(document && { document }) }
  })
  return { ...renamed, hits }
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
