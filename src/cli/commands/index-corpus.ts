import { dirname, join } from 'node:path'
import { faissPackage } from '../../../adapters/search/faiss-library.ts'
import { QuerentError } from '../../errors.ts'
import type { Source } from '../../evaluation/lines.ts'
import { buildIndex } from '../../index-folder/build.ts'
import { corpusSource } from '../open/corpus-source.ts'
import { readDocuments } from '../open/documents.ts'
import { modelIdentity, modelReference, openEmbedder } from '../open/embedding-model.ts'
import { formatBytes } from '../output/bytes.ts'
import { count } from '../output/count.ts'
import { formatDuration } from '../output/duration.ts'
import { type CorpusSize, describeMemory, measured } from '../output/memory.ts'
import { isSameFolder } from '../output/output-file.ts'
import { showProgress } from '../output/progress.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { checkTarget, indexOnEngine } from './index-engine.ts'
import { taskNames } from './index-tasks.ts'
import { checkUpdate, isUpdate, updateInFolder } from './index-update.ts'

/** `querent index <corpus> --out <dir>`, with `--engine` on a cluster, or with `--add` and `--delete` to update an index */
export const runIndex: Run<SettingsOf<'index'>> = async ([corpus], settings, terminal) => {
  checkTarget(settings)
  if (isUpdate(settings)) {
    checkUpdate(corpus, settings)
    await updateInFolder(settings, terminal)
    return
  }
  if (corpus === undefined)
    throw new QuerentError('bad-config', 'The corpus is missing', {
      remedy: 'Name it: `querent index corpus.jsonl --out my-index`. --add and --delete change an index.',
    })
  if (settings.engine === undefined) required(settings, 'out')
  const source = await corpusSource(corpus, terminal)
  if (settings.out !== undefined && typeof source === 'string') checkOutside(settings.out, dirname(source))
  if (settings.model !== undefined && !settings.dense) {
    say(terminal, '--model is not used without --dense.')
  }
  if (settings.engine === undefined) await indexInFolder(source, settings, terminal)
  else await indexOnEngine(source, settings, terminal)
}

async function indexInFolder(
  source: Source,
  settings: SettingsOf<'index'>,
  terminal: Terminal,
): Promise<void> {
  const out = required(settings, 'out')
  const startMs = performance.now()
  const progress = showProgress(terminal)
  const { signal } = terminal
  const embedder = settings.dense
    ? await openEmbedder(settings.model, terminal, progress, [faissPackage])
    : undefined
  const reading = readDocuments(source, settings, terminal)
  const size: CorpusSize = { documents: 0, characters: 0 }
  try {
    const { manifest, embedded } = await buildIndex(measured(reading.documents, size), {
      out,
      signal,
      ...(settings.language && { bm25: { language: settings.language } }),
      onProgress({ task, done, total }) {
        if (task === 'bm25' && done === 0)
          for (const line of describeMemory(size, embedder?.dimensions)) say(terminal, line)
        progress.update(taskNames[task], done, total)
      },
      ...(embedder && {
        dense: embedder,
        model: modelReference(settings.model),
        identity: await modelIdentity(settings.model, embedder.name),
      }),
    })
    progress.stop()
    reading.sayOddities()
    const { documents, dense, files } = manifest
    const bytes = Object.values(files).reduce((sum, size) => sum + size, 0)
    const ms = performance.now() - startMs
    if (settings.json) {
      printJson(terminal, {
        out,
        documents,
        ...reading.skipped(),
        bytes,
        seconds: ms / 1000,
        ...(dense && { dense, embedded }),
      })
      return
    }
    const vectors = dense ? `, vectors of ${dense.name} (${count(embedded, 'text')} embedded)` : ''
    say(
      terminal,
      `${out}: ${count(documents, 'document')}, ${formatBytes(bytes)}, ${formatDuration(ms)}${vectors}`,
    )
  } catch (error) {
    progress.stop()
    if (signal.aborted && embedder)
      say(terminal, 'The vectors so far are kept. Run the same command again to continue.')
    throw error
  } finally {
    progress.stop()
    await embedder?.close?.()
  }
}

/** @throws QuerentError `bad-config` if the index would be written among the files of the collection */
function checkOutside(out: string, folder: string): void {
  if (!isSameFolder(out, folder)) return
  throw new QuerentError('bad-config', `--out ${out} is the folder of the corpus itself`, {
    remedy: `Give the index a folder of its own: --out ${join(out, 'index')}.`,
  })
}
