/** Converts pairs of texts to token ids, cut at the model's limit: the input of a cross-encoder. */
import type { TokenRow } from './onnx-session.ts'
import { openTokenizer, type Tokenizer, type TokenizersPackage } from './tokenize.ts'

/** Tokenizes the first text once, for many second ones. */
export type TokenizePair = (first: string) => (second: string) => Required<TokenRow>

/**
 * Reads the tokenizer in a model's folder. A pair that is too long is cut as tokenizers do by default (`longest_first`): the
 * longer text gives way until both are equally long, and then both do.
 *
 * @throws QuerentError `bad-file`, also if the tokenizer does not separate the texts of a pair
 */
export function readPairTokenizer(
  tokenizers: TokenizersPackage,
  folder: string,
  maxTokens: number,
): Promise<TokenizePair> {
  return openTokenizer(tokenizers, folder, (tokenizer) => {
    const bare = (text: string): readonly number[] =>
      tokenizer.encode(text, { add_special_tokens: false }).ids
    const { before, between, after, firstType, secondType } = pairFrameOf(tokenizer)
    const room = maxTokens - before.ids.length - between.ids.length - after.ids.length
    return (first) => {
      const firstIds = bare(first)
      return (second) => {
        const secondIds = bare(second)
        const [ofFirst, ofSecond] = cutPair(firstIds.length, secondIds.length, room)
        const one = firstIds.slice(0, ofFirst)
        const other = secondIds.slice(0, ofSecond)
        return {
          ids: [...before.ids, ...one, ...between.ids, ...other, ...after.ids],
          types: [
            ...before.types,
            ...one.map(() => firstType),
            ...between.types,
            ...other.map(() => secondType),
            ...after.types,
          ],
        }
      }
    }
  })
}

/** How many tokens of two texts stay, at most `room` together. */
export function cutPair(first: number, second: number, room: number): readonly [number, number] {
  if (first + second <= room) return [first, second]
  if (first > second) return cutPair(second, first, room).toReversed() as [number, number]
  const half = Math.floor(room / 2)
  return first <= half ? [first, room - first] : [half, room - half]
}

interface PairFrame {
  readonly before: Required<TokenRow>
  readonly between: Required<TokenRow>
  readonly after: Required<TokenRow>
  readonly firstType: number
  readonly secondType: number
}

/** The special tokens that the tokenizer puts around and between the texts of a pair, found by tokenizing a sample. */
function pairFrameOf(tokenizer: Tokenizer): PairFrame {
  const sample = 'a'
  const bare = tokenizer.encode(sample, { add_special_tokens: false }).ids
  const { ids, token_type_ids: types = ids.map(() => 0) } = tokenizer.encode(sample, {
    text_pair: sample,
    return_token_type_ids: true,
  })
  const find = (from: number): number =>
    ids.findIndex((_, at) => at >= from && bare.every((id, offset) => ids[at + offset] === id))
  const first = find(0)
  const second = first < 0 ? -1 : find(first + bare.length)
  if (second <= first + bare.length) throw new Error('it does not separate the texts of a pair')
  const part = (from: number, to?: number): Required<TokenRow> => ({
    ids: ids.slice(from, to),
    types: types.slice(from, to),
  })
  return {
    before: part(0, first),
    between: part(first + bare.length, second),
    after: part(second + bare.length),
    firstType: types[first]!,
    secondType: types[second]!,
  }
}
