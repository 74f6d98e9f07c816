/** Downloads models from Hugging Face's hub, or a mirror of it, over plain HTTPS. */
import { existsSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fromEnvironment } from './environment.ts'
import { layersOf, modulesFile, readModelFile } from './model-file.ts'
import { type FetchModelOptions, optionalFiles, requiredFiles, weightsFiles } from './model-files.ts'
import { within } from './with-timeout.ts'

/** Milliseconds until a server must have answered. In a closed network, the caller must not wait long. */
const answerTimeout = 5_000
/** Milliseconds without a byte after which a download has stalled. */
const stallTimeout = 30_000
/** Milliseconds for a whole file. */
const fileTimeout = 3600_000

/**
 * Downloads a model into a folder. `HF_ENDPOINT` sets a mirror, `HF_TOKEN` gives access to a gated model, and `HF_HUB_OFFLINE`
 * disables the hub. A name without an owner belongs to sentence-transformers.
 *
 * Throws if the hub cannot be reached or lacks a required file, or if a file arrives incomplete.
 */
export async function fetchFromHub(
  name: string,
  folder: string,
  { dtype, signal, onProgress }: FetchModelOptions,
): Promise<void> {
  if (/^(1|on|true|yes)$/i.test(fromEnvironment('HF_HUB_OFFLINE') ?? ''))
    throw new Error('HF_HUB_OFFLINE is set')
  const endpoint = (fromEnvironment('HF_ENDPOINT') ?? 'https://huggingface.co').replace(/\/+$/, '')
  const repository = name.includes('/') ? name : `sentence-transformers/${name}`
  const token = fromEnvironment('HF_TOKEN')
  // Without compression, `content-length` is the size of the file, and fetch rejects a body that ends before it.
  const headers = { 'accept-encoding': 'identity', ...(token && { authorization: `Bearer ${token}` }) }

  /** Downloads a file. Returns false if the hub does not have it. */
  function download(file: string): Promise<boolean> {
    const url = `${endpoint}/${repository}/resolve/main/${file}`
    return within(url, { timeout: fileTimeout, signal }, async (ending) => {
      const soon = <T>(timeout: number, work: Promise<T>): Promise<T> =>
        within(url, { timeout, signal: ending }, () => work)
      const response = await soon(answerTimeout, fetch(url, { headers, signal: ending }))
      if (response.status === 404) return false
      if (!response.ok) throw new Error(`${url} answered ${response.status} ${response.statusText}`)

      const total = Number(response.headers.get('content-length'))
      const path = join(folder, file)
      await mkdir(dirname(path), { recursive: true })
      const target = await open(path, 'w')
      try {
        let done = 0
        const reader = response.body!.getReader()
        for (;;) {
          const chunk = await soon(stallTimeout, reader.read())
          if (chunk.done) break
          await target.writeFile(chunk.value)
          done += chunk.value.length
          onProgress?.({ step: `downloading ${file}`, done, ...(total > 0 && { total }) })
        }
      } finally {
        await target.close()
      }
      return true
    })
  }

  async function downloadFirst(files: readonly string[]): Promise<string> {
    for (const file of files) if (await download(file)) return file
    throw new Error(`${endpoint}/${repository} has no ${files.join(' or ')}`)
  }

  for (const file of requiredFiles) await downloadFirst([file])
  for (const file of optionalFiles) await download(file)
  const modules = join(folder, 'modules.json')
  for (const { path } of existsSync(modules) ? layersOf(await readModelFile(modules, modulesFile)) : [])
    for (const file of ['config.json', 'model.safetensors']) await download(`${path}/${file}`)
  const weights = await downloadFirst(weightsFiles[dtype])
  // The rest of the weights, if a model is too large for one file.
  await download(`${weights}_data`)
}
