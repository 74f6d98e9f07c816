/**
 * `querent/policies`: all policies.
 *
 * @module querent/policies
 */

export { type AcqoOptions, acqo } from './acqo/acqo.ts'
export type { Template, TemplateInput } from './acqo/prompt.ts'
export { type AgenticOptions, agentic } from './agentic/agentic.ts'
export { type NamedPolicy, type PolicySettings, policyByName, policyNames } from './by-name.ts'
export { type C3poOptions, type C3poRules, c3po } from './c-3po/c-3po.ts'
export type { Decision, Route } from './c-3po/parse.ts'
export type { DecideInput, FilterInput } from './c-3po/prompts.ts'
export { type FilterOptions, withFilters } from './filters/with-filters.ts'
export { type LocalPolicy, type LocalPolicyOptions, localPolicy } from './local/local-policy.ts'
export {
  type MaoOptions,
  type MaoRules,
  mao,
} from './mao-arag/mao.ts'
export type { Executor } from './mao-arag/parse.ts'
export type { PlanInput, Solved, SolvedInput } from './mao-arag/prompts.ts'
export { type MmoaOptions, type MmoaRules, mmoa } from './mmoa-rag/mmoa.ts'
export { none } from './none.ts'
export type { AnsweringOptions, Rule } from './reading/options.ts'
export type { Asked, AskedWithDocuments, QuestionInput } from './reading/question.ts'
export type { Formulated } from './sparkle/parse.ts'
export type { FormulateInput, IntegrateInput, ThinkInput, Thinking } from './sparkle/prompts.ts'
export { readTriples } from './sparkle/read-triples.ts'
export {
  documentsAsTriples,
  type SparkleOptions,
  type SparkleRules,
  sentencesAsTriples,
  sparkle,
  type Triple,
  type TripleStore,
} from './sparkle/sparkle.ts'
export { withFallback } from './with-fallback.ts'
