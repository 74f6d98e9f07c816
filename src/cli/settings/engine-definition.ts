/** Clusters in a configuration file: `"retrievers": {"NAME": {"engine": "elasticsearch", "url": "…", "index": "…"}}`. */
import { z } from 'zod'
import {
  clusterUrl,
  searchShape,
  sparseShape,
  vectorShape,
} from '../../../adapters/search/cluster/options.ts'
import { parseConfig } from '../../config.ts'
import { isObject } from '../../runtime/json.ts'

export const engineKind = z.enum(['elasticsearch', 'opensearch'], 'must be elasticsearch or opensearch')

const definition = z.strictObject({
  engine: engineKind,
  url: z.union([clusterUrl, z.array(clusterUrl).min(1)], 'must be an http(s) URL, or a list of them'),
  ...searchShape,
  vector: z.strictObject({ ...vectorShape, model: z.string().min(1).optional() }).optional(),
  sparse: z.strictObject(sparseShape).optional(),
})

/** A cluster: the options of `elasticsearch()` and `opensearch()`, with the embedding model by name. */
export type EngineDefinition = z.output<typeof definition>

/** Name → cluster. */
export type EngineDefinitions = Readonly<Record<string, EngineDefinition>>

/** All clusters of a file. */
export const engineDefinitions = z
  .record(z.string(), definition)
  .refine(
    (all) => Object.keys(all).every((name) => /^[\w.-]+$/.test(name)),
    'names may have letters, digits, ".", "-" and "_"',
  )

/** The prefix of such a name in `--retrievers`. */
export const enginePrefix = 'engine:'

/** The key of clusters in a file. It names the retrievers to search, too. */
export const engineKey = 'retrievers'

/**
 * Separates the clusters that a file defines under `retrievers` from its other content.
 *
 * @param place where they are defined, for messages
 * @throws QuerentError `bad-config` that names the place
 */
export function withoutEngines(
  content: unknown,
  place: string,
): { readonly others: unknown; readonly engines?: EngineDefinitions } {
  if (!isObject(content) || !isObject(content.retrievers)) return { others: content }
  const { retrievers, ...others } = content
  return { others, engines: parseConfig(engineDefinitions, retrievers, place) }
}
