/** The backends of a command: the folder of an index, clusters of the configuration, or both. */
import { QuerentError } from '../../errors.ts'
import { type EngineDefinition, type EngineDefinitions, enginePrefix } from '../settings/engine-definition.ts'

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
  const defined = new Map(
    Object.entries(settings.engines ?? {}).map(([name, definition]) => [
      `${enginePrefix}${name}`,
      definition,
    ]),
  )
  if (names === undefined)
    return { folder: settings.index !== undefined || defined.size === 0, engines: defined }
  const engines = new Map<string, EngineDefinition>()
  for (const name of names.filter((one) => one.startsWith(enginePrefix))) {
    const definition = defined.get(name)
    if (definition === undefined) throw undefinedEngine(name, [...defined.keys()])
    engines.set(name, definition)
  }
  const retrievers = names.filter((one) => !one.startsWith(enginePrefix))
  return { folder: retrievers.length > 0, retrievers, engines }
}

function undefinedEngine(name: string, defined: readonly string[]): QuerentError {
  return new QuerentError('bad-config', `No cluster is defined for the retriever ${name}`, {
    remedy:
      defined.length > 0
        ? `The configuration defines ${defined.join(', ')}.`
        : `Define it in querent.json: {"retrievers": {"${name.slice(enginePrefix.length)}": {"engine": "elasticsearch", "url": "…", "index": "…", "fields": ["…"]}}}.`,
  })
}
