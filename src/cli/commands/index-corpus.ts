import { stat } from 'node:fs/promises'
import { faissPackage } from '../../../adapters/search/faiss-library.ts'
import { QuerentError } from '../../errors.ts'
import { readCorpus } from '../../evaluation/beir.ts'
import { findCorpus } from '../../evaluation/beir-folder.ts'
import type { Source } from '../../evaluation/lines.ts'
import { type BuildProgress, buildIndex } from '../../index-folder/build.ts'
import { modelIdentity, modelReference, openEmbedder } from '../open/embedding-model.ts'
import { formatDuration } from '../output/duration.ts'
import { showProgress } from '../output/progress.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { IndexSettings } from '../settings/index-settings.ts'
import { required } from '../settings/setting.ts'
import { checkTarget, indexOnEngine } from './index-engine.ts'

/** `querent index <corpus> --out <dir>`, or `--engine` for one on a cluster */
export async function runIndex(
  [corpus]: readonly string[],
  settings: IndexSettings,
  terminal: Terminal,
): Promise<void> {
  checkTarget(settings)
  if (settings.engine === undefined) required(settings, 'out')
  const source = await corpusSource(corpus!, terminal)
  if (settings.model !== undefined && !settings.dense) {
    say(terminal, 'Without --dense nothing is embedded: the model is not used.')
  }
  if (settings.engine === undefined) await indexInFolder(source, settings, terminal)
  else await indexOnEngine(source, settings, terminal)
}

async function indexInFolder(source: Source, settings: IndexSettings, terminal: Terminal): Promise<void> {
  const out = required(settings, 'out')
  const startMs = performance.now()
  const progress = showProgress(terminal)
  const { signal } = terminal
  const embedder = settings.dense
    ? await openEmbedder(settings.model, terminal, progress, [faissPackage])
    : undefined
  try {
    const { manifest, embedded } = await buildIndex(readCorpus(source, { signal }), {
      out,
      signal,
      onProgress: ({ task, done, total }) => progress.update(taskNames[task], done, total),
      ...(embedder && {
        dense: embedder,
        model: modelReference(settings.model),
        identity: await modelIdentity(settings.model, embedder.name),
      }),
    })
    progress.stop()
    const { documents, dense, files } = manifest
    const bytes = Object.values(files).reduce((sum, size) => sum + size, 0)
    const ms = performance.now() - startMs
    if (settings.json) {
      printJson(terminal, {
        out,
        documents,
        bytes,
        seconds: ms / 1000,
        ...(dense && { dense, embedded }),
      })
      return
    }
    const vectors = dense ? `, vectors of ${dense.name} (${embedded} texts embedded)` : ''
    say(terminal, `${out}: ${documents} documents, ${formatBytes(bytes)}, ${formatDuration(ms)}${vectors}`)
  } catch (error) {
    progress.stop()
    if (signal.aborted && embedder) say(terminal, 'What has been embedded is kept: run it again to go on.')
    throw error
  } finally {
    progress.stop()
    await embedder?.close?.()
  }
}

const taskNames: Readonly<Record<BuildProgress['task'], string>> = {
  read: 'reading documents',
  bm25: 'indexing words',
  dense: 'embedding documents',
}

/** Where the documents come from. @throws QuerentError `missing-file` where that does not exist */
async function corpusSource(corpus: string, { stdin }: Terminal): Promise<Source> {
  if (corpus === '-') return { name: 'standard input', bytes: stdin }
  const found = await stat(corpus).catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The corpus ${corpus} cannot be read`, { cause })
  })
  return found.isDirectory() ? findCorpus(corpus) : corpus
}

function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
