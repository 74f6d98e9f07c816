/** What a policy or re-ranking needs and was not given. It is said where they are put together, and not by each search. */
import { QuerentError } from './errors.ts'
import type { ChatModel, Retriever } from './types.ts'

/** No chat model was given for a prompt. */
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

/** Hits have no documents, and nothing finds them. */
export const noTexts = (retrievers: readonly Pick<Retriever, 'name'>[]): QuerentError =>
  new QuerentError(
    'bad-config',
    `The policy or the re-ranking reads documents, and the hits of ${retrievers.map(({ name }) => name).join(', ')} come without`,
    {
      remedy:
        'Pass `documents` to createOptimizer: async (docids) => their documents. A retriever whose hits have them says `bringsDocuments: true`.',
    },
  )

/**
 * Whether those who read documents get them; undefined where only a search can show it.
 *
 * @throws QuerentError `bad-config` where they do not
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
