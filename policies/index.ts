/** `querent/policies`: all policies. */
export { type AcqoOptions, acqo } from './acqo/acqo.ts'
export type { Template, TemplateInput } from './acqo/prompt.ts'
export { type NamedPolicy, type PolicySettings, policyByName, policyNames } from './by-name.ts'
export { type LocalPolicy, type LocalPolicyOptions, localPolicy } from './local/local-policy.ts'
export { type MmoaOptions, type MmoaRules, mmoa } from './mmoa-rag/mmoa.ts'
export { none } from './none.ts'
export type { Asked, AskedWithDocuments } from './reading/question.ts'
export type { Rule } from './reading/rules.ts'
