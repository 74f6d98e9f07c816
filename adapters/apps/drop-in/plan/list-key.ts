/** Which searches of a caller are pages of one list. */
import { isObject, type JsonObject, without } from '../parse/json.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'

/**
 * The key of the list that the pages of a search are slices of. A logged search may have another id on each page.
 *
 * @param identity the caller
 * @param index as the caller names it
 */
export const listKey = (
  identity: string,
  index: string | undefined,
  { url, body }: Pick<RewritableSearch, 'url' | 'body'>,
): readonly unknown[] => [identity, index, url, without(withoutLog(body), 'from')]

/**
 * The body without `ext.ubi`. OpenSearch's User Behavior Insights logs each search that has it, with its hits, and what a user
 * searched once must be logged once. Other parts of `ext`, such as those of search pipelines, stay.
 */
export function withoutLog(body: JsonObject): JsonObject {
  const { ext } = body
  if (!isObject(ext) || ext.ubi === undefined) return body
  const others = without(ext, 'ubi')
  return Object.keys(others).length === 0 ? without(body, 'ext') : { ...body, ext: others }
}
