/**
 * Trains the policies that the package brings, `policies/shipped/{bm25,dense,hybrid}.json`, on the training collections
 * beside the checkout. BM25's is the same to the byte wherever it is made; vectors differ a little between processors, and
 * so do the other two.
 *
 *     npx tsx scripts/train-shipped.ts [bm25] [dense] [hybrid]
 *
 * Without a name all three are trained. Indexes are made where `npm run verify` keeps them, and used again;
 * `--indexes <folder>` takes those of a folder as they are, one a collection. With vectors only every `--every`-th query
 * is trained on (default 4), since every sub-query that is tried has to be embedded.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { onnxEmbedder } from '../adapters/models/onnx.ts'
import { writePolicy } from '../policies/local/policy-store.ts'
import { type ShippedName, shippedNames, shippedPath } from '../policies/local/shipped.ts'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import { type OpenedIndex, openIndex } from '../src/index-folder/open.ts'
import { type IndexedCollection, trainOnIndexes } from '../src/training/train-on-indexes.ts'
import { collectionFolder, collectionIndex, collectionIndexFolder } from '../test/support/collections.ts'

/** Collection → the split whose queries are trained on. Test splits stay untouched. */
const collections = {
  'hotpotqa-train': 'test',
  '2wikimultihopqa-train': 'test',
  'musique-train': 'test',
  mtrag: 'test',
  scifact: 'train',
} as const

const retrieversOf: Readonly<Record<ShippedName, readonly string[]>> = {
  bm25: ['bm25'],
  dense: ['dense'],
  hybrid: ['bm25', 'dense'],
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { indexes: { type: 'string' }, every: { type: 'string', default: '4' } },
})

const missing = Object.keys(collections).filter((name) => !existsSync(collectionFolder(name)))
if (missing.length > 0) {
  console.error(
    `These training collections are not in ../shared/data: ${missing.join(', ')}. Nothing was trained.`,
  )
  process.exit(1)
}
const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')))
const names =
  positionals.length === 0 ? shippedNames : shippedNames.filter((name) => positionals.includes(name))
for (const name of names) await train(name)

async function train(name: ShippedName): Promise<void> {
  const retrievers = retrieversOf[name]
  const isDense = retrievers.includes('dense')
  const every = isDense ? Number(values.every) : 1
  const judged: IndexedCollection[] = []
  for (const [collection, split] of Object.entries(collections)) {
    const { queries, qrels } = await readBeir(collectionFolder(collection), { split })
    const kept = queries.filter((_, place) => place % every === 0)
    judged.push({
      name: collection,
      queries: kept,
      qrels,
      index: await opened(collection, retrievers, isDense),
    })
  }
  const start = performance.now()
  let phase = ''
  const { policy } = await trainOnIndexes(judged, {
    signal: interrupted.signal,
    onProgress: (progress) => {
      if (progress.phase === phase) return
      phase = progress.phase
      console.error(`${name}: ${phase} (${((performance.now() - start) / 1000).toFixed(0)} s)`)
    },
  })
  await writePolicy(shippedPath(name), policy)
  console.error(`${name}: ${shippedPath(name)} (${((performance.now() - start) / 1000).toFixed(0)} s)`)
  for (const { index } of judged) await index.close()
}

async function opened(
  collection: string,
  retrievers: readonly string[],
  dense: boolean,
): Promise<OpenedIndex> {
  const given = values.indexes === undefined ? undefined : join(values.indexes, collection)
  if (given === undefined) await (await collectionIndex(collection, { dense })).close()
  return openIndex(given ?? collectionIndexFolder(collection, { dense }), {
    retrievers,
    embedder: async ({ model }) => shared(model),
  })
}

/** One embedder for all collections: a text that is looked up in several is embedded once, and none closes it. */
const embedders = new Map<string, Promise<Awaited<ReturnType<typeof onnxEmbedder>>>>()
async function shared(model: string): ReturnType<typeof onnxEmbedder> {
  const found = embedders.get(model) ?? onnxEmbedder({ model })
  embedders.set(model, found)
  const { close: _, ...embedder } = await found
  return embedder
}
