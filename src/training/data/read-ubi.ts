/** Reads the logs of User Behavior Insights. The schema is OpenSearch's, versions 1.0 to 1.3. */
import { z } from 'zod'
import { identifier, readRecords } from '../../evaluation/json-lines.ts'
import type { ReadOptions, Source } from '../../evaluation/lines.ts'
import type { UbiEvent, UbiQuery } from './ubi.ts'

/** A date, or milliseconds since 1970, also in text. A time that cannot be read is none, as in the engine's index. */
const time = z
  .unknown()
  .optional()
  .transform((value) => {
    const read =
      typeof value === 'string' && !/^\d+$/.test(value) ? Date.parse(value) : Number(value ?? Number.NaN)
    return Number.isNaN(read) ? undefined : read
  })

const name = z.string().nullish()
const ids = z.array(identifier).nullish()

/** A record, or the hit of a search that found it. */
const recordOrHit = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value) => (typeof value === 'object' && value !== null && '_source' in value ? value._source : value),
    schema,
  )

/** Other keys are ignored. The plugin has called the hits by several names. */
const queryRecord = recordOrHit(
  z
    .object({
      query_id: identifier,
      user_query: z.union([z.string(), z.object({ text: z.string().optional() })]).nullish(),
      query_response_object_ids: ids,
      query_response_objects_ids: ids,
      query_response_hit_ids: ids,
      timestamp: time,
      application: name,
    })
    .transform((record): UbiQuery => {
      const { user_query: said, application } = record
      const text = (typeof said === 'string' ? said : said?.text)?.trim()
      return {
        queryId: record.query_id,
        hits:
          record.query_response_object_ids ??
          record.query_response_objects_ids ??
          record.query_response_hit_ids ??
          [],
        ...(text && { text }),
        ...(record.timestamp !== undefined && { time: record.timestamp }),
        ...(application && { application }),
      }
    }),
)

/** Events of other things than a document of a search are `undefined`. */
export const eventRecord = recordOrHit(
  z
    .object({
      action_name: z.string(),
      query_id: identifier.nullish(),
      timestamp: time,
      application: name,
      event_attributes: z
        .object({
          object: z.object({ object_id: identifier.nullish(), internal_id: identifier.nullish() }).nullish(),
          position: z.object({ ordinal: z.number().nullish() }).nullish(),
        })
        .nullish(),
    })
    .transform((record): UbiEvent | undefined => {
      const { query_id: queryId, application, event_attributes: about } = record
      const docids = [about?.object?.object_id, about?.object?.internal_id].filter(
        (id) => typeof id === 'string',
      )
      const ordinal = about?.position?.ordinal
      if (typeof queryId !== 'string' || docids.length === 0) return undefined
      return {
        queryId,
        action: record.action_name,
        docids,
        ...(typeof ordinal === 'number' && { ordinal }),
        ...(record.timestamp !== undefined && { time: record.timestamp }),
        ...(application && { application }),
      }
    }),
)

/**
 * Reads `ubi_queries` from a file with one JSON object per line: a record, or a search hit with the record in `_source`, as
 * programs that export an index write it.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line if a line does not match
 */
export async function* readUbiQueries(source: Source, options: ReadOptions = {}): AsyncGenerator<UbiQuery> {
  for await (const { record } of readRecords(queryRecord, source, options)) yield record
}

/**
 * Reads `ubi_events` from a file, as `readUbiQueries` does. Events without a query or without a document are left out.
 *
 * @throws as `readUbiQueries`
 */
export async function* readUbiEvents(source: Source, options: ReadOptions = {}): AsyncGenerator<UbiEvent> {
  for await (const { record } of readRecords(eventRecord, source, options))
    if (record !== undefined) yield record
}

/** One record of an index, or undefined if it is no query of the schema. */
export const ubiQueryOf = (record: unknown): UbiQuery | undefined => queryRecord.safeParse(record).data

/** One record of an index, or undefined if it is no event about a document of a search. */
export const ubiEventOf = (record: unknown): UbiEvent | undefined => eventRecord.safeParse(record).data
