/**
 * Makes `src/text/near-words.txt`: the most frequent stems of the training collections, each with those whose words mean something
 * similar to all-MiniLM-L6-v2. A stem stands for its most frequent word. The mean of all vectors is subtracted from each, because
 * the vectors of single words have much in common.
 *
 *     npx tsx scripts/make-near-words.ts    # a few minutes; needs the model and the indexes of `npm run train-shipped`
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onnxEmbedder } from '../adapters/models/onnx.ts'
import { findCorpus } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import { scoreRows } from '../src/learn/forward-pass.ts'
import { stopWords } from '../src/text/english.ts'
import { lowered } from '../src/text/lowered.ts'
import { scan } from '../src/text/scan.ts'
import { stemOf } from '../src/text/stem.ts'
import { collectionFolder } from '../test/support/collections.ts'
import { indexOf, trainingSources } from './training-sources.ts'

const maxStems = 20_000
const maxNear = 12
/** Of two words that have nothing to do with each other, one pair in a thousand has a higher cosine. */
const leastCosine = 0.4

const words = await frequentWords()
console.error(`${words.length} stems`)
const vectors = await vectorsOf(words.map(({ word }) => word))
/** Reused by every row. */
const cosines = new Float64Array(words.length)
/** Without hidden units there are none. */
const activations = new Float64Array()
const lines = words.map(({ stem }, row) => {
  if (row % 1000 === 0) console.error(`${row} of ${words.length} compared`)
  const near = nearest(row).map(({ other, cosine }) => `${words[other]!.stem} ${Math.round(100 * cosine)}`)
  return near.length === 0 ? undefined : `${[stem, ...near].join(' ')}\n`
})
const file = fileURLToPath(new URL('../src/text/near-words.txt', import.meta.url))
writeFileSync(
  file,
  lines
    .filter((line) => line !== undefined)
    .sort()
    .join(''),
)

/** The stems in most documents, each with the word that it has in most. */
async function frequentWords(): Promise<{ readonly stem: string; readonly word: string }[]> {
  const counts = new Map<string, number>()
  for (const collection of new Set(trainingSources.map(indexOf)))
    for await (const { title = '', text } of readCorpus(await findCorpus(collectionFolder(collection)))) {
      const all = `${title}\n${text}`
      const { count, starts, ends } = scan(all)
      const found = new Set<string>()
      for (let place = 0; place < count; place++) found.add(lowered(all.slice(starts[place], ends[place])))
      for (const word of found)
        if (/^[a-z]{2,20}$/.test(word) && !stopWords.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  const stems = new Map<string, { count: number; word: string }>()
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  for (const [word, count] of byCount) {
    const stem = stemOf(word)
    const known = stems.get(stem)
    if (known === undefined) stems.set(stem, { count, word })
    else known.count += count
  }
  return [...stems]
    .filter(([stem]) => !stopWords.has(stem))
    .sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .slice(0, maxStems)
    .map(([stem, { word }]) => ({ stem, word }))
}

/** Their vectors, of length 1, after subtracting the mean: one after the other. */
async function vectorsOf(texts: readonly string[]): Promise<Float32Array> {
  const embedder = await onnxEmbedder()
  const width = embedder.dimensions
  const table = new Float32Array(texts.length * width)
  for (let at = 0; at < texts.length; at += 500) {
    const found = await embedder.embed(texts.slice(at, at + 500), { kind: 'document' })
    for (const [place, vector] of found.entries()) table.set(vector, (at + place) * width)
    console.error(`${at + found.length} of ${texts.length} embedded`)
  }
  const mean = new Float64Array(width)
  for (let at = 0; at < table.length; at++) mean[at % width]! += table[at]! / texts.length
  for (let at = 0; at < table.length; at++) table[at]! -= mean[at % width]!
  for (let row = 0; row < texts.length; row++) {
    const vector = table.subarray(row * width, (row + 1) * width)
    const length = Math.hypot(...vector)
    for (let place = 0; place < width; place++) vector[place]! /= length
  }
  return table
}

/** The rows with the highest cosines, highest first. */
function nearest(row: number): readonly { readonly other: number; readonly cosine: number }[] {
  const inputs = vectors.length / words.length
  const own = Float64Array.from(vectors.subarray(row * inputs, (row + 1) * inputs))
  const rows = { table: vectors, first: 0, count: words.length }
  // A scorer without hidden units: its score of a row is the product of both.
  scoreRows(own, { inputs, hidden: 0 }, rows, activations, cosines)
  const found: { other: number; cosine: number }[] = []
  cosines.forEach((cosine, other) => {
    if (cosine >= leastCosine && other !== row) found.push({ other, cosine })
  })
  return found.sort((a, b) => b.cosine - a.cosine || a.other - b.other).slice(0, maxNear)
}
