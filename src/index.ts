/** Every public name of the package's main entry. Adapters have entries of their own: what they need is loaded only then. */

// Fusion: all methods are in `querent/fusion`
export { rankScore } from '../fusion/rank-score.ts'
export { rrf } from '../fusion/rrf.ts'
export type { AcqoOptions } from '../policies/acqo/acqo.ts'
export { acqo } from '../policies/acqo/acqo.ts'
export type { Template, TemplateInput } from '../policies/acqo/prompt.ts'
// Policies, and what one's own is made of; `localPolicy` itself reads files and is in `querent/policies/local`
export type { LocalPolicy, LocalPolicyOptions } from '../policies/local/local-policy.ts'
export { none } from '../policies/none.ts'
export type { ErrorCode } from './errors.ts'
export { isQuerentError, QuerentError } from './errors.ts'
export type { Explanation } from './explain.ts'
export { explain } from './explain.ts'
export type { Optimizer, OptimizerOptions } from './optimizer.ts'
// The optimizer
export { createOptimizer } from './optimizer.ts'
export type { Prompt } from './prompt.ts'
// What an adapter of one's own is made with
export { rankHits } from './rank.ts'
export type { Reranker } from './reranker.ts'
// The core types
export type { Clock } from './runtime/clock.ts'
export type { SearchOptions, ToldLeg } from './search.ts'
export type { FindDocuments, Policy, Tools } from './tools.ts'

// Traces and errors
export { parseTrace } from './trace-schema.ts'
export type {
  ChatModel,
  CompleteOptions,
  Completion,
  Considered,
  Contribution,
  DecisionKind,
  Document,
  Embedder,
  EmbedOptions,
  Failure,
  FuseOptions,
  Fusion,
  GivenQuery,
  GivenTurn,
  Hit,
  Leg,
  LegTrace,
  Message,
  Outcome,
  Qrels,
  Query,
  RankedList,
  RetrieveOptions,
  Retriever,
  Run,
  SearchResult,
  Step,
  SubQuery,
  Term,
  Times,
  Tokens,
  Trace,
  Turn,
} from './types.ts'
