/** `querent/policies`: all policies. */
export { type AcqoOptions, acqo } from './acqo/acqo.ts'
export type { Template, TemplateInput } from './acqo/prompt.ts'
export { type NamedPolicy, type PolicySettings, policyByName, policyNames } from './by-name.ts'
export { type LocalPolicy, type LocalPolicyOptions, localPolicy } from './local/local-policy.ts'
export { type MmoaOptions, mmoa } from './mmoa-rag/mmoa.ts'
export { none } from './none.ts'
