/** Documents of engines. The proxy identifies them by index, id and routing; readers know them by their id. */
import type { SearchAnswer } from '../../adapters/apps/http/answer.ts'
import { jsonOf } from '../runtime/json.ts'
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
  const indices = new Set(answer.hits.map(({ docid }) => placeOf(docid)?.[0]))
  const named = (docid: string): string => {
    const [index, id] = placeOf(docid) ?? [undefined, docid]
    return indices.size <= 1 || index === undefined ? id : `${index}/${id}`
  }
  const hits = answer.hits.map((hit) => {
    const [index, id] = placeOf(hit.docid) ?? []
    const found = known.find(({ _index, _id }) => _index === index && _id === id)
    return { ...hit, ...(found && { document: documentOf(found) }) }
  })
  return JSON.parse(JSON.stringify({ ...answer, hits }), (key, value) =>
    typeof value === 'string' && (key === 'docid' || key === 'from') ? named(value) : value,
  )
}

/** Index and id. */
function placeOf(docid: string): readonly [string, string] | undefined {
  const place = jsonOf(docid)
  return Array.isArray(place) && place.length >= 2 ? [String(place[0]), String(place[1])] : undefined
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
