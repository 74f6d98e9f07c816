/** `querent index <corpus> --engine elasticsearch|opensearch --url <url> --name <index>` */
import { buildClusterIndex } from '../../../adapters/search/cluster/build.ts'
import { QuerentError } from '../../errors.ts'
import type { Source } from '../../evaluation/lines.ts'
import type { Embedder } from '../../types.ts'
import { checkEngine } from '../open/check-engine.ts'
import { connectEngine } from '../open/connect-engine.ts'
import { readDocuments } from '../open/documents.ts'
import { modelIdentity, modelReference, openEmbedder } from '../open/embedding-model.ts'
import { engineError } from '../open/engine-error.ts'
import { count } from '../output/count.ts'
import { formatDuration } from '../output/duration.ts'
import { showProgress } from '../output/progress.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'

/** @throws QuerentError `bad-config` if settings of a folder and of a cluster are mixed, or one is missing */
export function checkTarget({ engine, out, url, name, language }: SettingsOf<'index'>): void {
  if (engine !== undefined && out !== undefined)
    throw new QuerentError('bad-config', '--out and --engine exclude each other', {
      remedy: 'Give --out for an index in a folder, or --engine for one on a cluster.',
    })
  if (engine !== undefined && language !== undefined)
    throw new QuerentError('bad-config', '--set language is for an index in a folder', {
      remedy: 'On a cluster, the mapping of the index decides how text is analyzed.',
    })
  if (engine === undefined && (url ?? name) !== undefined)
    throw new QuerentError('bad-config', '--url and --name need --engine', {
      remedy: 'Add --engine elasticsearch or --engine opensearch.',
    })
}

/** Writes a corpus into an index on a cluster. */
export async function indexOnEngine(
  source: Source,
  settings: SettingsOf<'index'>,
  terminal: Terminal,
): Promise<void> {
  const startMs = performance.now()
  const kind = required(settings, 'engine')
  const url = required(settings, 'url')
  const index = required(settings, 'name')
  const { signal } = terminal
  const progress = showProgress(terminal)
  const engine = await connectEngine(kind, url, terminal)
  let embedder: Embedder | undefined
  try {
    await checkEngine(engine, url, signal)
    embedder = settings.dense ? await openEmbedder(settings.model, terminal, progress) : undefined
    const reading = readDocuments(source, settings, terminal)
    const built = await buildClusterIndex(engine, reading.documents, {
      index,
      signal,
      onProgress: (done) => progress.update('indexing documents', done),
      ...(embedder && {
        dense: embedder,
        model: modelReference(settings.model),
        identity: await modelIdentity(settings.model, embedder.name),
      }),
    })
    progress.stop()
    reading.sayOddities()
    const { documents, written, indexed } = built
    const ms = performance.now() - startMs
    if (documents === 0) {
      throw new QuerentError('bad-document', 'The corpus holds no documents', {
        remedy: 'Give a corpus with at least one document.',
      })
    }
    if (settings.json) {
      printJson(terminal, {
        name: index,
        ...built,
        ...reading.skipped(),
        seconds: ms / 1000,
        ...(embedder && { dense: embedder.name }),
      })
      return
    }
    const vectors = embedder ? `, vectors of ${embedder.name}` : ''
    say(
      terminal,
      `${index}: ${count(documents, 'document')}, ${written} of them written, ${formatDuration(ms)}${vectors}`,
    )
    if (indexed > documents)
      say(
        terminal,
        `The index also has ${count(indexed - documents, 'document')} that this corpus does not have. Searches still find them.`,
      )
  } catch (error) {
    progress.stop()
    if (signal.aborted)
      say(terminal, 'The documents so far are kept. Run the same command again to continue.')
    throw engineError(error, { engine: kind, url })
  } finally {
    progress.stop()
    await embedder?.close?.()
    await engine.close()
  }
}
