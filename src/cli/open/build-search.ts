/** Makes searches from settings, for every command that searches. */
import { faissPackage } from '../../../adapters/search/faiss-library.ts'
import { rankScore } from '../../../fusion/rank-score.ts'
import { type NamedPolicy, policyByName } from '../../../policies/by-name.ts'
import { fallingBackTo } from '../../../policies/fallback.ts'
import type { FilterFields } from '../../../policies/filters/fields.ts'
import { filteredBy } from '../../../policies/filters/filtered-by.ts'
import type { LocalPolicy } from '../../../policies/local/local-policy.ts'
import { type Budget, defaultBudget } from '../../budget.ts'
import { QuerentError } from '../../errors.ts'
import { type OpenedIndex, openIndex } from '../../index-folder/open.ts'
import { createOptimizer, type Optimizer } from '../../optimizer.ts'
import type { Reranker } from '../../reranker.ts'
import type { OptionalPackage } from '../../runtime/optional-package.ts'
import type { ChatModel, Embedder, Fusion, Retriever } from '../../types.ts'
import { showProgress } from '../output/progress.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given, required } from '../settings/setting.ts'
import { defaultFusion, defaultPolicy } from '../settings/setting-names.ts'
import { type Variant, variantOf } from '../settings/variants.ts'
import { chatModelOf } from './chat-model.ts'
import { joinedIndex } from './merge-indexes.ts'
import { prepareReranking } from './reranking.ts'
import { type BackendSettings, searchedBy } from './select-backends.ts'
import { readFilterFields, readTemplate } from './setting-files.ts'

/** What all systems of a command share. */
export type SystemSettings = Omit<SettingsOf<'search'>, keyof Variant> & {
  readonly workers?: number | undefined
  readonly breaker?: boolean
}

/** The index of a command, and the model of its vectors. */
interface IndexChoice extends BackendSettings {
  readonly index?: string | undefined
  readonly model?: string | undefined
}

interface SystemSetup {
  readonly optimizer: Optimizer
  /** Orders the fused hits, if set. */
  readonly reranker: Reranker | undefined
}

/** What decides, orders and fuses, checked, with all that it needs beside retrievers. */
export interface System {
  /** The model that it asks, if it asks one. */
  readonly chat: ChatModel | undefined
  /** What queries may filter by in their words. */
  readonly filters: FilterFields | undefined
  readonly fusion: Fusion
  /** Whether it may answer questions, and the settings want answers. */
  readonly answers: boolean
  make(retrievers: readonly Retriever[]): Promise<LocalPolicy & { readonly budget: Budget }>
  over(index: OpenedIndex): Promise<SystemSetup>
}

/** A search, ready to run. */
export interface SearchSetup extends SystemSetup, Pick<System, 'answers' | 'fusion'> {
  readonly index: OpenedIndex
  /** Closes the index and everything opened with it. */
  close(): Promise<void>
}

/**
 * Checks the settings before anything is read. The result opens the index and makes the optimizer. One cluster of several is enough,
 * or the folder.
 */
export async function prepareSearch(
  settings: SettingsOf<'search'>,
  terminal: Terminal,
): Promise<() => Promise<SearchSetup>> {
  const variant = variantOf(settings)
  const { over, answers, fusion } = await prepareSystem(variant, settings, terminal)
  checkSearched(settings, variant.retrievers)
  return async () => {
    const index = await openSettingsIndex(settings, terminal, variant.retrievers, { isWhole: false })
    try {
      return { ...(await over(index)), index, answers, fusion, close: () => index.close() }
    } catch (error) {
      await index.close()
      throw error
    }
  }
}

interface OpenOptions {
  /** Whether all clusters must answer now, for figures that are to be compared. If not, one of them is enough, or the folder. Default: true. */
  readonly isWhole?: boolean
  /** Finds an embedding model. It is closed with the index. Default: opens that of the settings. */
  readonly embedder?: (model: string, others?: readonly OptionalPackage[]) => Promise<Embedder>
  /** Whether many queries are searched at a time. */
  readonly batched?: boolean
}

/** Opens the index of these retrievers, or of all: a folder, clusters, or both as one. */
export async function openSettingsIndex(
  settings: IndexChoice,
  terminal: Terminal,
  retrievers?: readonly string[],
  { isWhole = true, batched, embedder: find }: OpenOptions = {},
): Promise<OpenedIndex> {
  const searched = searchedBy(settings, retrievers)
  // Most searches need neither embedders nor clusters. Loading them on demand keeps start-up fast.
  const embedder: NonNullable<OpenOptions['embedder']> = async (model, others = []) => {
    if (find !== undefined) return find(model, others)
    const { openEmbedder } = await import('./embedding-model.ts')
    return openEmbedder(settings.model ?? model, terminal, showProgress(terminal), others)
  }
  const opened: OpenedIndex[] = []
  if (searched.engines.size > 0) {
    const { openEngines } = await import('./open-engine.ts')
    const needed = isWhole ? searched.engines.size : searched.folder ? 0 : 1
    opened.push(...(await openEngines(searched.engines, embedder, terminal, needed)))
  }
  try {
    if (searched.folder)
      opened.unshift(
        await openIndex(required(settings, 'index'), {
          ...given({ retrievers: searched.retrievers, batched }),
          embedder: ({ model }) => embedder(model, [faissPackage]),
        }),
      )
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

/** All methods are only loaded if another than the default is wanted: most commands start without them. */
async function fusionNamed(name: string): Promise<Fusion> {
  if (name === defaultFusion) return rankScore()
  const { fusionByName } = await import('../../../fusion/index.ts')
  return fusionByName(name)
}

/** Checks a system and all that it needs, including policy files. */
export async function prepareSystem(
  { policy, fusion: method, rerank, retrievers: names }: Variant,
  settings: SystemSettings,
  terminal: Terminal,
): Promise<System> {
  const { minConfidence, norm, k, depth, legTimeout, prices, workers, fallback, relax, recency } = settings
  const fusion = await fusionNamed(method)
  // Fusing no lists checks the options.
  if (norm !== undefined) fusion.fuse([], { norm })
  const template = await readTemplate(settings.template)
  const decider = await policyByName(policy, { ...settings, template })
  // A policy that does not declare its prompts gets the model of the settings, if any.
  const asks = decider.asks ?? (settings.chatModel !== undefined || settings.chatUrl !== undefined)
  const filters = await readFilterFields(settings.filterFields)
  const reranking = await prepareReranking(rerank, settings, terminal)
  const chat = asks ? await chatModelOf(`The policy ${policy}`, settings, terminal) : undefined
  if (minConfidence && !reranking.givesConfidences(decider))
    throw new QuerentError('bad-config', '--set minConfidence needs re-ranking that gives confidences', {
      remedy: `Add --rerank ${defaultPolicy}, whose hits have one, or leave --set minConfidence out.`,
    })

  const make: System['make'] = async (retrievers) => {
    sayCautions([decider, reranking.other], retrievers, terminal)
    const made = await reranking.make(decider, asks, retrievers)
    return { ...made, budget: budgetFor(settings, made.policy.budget) }
  }
  return {
    ...{ chat, filters, fusion, make },
    answers: decider.answers && settings.answer !== false,
    async over(index) {
      const retrievers = index.retrievers.filter(({ name }) => names?.includes(name) ?? true)
      const { policy: plain, rerank: reranker, budget } = await make(retrievers)
      const safe = await fallingBackTo(fallback, plain, { retrievers, workers, rerank: reranker ?? false })
      const optimizer = createOptimizer({
        ...{ retrievers, fusion, chat, rerank: reranker, budget, minConfidence, norm, k, depth },
        ...{ legTimeout, prices, relax, recency },
        policy: await filteredBy(filters, safe),
        documents: (docids) => index.documents.get(docids),
      })
      return { optimizer, reranker }
    },
  }
}

/** Says which policies do not fit the retrievers. The proxy has none: it only learns from searches what is searched. */
function sayCautions(
  policies: readonly (NamedPolicy | undefined)[],
  retrievers: readonly Retriever[],
  terminal: Terminal,
): void {
  if (retrievers.length === 0) return
  for (const line of new Set(policies.flatMap((one) => one?.caution?.(retrievers) ?? []))) say(terminal, line)
}

/**
 * The budget of the settings. `--budget` lowers what a policy may spend and never raises it. A longer timeout of the chat model
 * or of re-ranking lengthens the search of a policy that does not declare how long it takes.
 */
function budgetFor(settings: SystemSettings, declared: Budget = {}): Budget {
  const { budget: { asks, rounds, ms, tokens, usd } = {}, chatTimeout, rerankTimeout, timeout } = settings
  const slow = (chatTimeout ?? 0) + (rerankTimeout ?? 0)
  const isOpen = slow > 0 && declared.timeout === undefined
  const longer = isOpen ? Math.max(defaultBudget.timeout, slow + 2000) : undefined
  const wanted = timeout ?? longer
  const usual = { ...defaultBudget, ...declared, ...given({ timeout: wanted }) }
  return given({
    asks: asks && Math.min(asks, usual.asks),
    rounds: rounds && Math.min(rounds, usual.rounds),
    tokens,
    usd,
    askTimeout: chatTimeout,
    timeout: ms === undefined ? wanted : Math.min(ms, usual.timeout),
  })
}
