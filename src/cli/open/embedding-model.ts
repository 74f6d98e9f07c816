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
import { given } from '../settings/setting.ts'
import { nonEmpty } from './chat-model.ts'

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
    const { OPENAI_BASE_URL, OPENAI_API_KEY } = env
    const server = given({ baseUrl: nonEmpty(OPENAI_BASE_URL), apiKey: nonEmpty(OPENAI_API_KEY) })
    return openaiEmbedder({ model: model.slice(serverPrefix.length), ...server })
  }
  await optionalPackages([...onnxPackages, ...others])
  const onProgress = downloadProgress(terminal, progress)
  return onnxEmbedder({ ...given({ model }), signal, onProgress }).finally(() => progress.stop())
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
export const modelReference = (model: string = defaultModel): string =>
  isFolder(model) ? resolve(model) : model

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

const isFolder = (model: string): boolean =>
  !model.startsWith(serverPrefix) && existsSync(join(model, 'tokenizer.json'))

const kilobytes = (bytes: number): number => Math.round(bytes / 1000)
