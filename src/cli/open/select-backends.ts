/** The backends of a command: the folder of an index, clusters of the configuration, or both. */
import { type EngineDefinition, type EngineDefinitions, enginePrefix } from '../settings/engine-definition.ts'
import { refuse } from '../settings/setting.ts'

/** The settings that name backends. */
export interface BackendSettings {
  /** The folder of an index. For a training, one per collection. */
  readonly index?: string | readonly string[] | undefined
  readonly engines?: EngineDefinitions | undefined
}

export interface Searched {
  /** Whether the index in the folder is searched. */
  readonly folder: boolean
  /** The retrievers of the folder. Default: all. */
  readonly retrievers?: readonly string[]
  /** Retriever → cluster. */
  readonly engines: ReadonlyMap<string, EngineDefinition>
}

/**
 * The backends of these retrievers. Without names: all backends of the settings.
 *
 * @throws QuerentError `bad-config` for a cluster that is not in the configuration
 */
export function searchedBy(settings: BackendSettings, names: readonly string[] | undefined): Searched {
  const all = Object.entries(settings.engines ?? {})
  const defined = new Map(all.map(([name, definition]) => [`${enginePrefix}${name}`, definition]))
  if (names === undefined)
    return { folder: settings.index !== undefined || defined.size === 0, engines: defined }
  const isEngine = (name: string): boolean => name.startsWith(enginePrefix)
  for (const name of names.filter(isEngine))
    refuse(
      !defined.has(name),
      `No cluster is defined for the retriever ${name}`,
      defined.size > 0
        ? `The configuration defines ${[...defined.keys()].join(', ')}.`
        : `Define it in querent.json: {"retrievers": {"${name.slice(enginePrefix.length)}": {"engine": "elasticsearch", "url": "…", "index": "…", "fields": ["…"]}}}.`,
    )
  const engines = new Map(names.filter(isEngine).map((name) => [name, defined.get(name)!]))
  const retrievers = names.filter((name) => !isEngine(name))
  return { folder: retrievers.length > 0, retrievers, engines }
}
