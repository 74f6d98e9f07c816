/** Makes a search from settings, for search, explain, evaluate, compare and serve. */
import { faissPackage } from '../../../adapters/search/faiss-library.ts'
import { fusionByName } from '../../../fusion/index.ts'
import { type NamedPolicy, type PolicySettings, policyByName } from '../../../policies/by-name.ts'
import type { LocalPolicy } from '../../../policies/local/local-policy.ts'
import { type Budget, defaultBudget } from '../../budget.ts'
import { QuerentError } from '../../errors.ts'
import { type OpenedIndex, openIndex } from '../../index-folder/open.ts'
import { createOptimizer, type Optimizer } from '../../optimizer.ts'
import type { Policy } from '../../policy.ts'
import type { Reranker } from '../../reranker.ts'
import type { OptionalPackage } from '../../runtime/optional-package.ts'
import type { ChatModel, Fusion, Retriever } from '../../types.ts'
import { showProgress } from '../output/progress.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { SearchSettings } from '../settings/search-settings.ts'
import { required } from '../settings/setting.ts'
import { defaultPolicy } from '../settings/setting-names.ts'
import { type Variant, variantOf } from '../settings/variants.ts'
import { joinedIndex } from './merge-indexes.ts'
import { type BackendSettings, searchedBy } from './select-backends.ts'

/** The index of a command, and the model of its vectors. */
interface IndexChoice extends BackendSettings {
  readonly index?: string | undefined
  readonly model?: string | undefined
}

type ChatSettings = Pick<SearchSettings, 'chatUrl' | 'chatModel' | 'chatRetries' | 'chatTimeout'>

/** The settings that all variants of a comparison share. */
type VariantSettings = ChatSettings &
  Pick<SearchSettings, 'norm' | 'k' | 'depth' | 'legTimeout' | 'timeout'> &
  PolicySettings

/** The parts of a variant. */
interface VariantSetup {
  readonly optimizer: Optimizer
  /** The method that the optimizer fuses with. */
  readonly fusion: Fusion
  /** Orders the fused hits, if set. */
  readonly reranker: Reranker | undefined
}

/** A search, ready to run. */
export interface SearchSetup extends VariantSetup {
  readonly index: OpenedIndex
  /** Closes the index and everything opened with it. */
  close(): Promise<void>
}

/**
 * Checks the settings before anything is read. The result opens the index and makes the optimizer.
 */
export async function prepareSearch(
  settings: SearchSettings,
  terminal: Terminal,
): Promise<() => Promise<SearchSetup>> {
  const variant = variantOf(settings)
  const { create } = await prepareVariant(variant, settings, terminal)
  checkSearched(settings, variant.retrievers)
  return async () => {
    const index = await openSettingsIndex(settings, terminal, variant.retrievers)
    try {
      return { ...(await create(index)), index, close: () => index.close() }
    } catch (error) {
      await index.close()
      throw error
    }
  }
}

/** Opens the index of these retrievers, or of all: a folder, clusters, or both as one. */
export async function openSettingsIndex(
  settings: IndexChoice,
  terminal: Terminal,
  retrievers?: readonly string[],
): Promise<OpenedIndex> {
  const searched = searchedBy(settings, retrievers)
  // Most searches need neither embedders nor clusters. Loading them on demand keeps start-up fast.
  const embedder = async (model: string, others: readonly OptionalPackage[] = []) => {
    const { openEmbedder } = await import('./embedding-model.ts')
    return openEmbedder(settings.model ?? model, terminal, showProgress(terminal), others)
  }
  const opened: OpenedIndex[] = []
  if (searched.engines.size > 0) {
    const { openEngines } = await import('./open-engine.ts')
    opened.push(...(await openEngines(searched.engines, embedder, terminal)))
  }
  try {
    if (searched.folder) {
      const options = searched.retrievers && { retrievers: searched.retrievers }
      const folder = required(settings, 'index')
      opened.unshift(
        await openIndex(folder, { ...options, embedder: ({ model }) => embedder(model, [faissPackage]) }),
      )
    }
    return joinedIndex(opened)
  } catch (error) {
    for (const index of opened) await index.close()
    throw error
  }
}

/** Checks, before anything is opened, that the settings name an index for these retrievers. @throws QuerentError `bad-config` */
export function checkSearched(settings: IndexChoice, retrievers?: readonly string[]): void {
  if (searchedBy(settings, retrievers).folder) required(settings, 'index')
}

/** A checked variant. */
export interface PreparedVariant {
  /** Whether it asks a chat model. */
  readonly asks: boolean
  create(index: OpenedIndex): Promise<VariantSetup>
}

/** Checks a variant and all it needs, including policy files. The result makes the optimizer for an opened index. */
export async function prepareVariant(
  variant: Variant,
  settings: VariantSettings,
  terminal: Terminal,
): Promise<PreparedVariant> {
  const fusion = fusionByName(variant.fusion)
  // Fusing no lists checks the options.
  if (settings.norm !== undefined) fusion.fuse([], { norm: settings.norm })
  const decider = await policyByName(variant.policy, settings)
  const asks = needsChatModel(decider, settings)
  const { rerank } = variant
  const other = rerank ? await policyByName(rerank, settings) : undefined
  const chat = asks ? await chatModelOf(variant.policy, settings, terminal) : undefined

  async function create(index: OpenedIndex): Promise<VariantSetup> {
    const retrievers = index.retrievers.filter(({ name }) => variant.retrievers?.includes(name) ?? true)
    for (const line of new Set([decider, other].flatMap((one) => one?.caution?.(retrievers) ?? [])))
      say(terminal, line)
    const decided = await decider.make(retrievers)
    const { policy, rerank: reranker } =
      rerank === undefined ? decided : await reranked(decided.policy, asks, other, retrievers)
    const optimizer = createOptimizer({
      retrievers,
      policy,
      fusion,
      chat,
      rerank: reranker,
      documents: (docids) => index.documents.get(docids),
      norm: settings.norm,
      k: settings.k,
      depth: settings.depth,
      legTimeout: settings.legTimeout,
      budget: budgetFor(settings),
    })
    return { optimizer, fusion, reranker }
  }
  return { asks, create }
}

/** Whether the policy needs a chat model. A policy that does not declare its prompts gets the model of the settings, if any. */
export const needsChatModel = ({ asks }: NamedPolicy, { chatModel, chatUrl }: ChatSettings): boolean =>
  asks ?? (chatModel !== undefined || chatUrl !== undefined)

/** The budget of the settings. A longer timeout of the chat model lengthens that of the search. */
function budgetFor({ chatTimeout, timeout }: Pick<SearchSettings, 'chatTimeout' | 'timeout'>): Budget {
  const longer = chatTimeout === undefined ? undefined : Math.max(defaultBudget.timeout, chatTimeout + 2000)
  const whole = timeout ?? longer
  return {
    ...(chatTimeout !== undefined && { askTimeout: chatTimeout }),
    ...(whole !== undefined && { timeout: whole }),
  }
}

/**
 * A policy with the re-ranking of another one, or without re-ranking. A policy that asks a chat model has no second stage, so
 * the other policy searches for more documents to re-rank.
 *
 * @throws QuerentError `bad-config` if the other policy has no re-ranking
 */
export async function reranked(
  policy: Policy,
  asks: boolean,
  other: NamedPolicy | undefined,
  retrievers: readonly Retriever[],
): Promise<LocalPolicy> {
  if (other === undefined) return { policy }
  const { name, make } = other
  const made = await make(retrievers, asks ? policy : undefined)
  if (made.rerank !== undefined) return asks ? made : { ...made, policy }
  throw new QuerentError('bad-config', `The policy ${name} has no re-ranking`, {
    remedy: `Name ${defaultPolicy} or the file of a policy that was trained with re-ranking. --no-rerank keeps the fused order.`,
  })
}

/** The chat model of the settings. @throws QuerentError `bad-config` if none is named */
export async function chatModelOf(
  policy: string,
  settings: ChatSettings,
  { env }: Terminal,
): Promise<ChatModel> {
  const baseUrl = settings.chatUrl ?? nonEmpty(env.OPENAI_BASE_URL)
  const apiKey = nonEmpty(env.OPENAI_API_KEY)
  // A local server often has a single model, under any name.
  const model =
    settings.chatModel ?? nonEmpty(env.QUERENT_CHAT_MODEL) ?? (baseUrl === undefined ? undefined : 'default')
  if (model === undefined) {
    throw new QuerentError('bad-config', `The policy ${policy} needs a chat model, and none is named`, {
      remedy:
        'Pass --chat-url and --chat-model, or set OPENAI_BASE_URL (or OPENAI_API_KEY) and QUERENT_CHAT_MODEL.',
    })
  }
  const { openaiChat } = await import('../../../adapters/models/openai.ts')
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
