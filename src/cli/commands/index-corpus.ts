/** `querent index <corpus>`: makes an index in a folder or on a cluster, or changes one in a folder. */
import { dirname, join } from 'node:path'
import { buildClusterIndex } from '../../../adapters/search/cluster/build.ts'
import { faissPackage } from '../../../adapters/search/faiss-library.ts'
import { QuerentError } from '../../errors.ts'
import { readLines, type Source } from '../../evaluation/lines.ts'
import { buildIndex } from '../../index-folder/build.ts'
import type { BuildProgress } from '../../index-folder/generation.ts'
import { type IndexManifest, readManifest } from '../../index-folder/manifest.ts'
import { updateIndex } from '../../index-folder/update.ts'
import type { OptionalPackage } from '../../runtime/optional-package.ts'
import type { Embedder } from '../../types.ts'
import { withEngine } from '../open/connect-engine.ts'
import { corpusSource, type Documents, readDocuments } from '../open/documents.ts'
import { modelIdentity, modelReference, openEmbedder } from '../open/embedding-model.ts'
import { type CorpusSize, describeMemory, measured } from '../output/memory.ts'
import { isSameFolder } from '../output/output-paths.ts'
import { type Progress, withProgress } from '../output/progress.ts'
import { say, type Terminal, tell } from '../output/terminal.ts'
import { count, formatBytes, formatDuration } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given, refuse, required } from '../settings/setting.ts'

type Settings = SettingsOf<'index'>

/** What an index is made with. */
interface Parts {
  /** Absent if nothing is added. */
  readonly reading: Documents | undefined
  /** The embedding model and what names its vectors; empty without vectors. */
  readonly dense: { readonly dense?: Embedder; readonly model?: string; readonly identity?: string }
  readonly progress: Progress
  readonly onProgress: (progress: BuildProgress) => void
}

/** What was made, for programs and for people. */
interface Made {
  readonly json: object
  readonly lines: readonly string[]
}

export const run: Run<Settings> = async ([corpus], settings, terminal) => {
  const isUpdate = settings.vacuum === true || (settings.add ?? settings.delete) !== undefined
  checkSettings(corpus, settings, isUpdate)
  if (isUpdate) return update(settings, terminal)
  refuse(
    corpus === undefined,
    'The corpus is missing',
    'Name it: `querent index corpus.jsonl --out my-index`. --add, --delete and --vacuum change an index.',
  )
  const { engine, out, model, dense } = settings
  if (engine === undefined) required(settings, 'out')
  const source = await corpusSource(corpus!, terminal)
  refuse(
    out !== undefined && typeof source === 'string' && isSameFolder(out, dirname(source)),
    `--out ${out} is the folder of the corpus itself`,
    `Give the index a folder of its own: --out ${join(out ?? '', 'index')}.`,
  )
  if (model !== undefined && !dense) say(terminal, '--model is not used without --dense.')
  if (engine === undefined) await build(source, settings, terminal)
  else await buildOnCluster(source, settings, terminal)
}

/** @throws QuerentError `bad-config` for settings of a folder, of a cluster and of an update that do not go together */
function checkSettings(corpus: string | undefined, settings: Settings, isUpdate: boolean): void {
  const { engine, out, url, name, language, dense, add, delete: deleted } = settings
  const isOnCluster = engine !== undefined
  refuse(
    isOnCluster && out !== undefined,
    '--out and --engine exclude each other',
    'Give --out for an index in a folder, or --engine for one on a cluster.',
  )
  refuse(
    isOnCluster && language !== undefined,
    '--set language is for an index in a folder',
    'On a cluster, the mapping of the index decides how text is analyzed.',
  )
  refuse(
    !isOnCluster && (url ?? name) !== undefined,
    '--url and --name need --engine',
    'Add --engine elasticsearch or --engine opensearch.',
  )
  if (!isUpdate) return
  refuse(
    isOnCluster,
    '--add, --delete and --vacuum are for an index in a folder',
    'On a cluster, `querent index <corpus>` adds and replaces. Delete documents with the API of the cluster.',
  )
  refuse(
    corpus !== undefined,
    `${corpus} would be a new index, beside --add, --delete or --vacuum`,
    'Name documents to add with --add only.',
  )
  refuse(
    dense === true,
    '--dense cannot be changed by --add, --delete or --vacuum',
    'Leave it out: an index with vectors gets those of new documents. For vectors of all, make it again.',
  )
  refuse(
    language !== undefined,
    '--set language cannot be changed by --add, --delete or --vacuum',
    'Leave it out: new documents get the language of the index.',
  )
  refuse(
    add === '-' && deleted === '-',
    '--add and --delete cannot both read standard input',
    'Name a file for one of them.',
  )
}

/** The tasks of a build or an update, for the progress bar. */
const taskNames: Readonly<Record<BuildProgress['task'], string>> = {
  read: 'reading documents',
  bm25: 'indexing words',
  dense: 'embedding documents',
}

/**
 * Opens what the documents are read and embedded with, makes the index, and tells what was made, and how long it took.
 *
 * @param embedding the model, and the packages that it needs beside its own; absent without vectors
 */
async function make(
  source: Source | undefined,
  embedding:
    | { readonly model: string | undefined; readonly packages?: readonly OptionalPackage[] }
    | undefined,
  settings: Settings,
  terminal: Terminal,
  work: (parts: Parts) => Promise<Made>,
): Promise<void> {
  const startMs = performance.now()
  const { json, lines } = await withProgress(terminal, async (progress) => {
    const embedder =
      embedding && (await openEmbedder(embedding.model, terminal, progress, embedding.packages))
    const reading = source === undefined ? undefined : readDocuments(source, settings, terminal)
    try {
      const dense = embedder && {
        dense: embedder,
        model: modelReference(embedding?.model),
        identity: await modelIdentity(embedding?.model, embedder.name),
      }
      const made = await work({
        ...{ reading, progress, dense: dense ?? {} },
        onProgress: ({ task, done, total }) => progress.update(taskNames[task], done, total),
      })
      progress.stop()
      reading?.sayOddities()
      return { ...made, json: { ...made.json, ...reading?.skipped() } }
    } finally {
      await embedder?.close?.()
    }
  })
  const ms = performance.now() - startMs
  const [first, ...others] = lines
  tell(terminal, settings, { ...json, seconds: ms / 1000 }, [`${first}, ${formatDuration(ms)}`, ...others])
}

const sizeOf = ({ files }: Pick<IndexManifest, 'files'>): number =>
  Object.values(files).reduce((sum, size) => sum + size, 0)

async function build(source: Source, settings: Settings, terminal: Terminal): Promise<void> {
  const { signal } = terminal
  const out = required(settings, 'out')
  const embedding = settings.dense ? { model: settings.model, packages: [faissPackage] } : undefined
  const size: CorpusSize = { documents: 0, characters: 0 }
  await make(source, embedding, settings, terminal, async ({ reading, dense, onProgress }) => {
    const { manifest, embedded } = await buildIndex(measured(reading!.documents, size), {
      ...{ out, signal, ...dense },
      ...(settings.language && { bm25: { language: settings.language } }),
      onProgress(step) {
        if (step.task === 'bm25' && step.done === 0)
          for (const line of describeMemory(size, dense.dense?.dimensions)) say(terminal, line)
        onProgress(step)
      },
    })
    const { documents, dense: made } = manifest
    const bytes = sizeOf(manifest)
    const vectors = made ? `, vectors of ${made.name} (${count(embedded, 'text')} embedded)` : ''
    return {
      json: { out, documents, bytes, ...(made && { dense: made, embedded }) },
      lines: [`${out}: ${count(documents, 'document')}, ${formatBytes(bytes)}${vectors}`],
    }
  }).catch((error: unknown) => {
    if (signal.aborted && embedding)
      say(terminal, 'The vectors so far are kept. Run the same command again to continue.')
    throw error
  })
}

/** Adds, replaces and deletes documents of an index in a folder. */
async function update(settings: Settings, terminal: Terminal): Promise<void> {
  const { signal } = terminal
  const out = required(settings, 'out')
  const { dense: before } = await readManifest(out)
  const { add, delete: file, vacuum } = settings
  const remove = file === undefined ? undefined : await readDocids(file, terminal)
  const source = add === undefined ? undefined : await corpusSource(add, terminal)
  const isEmbedding = before !== undefined && source !== undefined
  if (settings.model !== undefined && !isEmbedding)
    say(terminal, '--model is not used: no texts are embedded.')
  const embedding = isEmbedding
    ? { model: settings.model ?? before.model, packages: [faissPackage] }
    : undefined
  await make(source, embedding, settings, terminal, async ({ reading, dense, onProgress }) => {
    const { manifest, embedded, ...changes } = await updateIndex({
      ...{ out, signal, onProgress },
      ...given({ add: reading?.documents, remove, vacuum, dense: dense.dense, identity: dense.identity }),
    })
    const { documents } = manifest
    const bytes = sizeOf(manifest)
    const { added, replaced, removed, unknown, pending } = changes
    const done = [
      ...(reading ? [`${added} added`, `${replaced} replaced`] : []),
      ...(remove ? [`${removed} deleted`] : []),
      ...(isEmbedding ? [`${count(embedded, 'text')} embedded`] : []),
      ...(vacuum ? ['written anew'] : []),
    ]
    const unknowns = count(unknown, 'docid is', 'docids are')
    return {
      json: { out, documents, ...changes, bytes, ...(isEmbedding && { dense: before, embedded }) },
      lines: [
        `${out}: ${done.join(', ')}; now ${count(documents, 'document')}, ${formatBytes(bytes)}`,
        ...(unknown > 0 ? [`Of ${file}, ${unknowns} not in the index.`] : []),
        ...(pending > documents / 20
          ? [`${count(pending, 'change')} since it was written: with --vacuum, it opens faster.`]
          : []),
      ],
    }
  })
}

/** One docid a line, without the spaces around it. */
async function readDocids(file: string, { stdin, signal }: Terminal): Promise<readonly string[]> {
  const source: Source = file === '-' ? { name: 'standard input', bytes: stdin } : file
  const docids: string[] = []
  for await (const { text } of readLines(source, { signal })) docids.push(text.trim())
  return docids
}

/** `querent index <corpus> --engine elasticsearch|opensearch --url <url> --name <index>` */
async function buildOnCluster(source: Source, settings: Settings, terminal: Terminal): Promise<void> {
  const { signal } = terminal
  const [kind, url, name] = [
    required(settings, 'engine'),
    required(settings, 'url'),
    required(settings, 'name'),
  ]
  const embedding = settings.dense ? { model: settings.model } : undefined
  await withEngine(kind, url, terminal, (engine) =>
    make(source, embedding, settings, terminal, async ({ reading, dense, progress }) => {
      const built = await buildClusterIndex(engine, reading!.documents, {
        ...{ index: name, signal, ...dense },
        onProgress: (done) => progress.update('indexing documents', done),
      })
      const { documents, written, indexed } = built
      if (documents === 0)
        throw new QuerentError('bad-document', 'The corpus holds no documents', {
          remedy: 'Give a corpus with at least one document.',
        })
      const vectors = dense.dense ? `, vectors of ${dense.dense.name}` : ''
      const more = count(indexed - documents, 'document')
      return {
        json: { name, ...built, ...given({ dense: dense.dense?.name }) },
        lines: [
          `${name}: ${count(documents, 'document')}, ${written} of them written${vectors}`,
          ...(indexed > documents
            ? [`The index also has ${more} that this corpus does not have. Searches still find them.`]
            : []),
        ],
      }
    }),
  ).catch((error: unknown) => {
    if (signal.aborted)
      say(terminal, 'The documents so far are kept. Run the same command again to continue.')
    throw error
  })
}
