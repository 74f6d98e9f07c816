/** Makes a search from settings, for search, explain, evaluate, compare and serve. */
import { faissPackage } from '../../../adapters/search/faiss-library.ts'
import { rankScore } from '../../../fusion/rank-score.ts'
import { type NamedPolicy, type PolicySettings, policyByName } from '../../../policies/by-name.ts'
import { fallingBackTo } from '../../../policies/fallback.ts'
import type { FilterFields } from '../../../policies/filters/fields.ts'
import { filteredBy } from '../../../policies/filters/filtered-by.ts'
import type { LocalPolicy } from '../../../policies/local/local-policy.ts'
import type { Budget } from '../../budget.ts'
import { QuerentError } from '../../errors.ts'
import { type OpenedIndex, openIndex } from '../../index-folder/open.ts'
import { createOptimizer, type Optimizer } from '../../optimizer.ts'
import type { Reranker } from '../../reranker.ts'
import type { OptionalPackage } from '../../runtime/optional-package.ts'
import type { ChatModel, Fusion, Retriever } from '../../types.ts'
import { showProgress } from '../output/progress.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { defaultFusion, defaultPolicy } from '../settings/setting-names.ts'
import { type Variant, variantOf } from '../settings/variants.ts'
import { budgetFor } from './budget-of-settings.ts'
import { chatModelOf } from './chat-model.ts'
import { joinedIndex } from './merge-indexes.ts'
import { prepareReranking, type RerankSettings } from './reranking.ts'
import { type BackendSettings, searchedBy } from './select-backends.ts'
import { readFilterFields, readTemplate } from './setting-files.ts'
import { sayWithoutEffect } from './without-effect.ts'

/** The index of a command, and the model of its vectors. */
interface IndexChoice extends BackendSettings {
  readonly index?: string | undefined
  readonly model?: string | undefined
}

/** The settings that all variants of a comparison share. */
type VariantSettings = PartSettings &
  Pick<
    SettingsOf<'search'>,
    'answer' | 'fallback' | 'prices' | 'minConfidence' | 'norm' | 'k' | 'depth' | 'legTimeout'
  >

/** The settings of what decides and orders. */
type PartSettings = RerankSettings &
  PolicySettings &
  Pick<SettingsOf<'search'>, 'budget' | 'filterFields' | 'timeout'>

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
  /** Whether searches may answer questions. */
  readonly answers: boolean
  /** Closes the index and everything opened with it. */
  close(): Promise<void>
}

/**
 * Checks the settings before anything is read. The result opens the index and makes the optimizer.
 *
 * @param isWhole whether all clusters must answer now, for figures that are to be compared
 */
export async function prepareSearch(
  settings: SettingsOf<'search'>,
  terminal: Terminal,
  isWhole = false,
): Promise<() => Promise<SearchSetup>> {
  const variant = variantOf(settings)
  const { answers, create, decider, givesConfidences } = await prepareVariant(variant, settings, terminal)
  sayWithoutEffect(settings, [{ decider, rerank: variant.rerank }], terminal)
  if (settings.minConfidence && !givesConfidences)
    throw new QuerentError('bad-config', '--set minConfidence needs re-ranking that gives confidences', {
      remedy: `Add --rerank ${defaultPolicy}, whose hits have one, or leave --set minConfidence out.`,
    })
  checkSearched(settings, variant.retrievers)
  return async () => {
    const index = await openSettingsIndex(settings, terminal, variant.retrievers, isWhole)
    try {
      return { ...(await create(index)), index, answers, close: () => index.close() }
    } catch (error) {
      await index.close()
      throw error
    }
  }
}

/**
 * Opens the index of these retrievers, or of all: a folder, clusters, or both as one.
 *
 * @param isWhole whether all clusters must answer now. If not, one of them is enough, or the folder.
 */
export async function openSettingsIndex(
  settings: IndexChoice,
  terminal: Terminal,
  retrievers?: readonly string[],
  isWhole = true,
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
    const needed = isWhole ? searched.engines.size : searched.folder ? 0 : 1
    opened.push(...(await openEngines(searched.engines, embedder, terminal, needed)))
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

/** All methods are only loaded if another than the default is wanted: most commands start without them. */
async function fusionNamed(name: string): Promise<Fusion> {
  if (name === defaultFusion) return rankScore()
  const { fusionByName } = await import('../../../fusion/index.ts')
  return fusionByName(name)
}

/** What decides and orders, checked, with all that it needs beside retrievers. */
interface SearchParts {
  readonly decider: NamedPolicy
  /** The model that it asks, if it asks one. */
  readonly chat: ChatModel | undefined
  /** What queries may filter by in their words. */
  readonly filters: FilterFields | undefined
  /** Whether its hits have a confidence. */
  readonly givesConfidences: boolean
  make(retrievers: readonly Retriever[]): Promise<LocalPolicy & { readonly budget: Budget }>
}

/** What the settings of every command that searches name: policy, re-ranking, model, filters and budget. The proxy opens no more. */
export async function openParts(
  variant: Variant,
  settings: PartSettings,
  terminal: Terminal,
): Promise<SearchParts> {
  const template = await readTemplate(settings.template)
  const decider = await policyByName(variant.policy, { ...settings, template })
  // A policy that does not declare its prompts gets the model of the settings, if any.
  const asks = decider.asks ?? (settings.chatModel !== undefined || settings.chatUrl !== undefined)
  const filters = await readFilterFields(settings.filterFields)
  const reranking = await prepareReranking(variant.rerank, settings, terminal)
  const chat = asks ? await chatModelOf(`The policy ${variant.policy}`, settings, terminal) : undefined
  return {
    decider,
    chat,
    filters,
    givesConfidences: reranking.givesConfidences(decider),
    async make(retrievers) {
      // The proxy only learns from searches what is searched.
      const cautions =
        retrievers.length === 0
          ? []
          : [decider, reranking.other].flatMap((one) => one?.caution?.(retrievers) ?? [])
      for (const line of new Set(cautions)) say(terminal, line)
      const made = await reranking.applyTo(await decider.make(retrievers), asks, retrievers)
      return { ...made, budget: budgetFor(settings, made.policy.budget) }
    },
  }
}

/** A checked variant. */
export interface PreparedVariant extends Pick<SearchParts, 'decider' | 'givesConfidences'> {
  /** Whether it asks a chat model. */
  readonly asks: boolean
  /** Whether it may answer questions, and the settings want answers. */
  readonly answers: boolean
  create(index: OpenedIndex): Promise<VariantSetup>
}

/** Checks a variant and all it needs, including policy files. The result makes the optimizer for an opened index. */
export async function prepareVariant(
  variant: Variant,
  settings: VariantSettings,
  terminal: Terminal,
): Promise<PreparedVariant> {
  const fusion = await fusionNamed(variant.fusion)
  // Fusing no lists checks the options.
  if (settings.norm !== undefined) fusion.fuse([], { norm: settings.norm })
  const { decider, chat, filters, givesConfidences, make } = await openParts(variant, settings, terminal)

  async function create(index: OpenedIndex): Promise<VariantSetup> {
    const retrievers = index.retrievers.filter(({ name }) => variant.retrievers?.includes(name) ?? true)
    const { policy: plain, rerank: reranker, budget } = await make(retrievers)
    const safe = await fallingBackTo(settings.fallback, plain, { retrievers, workers: settings.workers })
    const { minConfidence, norm, k, depth, legTimeout, prices } = settings
    const optimizer = createOptimizer({
      ...{
        retrievers,
        fusion,
        chat,
        rerank: reranker,
        budget,
        minConfidence,
        norm,
        k,
        depth,
        legTimeout,
        prices,
      },
      policy: await filteredBy(filters, safe),
      documents: (docids) => index.documents.get(docids),
    })
    return { optimizer, fusion, reranker }
  }
  const answers = decider.answers && settings.answer !== false
  return { asks: chat !== undefined, answers, decider, givesConfidences, create }
}
