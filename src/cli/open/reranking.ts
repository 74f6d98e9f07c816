/** What orders the fused hits: the policy's own re-ranking, that of another policy, a re-ranker from outside, or nothing. */
import { isPolicyFile, type NamedPolicy, namedPolicy, policyByName } from '../../../policies/by-name.ts'
import type { LocalPolicy } from '../../../policies/local/local-policy.ts'
import { QuerentError } from '../../errors.ts'
import type { Reranker } from '../../reranker.ts'
import type { Retriever } from '../../types.ts'
import { showProgress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { defaultPolicy, type OutsideName, outsideNames } from '../settings/setting-names.ts'
import type { Variant } from '../settings/variants.ts'
import { type ChatSettings, chatModelOf, nonEmpty } from './chat-model.ts'

type RerankSettings = ChatSettings &
  Pick<SettingsOf<'search'>, 'rerankUrl' | 'rerankModel' | 'rerankTimeout' | 'maxSecondStage'> &
  Pick<SettingsOf<'proxy'>, 'workers'>

interface Reranking {
  /** The policy whose re-ranking it is, if it is that of another one. */
  readonly other: NamedPolicy | undefined
  /** Whether the hits of this policy then have a confidence. Only a policy's own re-ranking gives them. */
  givesConfidences(decider: NamedPolicy): boolean
  /**
   * A policy with this re-ranking in place of its own.
   *
   * @param asks whether the policy asks a chat model
   */
  make(decider: NamedPolicy, asks: boolean, retrievers: readonly Retriever[]): Promise<LocalPolicy>
}

/** Checks what was named, and opens what is outside. @throws QuerentError `bad-config`, or as the re-ranker does */
export async function prepareReranking(
  rerank: Variant['rerank'],
  settings: RerankSettings,
  terminal: Terminal,
): Promise<Reranking> {
  const without = { other: undefined, givesConfidences: () => false }
  if (rerank === undefined)
    return {
      ...without,
      givesConfidences: ({ reranks }) => reranks !== false,
      make: async (decider, _, retrievers) => decider.make(retrievers),
    }
  if (rerank === false)
    return { ...without, make: async (decider, _, retrievers) => decider.make(retrievers, { rerank }) }
  if (isOutside(rerank)) {
    const reranker = await openOutside(rerank, settings, terminal)
    return {
      ...without,
      make: async (decider, _, retrievers) => rankedBy(reranker, decider, retrievers),
    }
  }
  if (!isPolicyFile(rerank) && namedPolicy(rerank) === undefined)
    throw new QuerentError('bad-config', `There is no re-ranker ${JSON.stringify(rerank)}`, {
      remedy: `The re-rankers are own (that of the policy), none, ${[defaultPolicy, ...outsideNames].join(', ')}, and files that \`querent train\` writes (a name with / or .json).`,
    })
  const other = await policyByName(rerank, settings)
  return {
    other,
    givesConfidences: () => other.reranks !== false,
    make: (decider, asks, retrievers) => rerankedBy(other, decider, asks, retrievers),
  }
}

/** A policy with a re-ranker, which orders its hits, or those of each of its searches. */
async function rankedBy(
  rerank: Reranker,
  { reranks, make }: NamedPolicy,
  retrievers: readonly Retriever[],
): Promise<LocalPolicy> {
  const made = await make(retrievers, { rerank })
  return reranks === 'each search' ? made : { ...made, rerank }
}

export const isOutside = (name: string): name is OutsideName => outsideNames.some((one) => one === name)

/**
 * A policy with the re-ranking of another one. A policy that asks a chat model has no second stage: the other one's looks up more
 * for it to re-rank from.
 *
 * @throws QuerentError `bad-config` if the other has no re-ranking
 */
async function rerankedBy(
  { name, make }: NamedPolicy,
  decider: NamedPolicy,
  asks: boolean,
  retrievers: readonly Retriever[],
): Promise<LocalPolicy> {
  const { policy } = asks && decider.reranks !== 'each search' ? await decider.make(retrievers) : {}
  const made = await make(retrievers, { decider: policy })
  if (made.rerank !== undefined)
    return policy === undefined ? rankedBy(made.rerank, decider, retrievers) : made
  throw new QuerentError('bad-config', `The policy ${name} has no re-ranking`, {
    remedy: `Name ${defaultPolicy}, ${outsideNames.join(', ')}, or the file of a policy that was trained with re-ranking. --no-rerank keeps the fused order.`,
  })
}

async function openOutside(
  name: OutsideName,
  settings: RerankSettings,
  terminal: Terminal,
): Promise<Reranker> {
  const { env, signal } = terminal
  const { rerankModel: model, rerankTimeout: timeout } = settings
  if (name === 'http') {
    const url = settings.rerankUrl ?? nonEmpty(env.QUERENT_RERANK_URL)
    if (url === undefined)
      throw new QuerentError('bad-config', 'No server is named for --rerank http', {
        remedy: 'Pass --set rerankUrl or set QUERENT_RERANK_URL.',
      })
    const { httpReranker } = await import('../../../adapters/rerank/http.ts')
    const apiKey = nonEmpty(env.QUERENT_RERANK_API_KEY)
    return httpReranker({ url, model: model ?? nonEmpty(env.QUERENT_RERANK_MODEL), apiKey, timeout })
  }
  if (name === 'onnx') {
    const { onnxReranker } = await import('../../../adapters/rerank/onnx.ts')
    const { downloadProgress } = await import('./embedding-model.ts')
    const progress = showProgress(terminal)
    const onProgress = downloadProgress(terminal, progress)
    return onnxReranker({ model, timeout, signal, onProgress }).finally(() => progress.stop())
  }
  const { llmReranker } = await import('../../../adapters/rerank/llm.ts')
  // That of --chat-url and --chat-model, unless it has a server or a name of its own.
  const { rerankUrl, chatUrl, chatModel, chatTimeout, chatRetries, breaker = false } = settings
  const asked = {
    ...{ chatUrl: rerankUrl ?? chatUrl, chatModel: model ?? chatModel },
    ...{ chatTimeout: timeout ?? chatTimeout, chatRetries, breaker },
  }
  const chat = await chatModelOf('--rerank llm', asked, terminal)
  return llmReranker({ chat, timeout: asked.chatTimeout })
}
