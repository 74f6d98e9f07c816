/** Finds an embedding model: in a folder, in the cache, or on the model hub. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { QuerentError } from '../../src/errors.ts'
import { fromEnvironment } from './environment.ts'
import { type FetchModelOptions, filesIn, type ModelFiles } from './model-files.ts'
import { fetchFromHub } from './model-hub.ts'
import { reasonOf } from './reason.ts'
import { throwIfAborted } from './with-timeout.ts'

export const defaultModel = 'all-MiniLM-L6-v2'

/** Prefix of the folder that a model is in until its download is complete. */
const partial = '.partial-'
const day = 24 * 3600_000

export interface FoundModel extends ModelFiles {
  /** The model's name from the options, or the folder's name. */
  readonly name: string
}

const isPath = (model: string): boolean => /^[.~]?[/\\]|^\.\.[/\\]|^\w:/.test(model)

/** Costs nothing, so it comes before packages are loaded. @throws QuerentError `missing-model` for a folder that does not exist */
export function checkModelFolder(model: string): void {
  if (isPath(model) && !existsSync(model)) throw missing(`There is no folder ${model}`)
}

/**
 * Finds a model by its name or folder, and downloads it if it is not on this machine. In this order:
 *
 * 1. the folder, if `model` is a path, or a folder in the working directory with a tokenizer;
 * 2. the cache: `models/<name>` in `QUERENT_CACHE`, else in `querent` of `XDG_CACHE_HOME` or `~/.cache`;
 * 3. Hugging Face's hub, over HTTPS.
 *
 * A complete model enters the cache in one rename, so several processes may download the same one.
 *
 * @throws QuerentError `missing-model` with the reason, `aborted`, and `bad-config` for an invalid name.
 */
export async function findModel(model: string, options: FetchModelOptions): Promise<FoundModel> {
  const { dtype, signal } = options
  checkModelFolder(model)
  if (isPath(model) || existsSync(join(model, 'tokenizer.json'))) {
    const files = filesIn(resolve(model), dtype)
    if ('missing' in files) throw missing(`The folder ${model} has no ${files.missing.join(', no ')}`)
    return { ...files, name: basename(files.folder) }
  }
  if (!/^(?!\.)[\w.-]+(\/(?!\.)[\w.-]+)?$/.test(model)) {
    throw new QuerentError('bad-config', `"${model}" is not the name of a model`, {
      remedy: 'Give a folder, or a name such as all-MiniLM-L6-v2 or BAAI/bge-small-en-v1.5.',
    })
  }

  const models = join(cacheFolder(), 'models')
  const folder = join(models, dtype === 'fp32' ? model : `${model}-${dtype}`)
  const cached = filesIn(folder, dtype)
  if (!('missing' in cached)) return { ...cached, name: model }

  await mkdir(dirname(folder), { recursive: true })
  await removeAbandoned(models)
  const work = await mkdtemp(join(models, partial))
  try {
    const fetched = join(work, 'model')
    await fetchFromHub(model, fetched, options)
    return { ...(await moveIntoPlace(fetched, folder, options)), name: model }
  } catch (error) {
    throwIfAborted('The fetching of the model', signal)
    throw new QuerentError(
      'missing-model',
      `The model "${model}" is not in ${folder}, and cannot be fetched from the model hub (${reasonOf(error)})`,
      {
        remedy:
          'Copy its folder there from a machine that has it, or give a folder as the model. HF_ENDPOINT names a mirror of the hub.',
        cause: error,
      },
    )
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

function missing(what: string): QuerentError {
  return new QuerentError('missing-model', what)
}

function cacheFolder(): string {
  return resolve(
    fromEnvironment('QUERENT_CACHE') ??
      join(fromEnvironment('XDG_CACHE_HOME') ?? join(homedir(), '.cache'), 'querent'),
  )
}

async function moveIntoPlace(
  fetched: string,
  folder: string,
  { dtype }: FetchModelOptions,
): Promise<ModelFiles> {
  const files = filesIn(fetched, dtype)
  if ('missing' in files) throw new Error(`what came has no ${files.missing.join(', no ')}`)
  try {
    await rename(fetched, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    const there = filesIn(folder, dtype)
    // If the folder has all files, another process was faster. Otherwise it is damaged.
    if (!('missing' in there)) return there
    await rename(folder, `${fetched}-damaged`)
    await rename(fetched, folder)
  }
  return { folder, weights: join(folder, relative(fetched, files.weights)) }
}

/** Removes what is left of downloads of killed processes. */
async function removeAbandoned(models: string): Promise<void> {
  const names = (await readdir(models)).filter((name) => name.startsWith(partial))
  for (const path of names.map((name) => join(models, name))) {
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now())
    if (age > day) await rm(path, { recursive: true, force: true })
  }
}
