/** From settings to something that searches: what search, explain, evaluate and compare have in common. */

import { openaiChat } from '../../adapters/models/openai.ts'
import { fusionByName } from '../../fusion/index.ts'
import { QuerentError } from '../errors.ts'
import { type OpenedIndex, openIndex } from '../index-folder/open.ts'
import { createOptimizer, type Optimizer } from '../optimizer.ts'
import type { ChatModel, Fusion } from '../types.ts'
import { openEmbedder } from './embedding-model.ts'
import { policyByName } from './policies.ts'
import { showProgress } from './progress.ts'
import type { Settings } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** One way of searching an index: what `compare` compares. */
export interface Variant {
  /** A policy of `policies.ts`. */
  readonly policy: string
  /** A fusion method's name. */
  readonly fusion: string
  /** The retrievers that search; all that the index has opened where absent. */
  readonly retrievers?: readonly string[]
}

/** The variant that search, explain and evaluate use. */
function variantOf(settings: Settings): Variant {
  const retrievers = settings.retrievers && [...new Set(settings.retrievers.flat())]
  return {
    policy: settings.policy ?? 'none',
    fusion: settings.fusion ?? 'rank-score',
    ...(retrievers && { retrievers }),
  }
}

/** A search that is ready, made from settings. */
export interface SearchSetup {
  readonly optimizer: Optimizer
  /** The method that the optimizer fuses with. */
  readonly fusion: Fusion
  readonly index: OpenedIndex
  /** Closes the index and everything opened with it. */
  close(): Promise<void>
}

/**
 * Checks the settings, and gives the function that opens the index and makes the optimizer: what is wrong is said before
 * anything is read.
 */
export function prepareSearch(settings: Settings, terminal: Terminal): () => Promise<SearchSetup> {
  const variant = variantOf(settings)
  const create = prepareVariant(variant, settings, terminal)
  required(settings, 'index')
  return async () => {
    const index = await openSettingsIndex(settings, terminal, variant.retrievers)
    return { ...create(index), index, close: () => index.close() }
  }
}

/** Opens the index of the settings with these retrievers, or with all that it has. */
export async function openSettingsIndex(
  settings: Settings,
  terminal: Terminal,
  retrievers?: readonly string[],
): Promise<OpenedIndex> {
  return openIndex(required(settings, 'index'), {
    ...(retrievers && { retrievers }),
    embedder: ({ model }) => openEmbedder(settings.model ?? model, terminal, showProgress(terminal)),
  })
}

/** Checks a variant and everything it needs, and gives the function that makes its optimizer for an opened index. */
export function prepareVariant(
  variant: Variant,
  settings: Settings,
  terminal: Terminal,
): (index: OpenedIndex) => { readonly optimizer: Optimizer; readonly fusion: Fusion } {
  const fusion = fusionByName(variant.fusion)
  // Methods check their options before they look at lists.
  if (settings.norm !== undefined) fusion.fuse([], { norm: settings.norm })
  const { policy, asks } = policyByName(variant.policy, settings)
  const chat = asks ? chatModelOf(variant.policy, settings, terminal) : undefined
  const chatTimeout = settings.chatTimeout ?? 3000
  return ({ retrievers }) => ({
    fusion,
    optimizer: createOptimizer({
      retrievers: retrievers.filter(({ name }) => variant.retrievers?.includes(name) ?? true),
      policy,
      fusion,
      chat,
      chatTimeout,
      norm: settings.norm,
      k: settings.k,
      depth: settings.depth,
      legTimeout: settings.legTimeout,
      // Whoever lets the model take longer wants the search to wait for it.
      timeout: settings.timeout ?? Math.max(5000, chatTimeout + 2000),
    }),
  })
}

/** A setting that the command cannot do without. @throws QuerentError `bad-config` where it has not been set */
export function required<Name extends keyof Settings>(
  settings: Settings,
  name: Name,
): NonNullable<Settings[Name]> {
  const value = settings[name]
  if (value !== undefined) return value
  throw new QuerentError('bad-config', `--${name} is missing`, { remedy: 'Add it: --help shows examples.' })
}

function chatModelOf(policy: string, settings: Settings, { env }: Terminal): ChatModel {
  const baseUrl = settings.chatUrl ?? nonEmpty(env.OPENAI_BASE_URL)
  const apiKey = nonEmpty(env.OPENAI_API_KEY)
  // A server of one's own often has one model and takes any name for it.
  const model =
    settings.chatModel ?? nonEmpty(env.QUERENT_CHAT_MODEL) ?? (baseUrl === undefined ? undefined : 'default')
  if (model === undefined) {
    throw new QuerentError('bad-config', `The policy ${policy} asks a chat model, and none has been named`, {
      remedy:
        'Pass --chat-url and --chat-model, or set OPENAI_BASE_URL (or OPENAI_API_KEY) and QUERENT_CHAT_MODEL.',
    })
  }
  return openaiChat({
    model,
    timeout: settings.chatTimeout ?? 3000,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKey !== undefined && { apiKey }),
    ...(settings.chatRetries !== undefined && { retries: settings.chatRetries }),
  })
}

function nonEmpty(value: string | undefined): string | undefined {
  return value?.trim() === '' ? undefined : value
}
