/**
 * A few hundred documents on a real engine with everything that a hit can bring: numbers no double holds, dates, nested
 * parts, stored fields, two indices that share ids, and one whose documents need their routing.
 */
import { randomBytes } from 'node:crypto'
import type { Document } from '../../src/types.ts'
import { sampleDocuments } from './small-policy.ts'

export type EngineKind = 'elasticsearch' | 'opensearch'

export interface World {
  readonly kind: EngineKind
  readonly url: string
  /** All documents, in one shard. */
  readonly works: string
  /** Every third document again: the same id, other words. */
  readonly copies: string
  /** Documents that need a routing, in three shards; ids stand there twice, under two routings. */
  readonly routed: string
  /** All three. */
  readonly pattern: string
  close(): Promise<void>
}

/** 2^53 + 1: what a double cannot hold. */
export const firstSerial = 9_007_199_254_740_993n

const routings = ['north', 'east', 'south', 'west', 'centre']

export async function createWorld(kind: EngineKind, url: string): Promise<World> {
  const prefix = `qx-${randomBytes(5).toString('hex')}`
  const [works, copies, routed] = [`${prefix}-works`, `${prefix}-copies`, `${prefix}-routed`]
  const documents = await allDocuments()
  await create(url, works, kind)
  await create(url, copies, kind)
  await create(url, routed, kind, { number_of_shards: 3 }, { _routing: { required: true } })
  const lines = [
    ...documents.flatMap((document, place) =>
      written({ _index: works, _id: document.docid }, document, place),
    ),
    ...documents.flatMap((document, place) =>
      place % 3 === 0
        ? written(
            { _index: copies, _id: document.docid },
            { ...document, text: `A copy. ${document.text}` },
            place + 1000,
          )
        : [],
    ),
    ...documents.slice(0, 40).flatMap((document, place) =>
      [0, 1].flatMap((turn) => {
        const routing = routings[(place + turn) % routings.length]!
        const title = `${document.title}, ${routing}`
        return written({ _index: routed, _id: document.docid, routing }, { ...document, title }, place)
      }),
    ),
  ]
  const answer = await send(
    url,
    'POST',
    '/_bulk?refresh=true',
    `${lines.join('\n')}\n`,
    'application/x-ndjson',
  )
  if (answer.errors === true) throw new Error(JSON.stringify(answer).slice(0, 2000))
  return {
    kind,
    url,
    works,
    copies,
    routed,
    pattern: `${prefix}-*`,
    close: async () => void (await send(url, 'DELETE', `/${works},${copies},${routed}`)),
  }
}

/** The sample collection, and notes on half of it written here. */
async function allDocuments(): Promise<Document[]> {
  const sample = await sampleDocuments()
  const notes = sample
    .filter((_, place) => place % 2 === 0)
    .map(
      ({ docid, title, metadata }): Document => ({
        docid: `notes-${docid}`,
        title: `Notes on ${title}`,
        text: `A reading list about ${title}, for those who have seen the first volume. It begins with letters, goes on with drawings and ends with an index of names.`,
        ...(metadata && { metadata }),
      }),
    )
  return [...sample, ...notes]
}

/** The lines of one document. They are written by hand: what they hold is beyond `JSON.stringify`. */
function written(where: object, { docid, title = '', text, metadata }: Document, place: number): string[] {
  const day = String(1 + (place % 28)).padStart(2, '0')
  const source = [
    `"title":${JSON.stringify(title)}`,
    `"text":${JSON.stringify(text)}`,
    `"subject":${JSON.stringify(metadata?.subject ?? 'none')}`,
    `"made":"19${10 + (place % 90)}-05-${day}"`,
    `"serial":${firstSerial + BigInt(place)}`,
    `"price":${place % 50}.0`,
    `"shelf":"${'abcdef'[place % 6]}${place % 10}"`,
    `"parts":[{"name":"front of ${docid}","weight":${place}},{"name":"back","weight":${place + 1}}]`,
    `"vector":[${place % 7},1,0.5,1.0]`,
  ]
  return [JSON.stringify({ index: where }), `{${source.join(',')}}`]
}

function create(url: string, index: string, kind: EngineKind, settings = {}, more = {}): Promise<JsonAnswer> {
  const english = { type: 'text', analyzer: 'english' }
  const body = {
    settings: { number_of_shards: 1, number_of_replicas: 0, ...settings },
    mappings: {
      ...more,
      properties: {
        title: english,
        text: english,
        subject: { type: 'keyword' },
        made: { type: 'date' },
        serial: { type: 'long' },
        price: { type: 'double' },
        shelf: { type: 'keyword', store: true },
        parts: { type: 'nested', properties: { name: { type: 'text' }, weight: { type: 'integer' } } },
        vector: kind === 'elasticsearch' ? { type: 'dense_vector', dims: 4 } : { type: 'float' },
      },
    },
  }
  return send(url, 'PUT', `/${index}`, JSON.stringify(body))
}

type JsonAnswer = Readonly<Record<string, unknown>>

/** @throws Error where the engine refuses */
export async function send(
  url: string,
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
): Promise<JsonAnswer> {
  const init = body === undefined ? { method } : { method, body, headers: { 'content-type': type } }
  const response = await fetch(`${url}${path}`, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} had ${response.status}: ${text}`)
  return JSON.parse(text) as JsonAnswer
}
