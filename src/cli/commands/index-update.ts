/** `querent index --add <corpus> --delete <file> --out <dir>` */
import { faissPackage } from '../../../adapters/search/faiss-library.ts'
import { QuerentError } from '../../errors.ts'
import { readLines, type Source } from '../../evaluation/lines.ts'
import { readManifest } from '../../index-folder/manifest.ts'
import { updateIndex } from '../../index-folder/update.ts'
import { corpusSource } from '../open/corpus-source.ts'
import { readDocuments } from '../open/documents.ts'
import { modelIdentity, openEmbedder } from '../open/embedding-model.ts'
import { formatBytes } from '../output/bytes.ts'
import { count } from '../output/count.ts'
import { formatDuration } from '../output/duration.ts'
import { showProgress } from '../output/progress.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { taskNames } from './index-tasks.ts'

export const isUpdate = ({ add, delete: deleted }: SettingsOf<'index'>): boolean =>
  (add ?? deleted) !== undefined

/** @throws QuerentError `bad-config` if settings of a build are among those of an update */
export function checkUpdate(
  corpus: string | undefined,
  { engine, dense, language, add, delete: deleted }: SettingsOf<'index'>,
): void {
  if (engine !== undefined)
    throw new QuerentError('bad-config', '--add and --delete are for an index in a folder', {
      remedy:
        'On a cluster, `querent index <corpus>` adds and replaces. Delete documents with the API of the cluster.',
    })
  if (corpus !== undefined)
    throw new QuerentError('bad-config', `${corpus} would be a new index, beside --add or --delete`, {
      remedy: 'Name documents to add with --add only.',
    })
  if (dense)
    throw new QuerentError('bad-config', '--dense cannot be changed by --add or --delete', {
      remedy:
        'Leave it out: an index with vectors gets those of new documents. For vectors of all, make it again.',
    })
  if (language !== undefined)
    throw new QuerentError('bad-config', '--set language cannot be changed by --add or --delete', {
      remedy: 'Leave it out: new documents get the language of the index.',
    })
  if (add === '-' && deleted === '-')
    throw new QuerentError('bad-config', '--add and --delete cannot both read standard input', {
      remedy: 'Name a file for one of them.',
    })
}

/** Adds, replaces and deletes documents of an index in a folder. */
export async function updateInFolder(settings: SettingsOf<'index'>, terminal: Terminal): Promise<void> {
  const out = required(settings, 'out')
  const startMs = performance.now()
  const progress = showProgress(terminal)
  const { signal } = terminal
  const { dense } = await readManifest(out)
  const remove = settings.delete === undefined ? undefined : await readDocids(settings.delete, terminal)
  const source = settings.add === undefined ? undefined : await corpusSource(settings.add, terminal)
  const reading = source === undefined ? undefined : readDocuments(source, settings, terminal)
  if (settings.model !== undefined && (dense === undefined || !reading))
    say(terminal, '--model is not used: no texts are embedded.')
  const model = settings.model ?? dense?.model
  const embedder =
    dense && reading ? await openEmbedder(model, terminal, progress, [faissPackage]) : undefined
  try {
    const { manifest, embedded, ...changes } = await updateIndex({
      out,
      signal,
      onProgress: ({ task, done, total }) => progress.update(taskNames[task], done, total),
      ...(reading && { add: reading.documents }),
      ...(remove && { remove }),
      ...(embedder && { dense: embedder, identity: await modelIdentity(model, embedder.name) }),
    })
    progress.stop()
    reading?.sayOddities()
    const { documents, files } = manifest
    const bytes = Object.values(files).reduce((sum, size) => sum + size, 0)
    const ms = performance.now() - startMs
    if (settings.json) {
      printJson(terminal, {
        out,
        documents,
        ...changes,
        ...reading?.skipped(),
        bytes,
        seconds: ms / 1000,
        ...(embedder && { dense, embedded }),
      })
      return
    }
    const { added, replaced, removed, unknown } = changes
    const done = [
      ...(reading ? [`${added} added`, `${replaced} replaced`] : []),
      ...(remove ? [`${removed} deleted`] : []),
      ...(embedder ? [`${count(embedded, 'text')} embedded`] : []),
    ]
    const size = `now ${count(documents, 'document')}, ${formatBytes(bytes)}`
    say(terminal, `${out}: ${done.join(', ')}; ${size}, ${formatDuration(ms)}`)
    if (unknown > 0)
      say(
        terminal,
        `${count(unknown, 'docid')} of ${settings.delete} ${unknown === 1 ? 'is' : 'are'} not in the index.`,
      )
  } finally {
    progress.stop()
    await embedder?.close?.()
  }
}

/** One docid a line, without the spaces around it. */
async function readDocids(file: string, { stdin, signal }: Terminal): Promise<readonly string[]> {
  const source: Source = file === '-' ? { name: 'standard input', bytes: stdin } : file
  const docids: string[] = []
  for await (const { text } of readLines(source, { signal })) docids.push(text.trim())
  return docids
}
