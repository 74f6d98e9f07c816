/** A small world to train in: towns, each with the same sights, and documents about neither in particular. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeBeirQrels, writeCorpus, writeQueries } from '../../src/evaluation/beir.ts'
import type { Document, Query } from '../../src/types.ts'

const towns = ['arlow', 'brenford', 'corvale', 'dunmar', 'eskby', 'fenholt']
const sights = ['stadium', 'library', 'harbour', 'museum', 'castle', 'market']

/** 36 documents that are asked for, one a town and sight, and 96 that hold a town or a sight alone. */
function documents(): Document[] {
  const wanted = towns.flatMap((town) =>
    sights.map((sight) => ({
      docid: `${town}-${sight}`,
      text: `Visitors who come for a day see the ${sight} of ${town} before they go back by the evening train.`,
    })),
  )
  const others = [...towns, ...sights].flatMap((word) =>
    Array.from({ length: 8 }, (_, place) => ({
      docid: `about-${word}-${place}`,
      text: `Letters about ${word}, number ${place}.`,
    })),
  )
  return [...wanted, ...others]
}

/** 36 questions with one document, and 36 with two, of another town and another sight each. */
function questions(): { readonly query: Query; readonly golds: readonly string[] }[] {
  const single = towns.flatMap((town) =>
    sights.map((sight) => ({ text: `where is the ${sight} of ${town}`, golds: [`${town}-${sight}`] })),
  )
  const double = towns.flatMap((town, at) =>
    sights.map((sight, place) => {
      const [otherTown, otherSight] = [
        towns[(at + 1 + (place % 5)) % 6]!,
        sights[(place + 1 + (at % 5)) % 6]!,
      ]
      return {
        text: `the ${sight} of ${town} and the ${otherSight} of ${otherTown}`,
        golds: [`${town}-${sight}`, `${otherTown}-${otherSight}`],
      }
    }),
  )
  return [...single, ...double].map(({ text, golds }, index) => ({
    query: { qid: `q${index}`, text },
    golds,
  }))
}

/** Writes it as a BEIR folder with a training split. */
export async function writeTrainingWorld(folder: string): Promise<void> {
  const asked = questions()
  await writeCorpus(join(folder, 'corpus.jsonl'), documents())
  await writeQueries(
    join(folder, 'queries.jsonl'),
    asked.map(({ query }) => query),
  )
  await writeBeirQrels(
    join(folder, 'qrels.train.tsv'),
    new Map(asked.map(({ query, golds }) => [query.qid!, new Map(golds.map((docid) => [docid, 1]))])),
  )
  await writeFile(join(folder, 'prompt.txt'), '{question}\n')
}
