/**
 * Every public name of the package's main entry. Adapters have entries of their own: what they need is loaded only then.
 *
 * @module querent
 */

// Fusion: all methods are in `querent/fusion`
export { rankScore } from '../fusion/rank-score.ts'
export { rrf } from '../fusion/rrf.ts'
export type { AcqoOptions } from '../policies/acqo/acqo.ts'
export { acqo } from '../policies/acqo/acqo.ts'
export type { Template, TemplateInput } from '../policies/acqo/prompt.ts'
export type { C3poOptions } from '../policies/c-3po/c-3po.ts'
export { c3po } from '../policies/c-3po/c-3po.ts'
export type {
  FilterField,
  FilterFields,
  FilterOperator,
  FlagField,
  KeywordField,
  NumberField,
  TimeField,
} from '../policies/filters/fields.ts'
export { type FilterOptions, withFilters } from '../policies/filters/with-filters.ts'
export type { Considered } from '../policies/local/decision/considered.ts'
// Policies, and what one's own is made of; `localPolicy` itself reads files and is in `querent/policies/local`,
// `agentic` loads it and is in `querent/policies/agentic`, and `sparkle` needs a package that finds the stems of words and is in
// `querent/policies/sparkle`
export type { LocalPolicy, LocalPolicyOptions } from '../policies/local/local-policy.ts'
export type { AnsweringOptions, MaoOptions } from '../policies/mao-arag/mao.ts'
export { mao } from '../policies/mao-arag/mao.ts'
export type { MmoaOptions } from '../policies/mmoa-rag/mmoa.ts'
export { mmoa } from '../policies/mmoa-rag/mmoa.ts'
export { none } from '../policies/none.ts'
export type { Budget, FullBudget } from './budget.ts'
export type { ErrorCode } from './errors.ts'
export { isQuerentError, QuerentError } from './errors.ts'
export type { Explanation } from './explain.ts'
export { explain } from './explain.ts'
export type { RecencyOptions, RelaxOptions } from './last-steps.ts'
export {
  type Callbacks,
  type FindDocumentsOf,
  type InterleavedHits,
  type ObservedLeg,
  type ObservedSearch,
  type Observer,
  observeAll,
  type SearchOutcome,
  type SearchReport,
} from './observe.ts'
export type { Optimizer, OptimizerOptions } from './optimizer.ts'
// The optimizer
export { createOptimizer } from './optimizer.ts'
export type {
  FirstDocids,
  FuseRequest,
  NarrowedText,
  Policy,
  RerankRequest,
  RetrieveRequest,
  SearchText,
  Tools,
} from './policy.ts'
export type { Prompt, PromptSettings } from './prompt.ts'
// What an adapter of one's own is made with
export { rankHits, type Scored } from './rank.ts'
export type { DocumentOf, Reranker, RerankReason, RerankTools } from './reranker.ts'
// The core types
export type { Clock } from './runtime/clock.ts'
export type { SearchOptions } from './search.ts'
// Traces and errors
export { parseTrace } from './trace-schema.ts'
export type {
  BudgetPart,
  CacheOutcome,
  ChatModel,
  CompleteOptions,
  Completion,
  Condition,
  Contribution,
  DecisionKind,
  Document,
  Embedder,
  EmbedOptions,
  FailedPrompt,
  Failure,
  FieldValue,
  FieldValues,
  FindDocuments,
  FindValues,
  FuseOptions,
  Fusion,
  GivenQuery,
  GivenTurn,
  Hit,
  Leg,
  LegTrace,
  Message,
  NothingFound,
  Outcome,
  Qrels,
  Query,
  RankedList,
  ReadFilter,
  Relaxation,
  RetrieveOptions,
  Retriever,
  RetrieverKind,
  Run,
  SearchResult,
  SparseEncoder,
  Step,
  SubQuery,
  Term,
  Times,
  Tokens,
  Trace,
  Turn,
  ValuesWanted,
  WordWeights,
} from './types.ts'
export { type PartOfHits, type RerankedOutcome, withRerank } from './with-rerank.ts'
