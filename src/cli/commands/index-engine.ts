/** `querent index <corpus> --engine elasticsearch|opensearch --url <url> --name <index>` */
import { buildClusterIndex } from '../../../adapters/search/cluster/build.ts'
import { QuerentError } from '../../errors.ts'
import { readCorpus } from '../../evaluation/beir.ts'
import type { Source } from '../../evaluation/lines.ts'
import { connectEngine } from '../open/connect-engine.ts'
import { modelIdentity, modelReference, openEmbedder } from '../open/embedding-model.ts'
import { formatDuration } from '../output/duration.ts'
import { showProgress } from '../output/progress.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { IndexSettings } from '../settings/index-settings.ts'
import { required } from '../settings/setting.ts'

/** @throws QuerentError `bad-config` where settings of a folder and of a cluster are mixed, or one is missing */
export function checkTarget({ engine, out, url, name }: IndexSettings): void {
  if (engine !== undefined && out !== undefined)
    throw new QuerentError('bad-config', '--out and --engine were both given', {
      remedy: 'An index is in a folder or on a cluster: leave out one of them.',
    })
  if (engine === undefined && (url ?? name) !== undefined)
    throw new QuerentError('bad-config', '--url and --name are of a cluster, and --engine is missing', {
      remedy: 'Add --engine elasticsearch or --engine opensearch.',
    })
}

/** Writes a corpus into an index of a cluster. */
export async function indexOnEngine(
  source: Source,
  settings: IndexSettings,
  terminal: Terminal,
): Promise<void> {
  const startMs = performance.now()
  const [url, index] = [required(settings, 'url'), required(settings, 'name')]
  const { signal } = terminal
  const progress = showProgress(terminal)
  const engine = await connectEngine(required(settings, 'engine'), url, terminal)
  const embedder = settings.dense ? await openEmbedder(settings.model, terminal, progress) : undefined
  try {
    const built = await buildClusterIndex(engine, readCorpus(source, { signal }), {
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
        seconds: ms / 1000,
        ...(embedder && { dense: embedder.name }),
      })
      return
    }
    const vectors = embedder ? `, vectors of ${embedder.name}` : ''
    say(
      terminal,
      `${index}: ${documents} documents, ${written} of them written, ${formatDuration(ms)}${vectors}`,
    )
    if (indexed > documents)
      say(
        terminal,
        `${indexed - documents} documents in it are not in this corpus, and are found all the same.`,
      )
  } catch (error) {
    progress.stop()
    if (signal.aborted) say(terminal, 'What has been written is kept: run it again to go on.')
    throw error
  } finally {
    progress.stop()
    await embedder?.close?.()
    await engine.close()
  }
}
