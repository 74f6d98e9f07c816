import { type RankedList, rankScore, rrf } from 'querent'

const list = (text: string, scores: Readonly<Record<string, number>>): RankedList => ({
  retriever: 'bm25',
  subQuery: { text, round: 1 },
  hits: Object.entries(scores).map(([docid, score], index) => ({ docid, score, rank: index + 1 })),
})
const lists = [
  list('lights of the harbor', { lighthouse: 7.2, harbor: 6.9, fog: 3.0 }),
  list('ships in the harbor', { ferry: 8.4, harbor: 5.0, tide: 4.1 }),
]

export const byRankScore = rankScore().fuse(lists, { provenance: true })
export const byRrf0 = rrf({ k: 0 }).fuse(lists) // same scores, ties broken by docid only
export const byRrf60 = rrf().fuse(lists)
