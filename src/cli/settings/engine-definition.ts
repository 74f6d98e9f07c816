/** Clusters in a configuration file: `"retrievers": {"NAME": {"engine": "elasticsearch", "url": "…", "index": "…"}}`. */
import { z } from 'zod'
import { clusterUrl } from '../../../adapters/search/cluster/connection.ts'
import { isObject } from '../../../adapters/search/cluster/object.ts'
import { searchShape, vectorShape } from '../../../adapters/search/cluster/options.ts'
import { parseConfig } from '../../config.ts'

export const engineKind = z.enum(['elasticsearch', 'opensearch'], 'must be elasticsearch or opensearch')

const definition = z.strictObject({
  engine: engineKind,
  url: z.union([clusterUrl, z.array(clusterUrl).min(1)], 'must be an http(s) URL, or several'),
  ...searchShape,
  vector: z.strictObject({ ...vectorShape, model: z.string().min(1).optional() }).optional(),
})

/** How a cluster is searched: all that `elasticsearch()` and `opensearch()` take, but with the embedding model by its name. */
export type EngineDefinition = z.output<typeof definition>

/** Name → cluster. */
export type EngineDefinitions = Readonly<Record<string, EngineDefinition>>

const definitions = z
  .record(z.string(), definition)
  .refine(
    (all) => Object.keys(all).every((name) => /^[\w.-]+$/.test(name)),
    'their names must be of letters, digits, ".", "-" and "_"',
  )

/** What stands before such a name where a retriever is chosen. */
export const enginePrefix = 'engine:'

/**
 * The content of a file without the clusters that it may define where the names of retrievers can stand, and those.
 *
 * @throws QuerentError `bad-config`, naming the file and the place in it
 */
export function withoutEngines(
  content: unknown,
  path: string,
): { readonly others: unknown; readonly engines?: EngineDefinitions } {
  if (!isObject(content) || !isObject(content.retrievers)) return { others: content }
  const { retrievers, ...others } = content
  return { others, engines: parseConfig(definitions, retrievers, `${path}: retrievers`) }
}
