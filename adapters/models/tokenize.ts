/** Converts texts to token ids, cut at the model's limit. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { unusable } from './reason.ts'

/** A tokenizer of the package. */
export interface Tokenizer {
  encode(
    text: string,
    options?: {
      readonly add_special_tokens?: boolean
      readonly text_pair?: string
      readonly return_token_type_ids?: boolean
    },
  ): { readonly ids: readonly number[]; readonly token_type_ids?: readonly number[] | undefined }
}

/** The parts of `@huggingface/tokenizers`, an optional package, that Querent uses. */
export interface TokenizersPackage {
  readonly Tokenizer: new (content: object, config: object) => Tokenizer
}

interface Frame {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/**
 * Reads the tokenizer in a model's folder. Every text gets special tokens around it, even a cut one. The model was trained
 * with them. Without them, its vectors would differ.
 *
 * @throws QuerentError `bad-file`
 */
export function readTokenizer(
  tokenizers: TokenizersPackage,
  folder: string,
  maxTokens: number,
): Promise<(text: string) => readonly number[]> {
  return openTokenizer(tokenizers, folder, (tokenizer) => {
    const { before, after } = frameOf(tokenizer)
    const room = maxTokens - before.length - after.length
    return (text) => {
      const { ids } = tokenizer.encode(text, { add_special_tokens: false })
      return [...before, ...ids.slice(0, room), ...after]
    }
  })
}

/**
 * Reads the tokenizer in a model's folder.
 *
 * @param use makes of it what is needed. It may throw if the tokenizer cannot be used for that
 * @throws QuerentError `bad-file`
 */
export async function openTokenizer<T>(
  { Tokenizer }: TokenizersPackage,
  folder: string,
  use: (tokenizer: Tokenizer) => T,
): Promise<T> {
  const path = join(folder, 'tokenizer.json')
  try {
    const [content, config] = await Promise.all(
      [path, join(folder, 'tokenizer_config.json')].map(async (file) =>
        JSON.parse(await readFile(file, 'utf8')),
      ),
    )
    return use(new Tokenizer(content, config))
  } catch (cause) {
    throw unusable(`${path} cannot be used`, cause)
  }
}

/**
 * The words of the vocabulary of a model's tokenizer, by their ids.
 *
 * @throws QuerentError `bad-file`
 */
export async function readVocabulary(folder: string): Promise<readonly string[]> {
  const path = join(folder, 'tokenizer.json')
  try {
    const { model } = vocabularyFile.parse(JSON.parse(await readFile(path, 'utf8')))
    const words: string[] = []
    for (const [word, id] of Object.entries(model.vocab)) words[id] = word
    return words
  } catch (cause) {
    const remedy = 'Choose a model whose tokenizer has a vocabulary of words, such as WordPiece.'
    throw unusable(`${path} cannot be used`, cause, remedy)
  }
}

const vocabularyFile = z.object({
  model: z.object({ vocab: z.record(z.string(), z.int().nonnegative()) }),
})

/** The special tokens that the tokenizer puts before and after a text, found by tokenizing a sample. */
function frameOf(tokenizer: Tokenizer): Frame {
  const bare = tokenizer.encode('a', { add_special_tokens: false }).ids
  const framed = tokenizer.encode('a').ids
  const start = framed.findIndex((_, at) => bare.every((id, offset) => framed[at + offset] === id))
  if (start < 0) throw new Error('its special tokens cannot be told from those of a text')
  return { before: framed.slice(0, start), after: framed.slice(start + bare.length) }
}
