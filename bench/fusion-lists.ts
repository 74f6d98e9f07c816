/** Generated lists to fuse, with a given overlap. */
import { createRandom, type Random } from '../src/learn/random.ts'
import type { RankedList } from '../src/types.ts'
import { wordsPerDocument, zipfianWords } from './generated.ts'

export interface Drawn {
  readonly lists: number
  readonly hits: number
  /** The part of each list that all lists have. */
  readonly overlap: number
  readonly docids: keyof typeof docidKinds
}

const docidKinds = {
  /** As MS MARCO numbers its passages. */
  numbers: (random: Random) => String(random.integer(8_841_823)),
  /** 36 characters. */
  uuids: ({ uint32 }: Random) =>
    [uint32(), uint32(), uint32(), uint32()]
      .map((bits) => bits.toString(16).padStart(8, '0'))
      .join('')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
} as const satisfies Record<string, (random: Random) => string>

/** The lists of one query. Documents have their text, scores fall from 30 to 10. */
export function drawLists(random: Random, drawn: Drawn): RankedList[] {
  const words = zipfianWords(random)
  const text = new Map<string, string>()
  return drawDocids(random, drawn).map((docids, index) => ({
    retriever: 'bm25',
    subQuery: { text: `sub-query ${index}`, round: 1 },
    hits: docids.map((docid, place) => {
      if (!text.has(docid)) text.set(docid, words(wordsPerDocument))
      return {
        docid,
        score: 30 - (20 * (place + random.float())) / drawn.hits,
        rank: place + 1,
        document: { docid, text: text.get(docid)! },
      }
    }),
  }))
}

/** Such lists of one query as runs: qid → docid → score. */
export const runsOf = (drawn: Drawn): Record<string, Record<string, number>>[] =>
  drawLists(createRandom(1), drawn).map(({ hits }) => ({
    q: Object.fromEntries(hits.map(({ docid, score }) => [docid, score])),
  }))

function drawDocids(random: Random, drawn: Drawn): string[][] {
  const common = Math.round(drawn.hits * drawn.overlap)
  const union = new Set<string>()
  while (union.size < common + drawn.lists * (drawn.hits - common))
    union.add(docidKinds[drawn.docids](random))
  const all = [...union]
  const shared = all.splice(0, common)
  return Array.from({ length: drawn.lists }, () =>
    shuffled([...shared, ...all.splice(0, drawn.hits - common)], random),
  )
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const drawn = items.map((item) => ({ item, key: random.float() }))
  return drawn.sort((a, b) => a.key - b.key).map(({ item }) => item)
}
