/** Takes from a server whatever a test has left there, so that the next one finds it empty. */
import { isObject, type JsonObject } from '../../../adapters/apps/drop-in/parse/json.ts'
import type { Client } from './client.ts'
import { valueAt } from './stash.ts'

/** What is kept in the metadata of a cluster, and where all of a kind is deleted; data streams before their indices. */
const kinds = [
  ['data_stream.data_stream', '/_data_stream/*'],
  ['indices', '/*?expand_wildcards=all'],
  ['templates', '/_template/*'],
  ['index_template.index_template', '/_index_template/*'],
  ['component_template.component_template', '/_component_template/*'],
  ['ingest.pipeline', '/_ingest/pipeline/*'],
  ['search_pipeline.pipeline', '/_search/pipeline/*'],
  [
    'cluster_coordination.voting_config_exclusions',
    '/_cluster/voting_config_exclusions?wait_for_removal=false',
  ],
] as const

/** @throws Error where something cannot be removed */
export async function wipe(client: Client): Promise<void> {
  async function ask(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    const headers = { 'content-type': 'application/json' }
    const sent = { method, path, ...(body && { headers, body: JSON.stringify(body) }) }
    const { status, parsed, text } = await client.send(sent)
    if (status >= 400 && status !== 404) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`)
    return isObject(parsed) ? parsed : {}
  }

  const { metadata } = await ask('GET', '/_cluster/state/metadata')
  const namesOf = (path: string): readonly string[] => {
    const kept = valueAt(metadata, path, {})
    return Array.isArray(kept) ? kept.map(String) : Object.keys(kept ?? {})
  }

  for (const repository of namesOf('repositories')) {
    const { snapshots = [] } = await ask('GET', `/_snapshot/${repository}/_all?ignore_unavailable=true`)
    for (const { snapshot } of snapshots as readonly JsonObject[])
      await ask('DELETE', `/_snapshot/${repository}/${String(snapshot)}`)
    await ask('DELETE', `/_snapshot/${repository}`)
  }
  for (const [path, all] of kinds) if (namesOf(path).length > 0) await ask('DELETE', all)
  for (const script of namesOf('stored_scripts')) await ask('DELETE', `/_scripts/${script}`)

  const settings = await ask('GET', '/_cluster/settings?flat_settings=true')
  const set = Object.entries(settings).filter(([, group]) => isObject(group) && Object.keys(group).length > 0)
  const unset = (group: unknown): JsonObject =>
    Object.fromEntries(Object.keys(group as object).map((name) => [name, null]))
  if (set.length > 0)
    await ask(
      'PUT',
      '/_cluster/settings',
      Object.fromEntries(set.map(([name, group]) => [name, unset(group)])),
    )
}
