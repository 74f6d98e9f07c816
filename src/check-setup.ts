/** Reports what a policy or re-ranking needs and does not have when an optimizer is made, and not with each search. */
import { QuerentError } from './errors.ts'
import type { ChatModel, Retriever } from './types.ts'

/** A prompt has no chat model. */
export const notServed = (prompt: string): QuerentError =>
  new QuerentError('bad-config', `No chat model serves the prompt "${prompt}"`, {
    remedy: 'Pass `chat` beside the policy, or --chat-url and --chat-model to the command.',
  })

/** @throws QuerentError `bad-config` where a prompt that the policy asks has no chat model */
export function checkPrompts(
  { prompts = [] }: { readonly prompts?: readonly string[] },
  modelFor: (prompt: string) => ChatModel | undefined,
): void {
  const missing = prompts.find((prompt) => modelFor(prompt) === undefined)
  if (missing !== undefined) throw notServed(missing)
}

/** Hits come without documents, and nothing can find them. */
export const noTexts = (retrievers: readonly Pick<Retriever, 'name'>[]): QuerentError =>
  new QuerentError(
    'bad-config',
    `The policy or the re-ranking reads documents, and the hits of ${retrievers.map(({ name }) => name).join(', ')} come without`,
    {
      remedy:
        'Pass `documents` to createOptimizer: async (docids) => their documents. A retriever whose hits have documents declares `bringsDocuments: true`.',
    },
  )

/**
 * Whether a policy and a re-ranker that read documents get them; undefined if only a search can show it.
 *
 * @throws QuerentError `bad-config` if they do not
 */
export function checkTexts(
  readers: readonly ({ readonly reads?: boolean } | undefined)[],
  retrievers: readonly Pick<Retriever, 'name' | 'bringsDocuments'>[],
  findDocuments: unknown,
): true | undefined {
  if (findDocuments !== undefined || readers.every((reader) => reader?.reads !== true)) return true
  if (retrievers.some(({ bringsDocuments }) => bringsDocuments === true)) return true
  if (retrievers.some(({ bringsDocuments }) => bringsDocuments === undefined)) return undefined
  throw noTexts(retrievers)
}
