/** Policies by name: the table for the command line, the proxy and the wrapped clients. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { having, parseConfig } from '../src/config.ts'
import { QuerentError } from '../src/errors.ts'
import type { Policy } from '../src/policy.ts'
import type { Retriever, RetrieverKind } from '../src/types.ts'
import type { AcqoOptions } from './acqo/acqo.ts'
import type { AgenticOptions } from './agentic/agentic.ts'
import type { C3poOptions } from './c-3po/c-3po.ts'
import type { Effort } from './local/decision/effort.ts'
import type { LocalPolicy, LocalPolicyOptions } from './local/local-policy.ts'
import type { PolicyFile } from './local/policy-file/policy-file.ts'
import { legsOf, shippedFor } from './local/shipped.ts'
import { none } from './none.ts'

/** Options of policies. An absent option has the policy's default. */
export interface PolicySettings {
  readonly maxSubQueries?: number | undefined
  readonly maxSecondStage?: number | undefined
  readonly effort?: Effort | undefined
  readonly withOriginal?: boolean | undefined
  /** The text of ACQO's prompt; see `AcqoOptions`. */
  readonly template?: string | undefined
  readonly workers?: number | undefined
  readonly longAnswer?: boolean | undefined
  readonly maxRounds?: number | undefined
  readonly force?: C3poOptions['force']
  readonly askWhen?: AgenticOptions['askWhen']
  readonly maxSteps?: number | undefined
  readonly workflow?: string | undefined
  /** The file of a store of triples. */
  readonly triples?: string | undefined
  /** Milliseconds for a whole search. */
  readonly timeout?: number | undefined
  /** Milliseconds for each prompt. Policies that ask several times get more for the whole search, too. */
  readonly chatTimeout?: number | undefined
}

/**
 * What else searches with a policy; see `LocalPolicyOptions`.
 *
 * @inline
 */
type MadeWith = Pick<LocalPolicyOptions, 'decider' | 'rerank'>

/**
 * Makes the policy and, if it was trained to re-rank, its re-ranker.
 *
 * @inline
 */
type Make = (retrievers: readonly Retriever[], others?: MadeWith) => LocalPolicy | Promise<LocalPolicy>

export interface NamedPolicy {
  /** The requested name or path. */
  readonly name: string
  /** Whether the policy calls a chat model; undefined if it does not declare its prompts. */
  readonly asks: boolean | undefined
  /**
   * Whether the policy has its own re-ranker; `each search`: it orders what each of its searches finds, with the `rerank` that it is made
   * with, and its hits stay as they are.
   */
  readonly reranks: boolean | 'each search'
  /** Whether the policy may answer questions. A module with prompts may. */
  readonly answers: boolean
  readonly make: Make
  /** Returns a warning if the policy does not fit these retrievers. */
  readonly caution?: ((retrievers: readonly Retriever[]) => string | undefined) | undefined
}

/** A policy is only loaded if it is chosen. */
const policies = {
  local: {
    asks: false,
    reranks: true,
    create: (settings) => localBy(settings),
  },
  none: { asks: false, reranks: false, create: () => () => ({ policy: none() }) },
  agentic: {
    asks: true,
    reranks: 'each search',
    create: (settings) => async (retrievers, others) => {
      const { agentic } = await import('./agentic/agentic.ts')
      const { longAnswer, maxRounds = 2, askWhen, ...local } = settings
      const { timeout, askTimeout } = answeringOptions(settings, { usual: 60_000, asks: maxRounds })
      const answer = longAnswer === undefined ? 'auto' : longAnswer ? 'long' : 'short'
      const searching = await localBy(local)(retrievers, others)
      return { policy: agentic({ ...searching, maxRounds, answer, askWhen, timeout, askTimeout }) }
    },
  },
  acqo: {
    asks: true,
    reranks: false,
    create: (settings) => () => rewriting(settings),
  },
  'acqo-single': {
    asks: true,
    reranks: false,
    create:
      ({ maxSubQueries: _, ...settings }) =>
      () =>
        rewriting(settings, { decompose: false }),
  },
  mmoa: {
    asks: true,
    reranks: false,
    create: (settings) => async () => {
      const { mmoa } = await import('./mmoa-rag/mmoa.ts')
      return { policy: mmoa(answeringOptions(settings, { usual: 20_000, asks: 3 })) }
    },
  },
  c3po: {
    asks: true,
    reranks: false,
    create: (settings) => async () => {
      const { c3po } = await import('./c-3po/c-3po.ts')
      const { maxRounds, force } = settings
      const asks = 4 + 2 * (maxRounds ?? 4)
      return {
        policy: c3po({ ...answeringOptions(settings, { usual: 60_000, asks }), maxRounds, force }),
      }
    },
  },
  mao: {
    asks: true,
    reranks: false,
    create: (settings) => async () => {
      const { mao } = await import('./mao-arag/mao.ts')
      const { workflow } = settings
      return { policy: mao({ ...answeringOptions(settings, { usual: 60_000, asks: 23 }), workflow }) }
    },
  },
  sparkle: {
    asks: true,
    reranks: false,
    create: (settings) => async () => {
      const { sparkle } = await import('./sparkle/sparkle.ts')
      const { readTriples } = await import('./sparkle/read-triples.ts')
      const { maxRounds, maxSteps, triples: file } = settings
      const asks = 2 + 3 * (maxSteps ?? 8) + (maxRounds ?? 5)
      const triples = file === undefined ? undefined : await readTriples(file)
      const times = answeringOptions(settings, { usual: 90_000, asks })
      return { policy: sparkle({ ...times, maxRounds, maxSteps, triples }) }
    },
  },
} as const satisfies Record<
  string,
  {
    asks: boolean
    reranks: NamedPolicy['reranks']
    create: (settings: PolicySettings) => Make
  }
>

const localBy =
  ({ maxSecondStage, effort, workers }: PolicySettings): Make =>
  async (retrievers, others) => {
    const { localPolicy } = await import('./local/local-policy.ts')
    return localPolicy({ retrievers, maxSecondStage, effort, workers, ...others })
  }

/** ACQO, with one round or two. */
async function rewriting(settings: PolicySettings, options: AcqoOptions = {}): Promise<LocalPolicy> {
  const { acqo } = await import('./acqo/acqo.ts')
  const { maxSubQueries, withOriginal, template, maxRounds = 1 } = settings
  const rounds = maxRounds as 1 | 2
  const { timeout } = answeringOptions(settings, { usual: 10_000, asks: rounds })
  return { policy: acqo({ maxSubQueries, withOriginal, template, rounds, timeout, ...options }) }
}

/**
 * Prompts that may take longer than usual need a longer search.
 *
 * @param usual milliseconds that the policy's search may take by itself
 * @param asks the maximum number of prompts of a search
 */
const answeringOptions = (
  { longAnswer, timeout, chatTimeout }: PolicySettings,
  { usual, asks }: { readonly usual: number; readonly asks: number },
): Pick<C3poOptions, 'longAnswer' | 'askTimeout' | 'timeout'> => ({
  longAnswer,
  askTimeout: chatTimeout,
  timeout: timeout ?? (chatTimeout === undefined ? undefined : Math.max(usual, asks * chatTimeout + 2000)),
})

/** Policies of the table that answer questions. */
const answering: ReadonlySet<string> = new Set(['agentic', 'mmoa', 'c3po', 'mao', 'sparkle'])

export const policyNames: readonly string[] = Object.keys(policies)

/** The policy with that name in the table. */
export function namedPolicy(name: string, settings: PolicySettings = {}): NamedPolicy | undefined {
  if (!Object.hasOwn(policies, name)) return undefined
  const { asks, reranks, create } = policies[name as keyof typeof policies]
  return { name, asks, reranks, answers: answering.has(name), make: create(settings) }
}

/**
 * The policy with that name, from a file that `querent train` wrote (`.json`), or from a module whose default export is a policy.
 *
 * @throws QuerentError `bad-config` for an unknown name or a module without a policy; `missing-file`, `bad-policy` for a file
 */
export async function policyByName(name: string, settings: PolicySettings = {}): Promise<NamedPolicy> {
  if (isModule(name)) return moduleNamed(name)
  if (isPolicyFile(name)) {
    const { readPolicy } = await import('./local/policy-file/policy-store.ts')
    return trained(name, await readPolicy(name), settings)
  }
  const found = namedPolicy(name, settings)
  if (found !== undefined) return found
  throw unknownPolicy(name, 'modules (.mjs, .js) whose default export is a policy')
}

/**
 * The error for a name that is neither in the table nor that of a file.
 *
 * @param others what else a policy may be in this place
 */
export const unknownPolicy = (name: string, others: string): QuerentError =>
  new QuerentError('bad-config', `There is no policy ${JSON.stringify(name)}`, {
    remedy: `The policies are ${policyNames.join(', ')}, files that \`querent train\` writes (a name with / or .json), and ${others}.`,
  })

/** Whether the text is the path of a module. */
export const isModule = (name: string): boolean => /\.[mc]?[jt]s$/.test(name)

/** Whether the text is the path of a policy rather than a name. */
export const isPolicyFile = (name: string): boolean => /[/\\]|\.json$/.test(name) || isModule(name)

async function moduleNamed(name: string): Promise<NamedPolicy> {
  let module: { readonly default?: unknown }
  try {
    module = await import(pathToFileURL(resolve(name)).href)
  } catch (cause) {
    throw new QuerentError('missing-file', `The policy ${name} cannot be loaded`, { cause })
  }
  const policy = parseConfig(having<Policy>('a policy', 'run'), module.default, `${name}: its default export`)
  const asks = policy.prompts === undefined ? undefined : policy.prompts.length > 0
  return { name, asks, reranks: false, answers: asks !== false, make: () => ({ policy }) }
}

function trained(name: string, file: PolicyFile, settings: PolicySettings): NamedPolicy {
  const { maxSecondStage, effort, workers } = settings
  return {
    name,
    asks: false,
    reranks: file.rerank !== undefined,
    answers: false,
    async make(_, others) {
      const { makeLocalPolicy } = await import('./local/local-policy.ts')
      return makeLocalPolicy(file, { maxSecondStage, effort, workers, ...others })
    },
    caution(retrievers) {
      const names = [...new Set(file.trainedOn.flatMap((origin) => origin.retrievers))]
      const trainedFor = names.map((retriever) => ({ name: retriever, kind: kindOfOwn(retriever) }))
      if (names.length === 0 || shippedFor(trainedFor) === shippedFor(retrievers)) return undefined
      const searched = legsOf(retrievers).map((leg) => leg.name)
      return `${name} was trained for ${names.join(' and ')} and searches ${searched.join(' and ')}: it may decide worse than one that was trained for that.`
    },
  }
}

/** The kind of a list, from its name in a policy file. Indexes made by Querent have no dense lists with other names. */
const kindOfOwn = (name: string): RetrieverKind => (/^dense$|-vector$/.test(name) ? 'dense' : 'lexical')
