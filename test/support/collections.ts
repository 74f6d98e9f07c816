/** The judged collections beside the checkout. A clone by itself has none: what needs them is skipped and says so. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onnxEmbedder } from '../../adapters/models/onnx.ts'
import { type BeirCollection, findCorpus, readBeir } from '../../src/evaluation/beir-folder.ts'
import { readCorpus } from '../../src/evaluation/corpus.ts'
import { buildIndex } from '../../src/index-folder/build.ts'
import { type OpenedIndex, openIndex } from '../../src/index-folder/open.ts'

const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

export const collectionsMissing = !existsSync(data)

/** What a skipped test's name ends with. */
export const needsCollections = '(needs the judged collections in ../shared/data)'

export const collectionFolder = (name: string): string => join(data, name)

export const recordedRewrites = (name: string): string => join(data, name, 'rewrites.jsonl')

/** The queries that have a recorded rewrite, and the judgments. */
export async function recordedSample(name: string): Promise<BeirCollection> {
  const collection = await readBeir(collectionFolder(name))
  const lines = (await readFile(recordedRewrites(name), 'utf8')).trim().split('\n')
  const recorded = new Set(lines.map((line) => (JSON.parse(line) as { readonly qid: string }).qid))
  return { ...collection, queries: collection.queries.filter(({ qid }) => recorded.has(qid ?? '')) }
}

/** An index of a collection, with vectors where asked. It is kept, so that what was embedded once stays embedded. */
export async function collectionIndex(
  name: string,
  { dense }: { readonly dense: boolean },
): Promise<OpenedIndex> {
  const cache =
    process.env.QUERENT_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'querent')
  const out = join(cache, 'verify', dense ? `${name}-dense` : name)
  const documents = readCorpus(await findCorpus(collectionFolder(name)))
  await buildIndex(documents, { out, ...(dense && { dense: await onnxEmbedder() }) })
  return openIndex(out, { embedder: () => onnxEmbedder() })
}
