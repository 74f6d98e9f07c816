/**
 * OpenSearch's User Behavior Insights logs each search whose body has `ext.ubi`, with its hits. What a user searched once must be
 * logged once, so only the caller's own search keeps it.
 */
import { isObject, type JsonObject, without } from '../parse/json.ts'

/** The body without `ext.ubi`. Other parts of `ext`, such as those of search pipelines, stay. */
export function withoutLog(body: JsonObject): JsonObject {
  const { ext } = body
  if (!isObject(ext) || ext.ubi === undefined) return body
  const others = without(ext, 'ubi')
  return Object.keys(others).length === 0 ? without(body, 'ext') : { ...body, ext: others }
}
