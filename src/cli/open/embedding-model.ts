/** Embedding models by name, by folder, or as `openai:<name>`. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ModelProgress } from '../../../adapters/models/model-files.ts'
import { defaultModel } from '../../../adapters/models/model-folder.ts'
import { onnxEmbedder } from '../../../adapters/models/onnx.ts'
import { onnxPackages } from '../../../adapters/models/onnx-packages.ts'
import { openaiEmbedder } from '../../../adapters/models/openai.ts'
import { type OptionalPackage, optionalPackages } from '../../runtime/optional-package.ts'
import type { Embedder } from '../../types.ts'
import type { Progress } from '../output/progress.ts'
import { say, type Terminal } from '../output/terminal.ts'

const serverPrefix = 'openai:'

/** Bytes from which a download is announced. */
const largeDownload = 10e6

/**
 * The embedding model of a name or folder, or for `openai:<name>` from the server at `OPENAI_BASE_URL`. Without a name:
 * all-MiniLM-L6-v2.
 *
 * @param others more packages that the caller needs: one error names all missing packages
 */
export async function openEmbedder(
  model: string | undefined,
  terminal: Terminal,
  progress: Progress,
  others: readonly OptionalPackage[] = [],
): Promise<Embedder> {
  const { env, signal } = terminal
  if (model?.startsWith(serverPrefix)) {
    return openaiEmbedder({
      model: model.slice(serverPrefix.length),
      ...(env.OPENAI_BASE_URL && { baseUrl: env.OPENAI_BASE_URL }),
      ...(env.OPENAI_API_KEY && { apiKey: env.OPENAI_API_KEY }),
    })
  }
  await optionalPackages([...onnxPackages, ...others])
  return onnxEmbedder({
    ...(model !== undefined && { model }),
    signal,
    onProgress: downloadProgress(terminal, progress),
  }).finally(() => progress.stop())
}

/** Shows the progress of a download. A large download is announced with its size. */
export function downloadProgress(terminal: Terminal, progress: Progress): (moment: ModelProgress) => void {
  let announced: string | undefined
  return ({ step, done = 0, total }) => {
    if (total !== undefined && total >= largeDownload && step !== announced) {
      announced = step
      say(terminal, `The embedding model is not on this machine yet: ${step}, ${Math.round(total / 1e6)} MB.`)
    }
    progress.update(`${step} (kB)`, kilobytes(done), total && kilobytes(total))
  }
}

/** A model as an index stores it: a folder by its absolute path, because searches may run in another folder. */
export function modelReference(model: string = defaultModel): string {
  return isFolder(model) ? resolve(model) : model
}

/** Identifies the vectors of a model. The files of a folder may change under the same name. */
export async function modelIdentity(model: string | undefined, name: string): Promise<string> {
  if (model === undefined || !isFolder(model)) return name
  const hash = createHash('sha256')
  for (const file of (await readdir(model, { recursive: true })).sort()) {
    const { size, mtimeMs } = await stat(join(model, file))
    hash.update(JSON.stringify([file, size, mtimeMs]))
  }
  return `${name}@${hash.digest('hex')}`
}

function isFolder(model: string): boolean {
  return !model.startsWith(serverPrefix) && existsSync(join(model, 'tokenizer.json'))
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000)
}
