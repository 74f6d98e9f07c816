/** An index of generated texts: as many as are wanted, as long as is wanted, the same each time. */
import { randomBytes } from 'node:crypto'
import { createRandom, type Random } from '../../src/learn/random.ts'
import { send } from '../support/search-world.ts'

export interface GeneratedIndex {
  readonly name: string
  delete(): Promise<void>
}

/** Some 20,000 words, the n-th most frequent in proportion to 1/n. */
export const wordOf = (random: Random): string =>
  [...Math.floor(20_000 ** random.float()).toString(20)]
    .map((digit) => syllables[Number.parseInt(digit, 20)])
    .join('')
const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')

export const wordsOf = (random: Random, count: number): string =>
  Array.from({ length: count }, () => wordOf(random)).join(' ')

/** Sentences of a dozen words. */
function textOf(random: Random, length: number): string {
  const sentences: string[] = []
  for (let written = 0; written < length; ) {
    const sentence = `${wordsOf(random, 12)}.`
    written += sentence.length + 1
    sentences.push(sentence[0]!.toUpperCase() + sentence.slice(1))
  }
  return sentences.join(' ')
}

/** @param begin what the text of each document begins with */
export async function createGeneratedIndex(
  url: string,
  { count, length, begin = () => '' }: { count: number; length: number; begin?: (place: number) => string },
): Promise<GeneratedIndex> {
  const name = `qx-generated-${randomBytes(5).toString('hex')}`
  const random = createRandom(length)
  const text = { type: 'text', analyzer: 'english' }
  const mappings = {
    properties: { title: text, text, category: { type: 'keyword' }, year: { type: 'integer' } },
  }
  const settings = { number_of_shards: 1, number_of_replicas: 0 }
  await send(url, 'PUT', `/${name}`, JSON.stringify({ settings, mappings }))
  let lines: string[] = []
  for (let place = 0; place < count; place++) {
    lines.push(
      JSON.stringify({ index: { _id: String(place) } }),
      JSON.stringify({
        title: wordsOf(random, 4),
        text: begin(place) + textOf(random, length),
        category: 'abcdefgh'[place % 8],
        year: 1950 + (place % 70),
      }),
    )
    if (lines.length * length < 4_000_000 && place < count - 1) continue
    const answer = await send(url, 'POST', `/${name}/_bulk`, `${lines.join('\n')}\n`, 'application/x-ndjson')
    if (answer.errors === true) throw new Error(JSON.stringify(answer).slice(0, 2000))
    lines = []
  }
  await send(url, 'POST', `/${name}/_forcemerge?max_num_segments=1`)
  await send(url, 'POST', `/${name}/_refresh`)
  return { name, delete: async () => void (await send(url, 'DELETE', `/${name}`)) }
}
