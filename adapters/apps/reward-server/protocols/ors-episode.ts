/**
 * An episode of the Open Reward Standard: the calls of one agent for one task, until it submits. Its reward is that of NeMo Gym's protocol
 * for the same calls.
 */
import { issuesOf } from '../../../../src/config.ts'
import { QuerentError, toError } from '../../../../src/errors.ts'
import type { Query } from '../../../../src/types.ts'
import { type OutputItem, rewardOf, search, searchRequest } from './nemo-gym.ts'
import { environments, type Name } from './ors-environments.ts'
import type { Service, Where } from './protocol.ts'

export interface Episode {
  readonly name: Name
  readonly query: Query
  readonly calls: OutputItem[]
  isOver: boolean
}

export const textBlock = (text: string) => ({ type: 'text', text })

/** Calls a tool. @returns what it gives, in the standard's words. @throws QuerentError for what may work the next time */
export async function call(
  episode: Episode,
  { name: tool, input }: { readonly name: string; readonly input: Readonly<Record<string, unknown>> },
  service: Service,
  ...[signal, where]: [AbortSignal, Where]
): Promise<object> {
  const refused = (reason: string, error: string) => ({ ok: false, reason, error })
  if (episode.isOver) return refused('episode_finished', 'The result has been submitted')
  const { schema } = environments[episode.name]
  const isSearch = tool === 'search' && episode.name !== 'rewrite'
  if (!isSearch && tool !== 'submit') return refused('not_found', `There is no tool ${tool}`)
  const parsed = (isSearch ? searchRequest : schema).safeParse(input)
  if (!parsed.success) return refused('input_validation', issuesOf(parsed.error))
  if (isSearch) {
    const { body, status } = await search(input, service, signal, where)
    const { documents, error } = body as {
      documents?: readonly { id: string; contents: string }[]
      error?: string
    }
    if (documents === undefined)
      throw new QuerentError(status === 503 ? 'retriever-failed' : 'bad-config', error ?? 'The search failed')
    episode.calls.push({ type: 'function_call', name: 'search', arguments: JSON.stringify(input) })
    return given(documents.map(({ id, contents }) => textBlock(`[${id}] ${contents}\n`)))
  }
  const { query, name } = episode
  const { queries, ...other } = parsed.data as { readonly queries?: readonly string[] }
  const content = JSON.stringify(queries === undefined ? other : { query: queries.join(' %% ') })
  const row = { reward_for: name, query_id: query.qid, answers: [...service.tasks.accepted(query.qid!)] }
  // Over while it is scored, so that no second result is.
  episode.isOver = true
  const items = [...episode.calls, { type: 'message', content }]
  const reward = await rewardOf(row, items, service, signal).catch(toError)
  episode.isOver = !(reward instanceof Error)
  if (reward instanceof Error) throw reward
  const { score, acc, format, n_sub } = reward
  return given([textBlock('Submitted.')], { reward: score, finished: true, metadata: { acc, format, n_sub } })
}

/** Clients read every key. */
const given = (blocks: readonly object[], rest: object = {}): object => ({
  ok: true,
  output: { blocks, metadata: null, reward: null, finished: false, ...rest },
})
