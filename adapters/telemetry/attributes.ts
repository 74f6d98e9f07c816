/**
 * The names that OpenTelemetry's conventions give to what a search does, copied because these parts of the conventions are not
 * stable: GenAI conventions 0.1.0 (retrieval and inference spans) and database conventions 1.45. What they have no name for
 * begins with `querent.`.
 *
 * https://github.com/open-telemetry/semantic-conventions-genai
 */
import type { Attributes } from '@opentelemetry/api'
import { codeOf } from '../../src/errors.ts'
import type { ObservedSearch, SearchReport } from '../../src/observe.ts'
import { plainReason } from '../../src/plain-reason.ts'
import type { Failure, LegTrace, Step } from '../../src/types.ts'
import { isAborted } from './aborted.ts'

type AskStep = Extract<Step, { readonly type: 'ask' }>
type RerankStep = Extract<Step, { readonly type: 'rerank' }>

/** @param dataSource the name of what is searched, if it has one */
export const searchStarts = (
  { policy, k, query }: ObservedSearch,
  dataSource: string | undefined,
  text: boolean,
): Attributes => ({
  'gen_ai.operation.name': 'retrieval',
  'querent.policy': policy,
  ...(dataSource !== undefined && { 'gen_ai.data_source.id': dataSource }),
  ...(k !== undefined && { 'gen_ai.retrieval.top_k': k }),
  ...(text && { 'gen_ai.retrieval.query.text': query.text }),
})

export function searchEnds({ trace, error, aborted, outcome }: SearchReport, text: boolean): Attributes {
  return {
    ...(aborted === true && abandoned),
    ...(error !== undefined && aborted !== true && { 'error.type': codeOf(error) ?? error.name }),
    ...(outcome !== undefined && { 'querent.outcome': outcome.kind }),
    ...(outcome?.reason !== undefined && { 'querent.reason': plainReason(outcome.reason) }),
    ...(trace !== undefined && {
      'querent.decision': trace.kind,
      'querent.sub_queries': trace.subQueries.length,
      'querent.partial': trace.partial,
      'querent.hits': trace.outcome.hits.length,
      ...(trace.fallback !== undefined && { 'querent.fallback': trace.fallback.code }),
      ...(text && { 'gen_ai.retrieval.documents': documentsOf(trace.outcome.hits) }),
    }),
  }
}

/** How a step failed, if it did. */
function stepEnds(error: Failure | undefined): Attributes {
  if (error === undefined) return {}
  return isAborted(error) ? abandoned : { 'error.type': error.code }
}

/** The conventions have `error.type` for failures alone. */
const abandoned: Attributes = { 'querent.aborted': true }

export const promptAttributes = (step: AskStep, provider: string): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': provider,
  'gen_ai.request.model': step.model,
  'gen_ai.prompt.name': step.prompt,
  'gen_ai.usage.input_tokens': step.tokens.prompt,
  'gen_ai.usage.output_tokens': step.tokens.completion,
  'querent.attempts': step.attempts,
  ...(step.cache !== undefined && { 'querent.cache': step.cache }),
  ...stepEnds(step.error),
})

export const rerankAttributes = ({ pool, error }: RerankStep): Attributes => ({
  'querent.pool': pool,
  ...stepEnds(error),
})

/**
 * One request to a retriever: its legs of one round.
 *
 * @param system the database behind it. `undefined` for a retriever in the process
 */
export function requestAttributes(
  legs: readonly LegTrace[],
  round: number,
  system: string | undefined,
): Attributes {
  const failed = legs.find(({ status }) => status === 'failed' || status === 'late')
  const searches = new Set(legs.map(({ subQuery }) => subQuery.text)).size
  return {
    'querent.retriever': legs[0]!.retriever,
    'querent.round': round,
    'querent.sub_queries': searches,
    ...(system !== undefined && {
      'db.system.name': system,
      'db.operation.name': searches > 1 ? 'msearch' : 'search',
      ...(searches > 1 && { 'db.operation.batch.size': searches }),
    }),
    ...(failed !== undefined && { 'error.type': failed.error?.code ?? failed.status }),
  }
}

const documentsOf = (hits: readonly { readonly docid: string; readonly score: number }[]): string =>
  JSON.stringify(hits.map(({ docid, score }) => ({ id: docid, score })))
