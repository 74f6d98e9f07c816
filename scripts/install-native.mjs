// @ts-check
/**
 * Brings the native packages that are optional peers into this checkout: faiss-node and onnxruntime-node.
 *
 * Their own install scripts fail the whole `npm install` where the places they download from cannot be reached, so
 * they are installed without scripts, and what those scripts would have done is done here, each step with a limit:
 *
 * 1. the packages, from the registry that npm is set to;
 * 2. faiss-node's prebuilt binary;
 * 3. else its one source file, compiled against the system's FAISS (`apt-get install libfaiss-dev …` where that may be
 *    done without a password). onnxruntime-node needs neither: its package holds the binaries.
 *
 * What is there already is left as it is; when all of it is, this takes a quarter of a second.
 *
 *     node scripts/install-native.mjs [--quiet] [--require]
 *
 * Without `--require` a missing package is reported and the exit status is 0: BM25 works without either.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** @typedef {{ readonly faiss: true | string, readonly onnxruntime: true | string }} Installed */
/** @typedef {(line: string) => void} Say */

/** What each package must be able to do before it counts as installed; run in a process of its own. */
const probes = {
  // 32 queries: a binary linked without BLAS passes small searches and ends the process at a batch of 20.
  'faiss-node': `const { IndexFlatIP } = require('faiss-node'); const index = new IndexFlatIP(2)
    const vectors = new Array(64).fill(1); index.add(vectors); index.search(vectors, 1)`,
  'onnxruntime-node': `require('onnxruntime-node').InferenceSession.create`,
}

/** Only the compiler needs it. */
const headersPackage = 'node-api-headers@^1.9.0'

const aptPackages = ['g++', 'libfaiss-dev', 'libopenblas-dev']

/** FAISS before 1.7.4 had no `faiss::idx_t`, which the source of faiss-node expects. */
const shim = `#include <faiss/Index.h>
#if FAISS_VERSION_MAJOR == 1 && (FAISS_VERSION_MINOR < 7 || (FAISS_VERSION_MINOR == 7 && FAISS_VERSION_PATCH < 4))
namespace faiss { using idx_t = Index::idx_t; }
#endif
`

const minute = 60_000

/** faiss-node 0.5.1 forgets its copy of a search's vectors: 1.6 KB for each search with 384 dimensions. */
const leak = /delete\[\] I;\s+delete\[\] D;\n/
const mended = 'delete[] I; delete[] D; delete[] xq;\n'

/**
 * Installs what is missing. It never throws for a package that cannot be had: the reason is the value in its place.
 *
 * @param {{ readonly quiet?: boolean, readonly root?: string }} [options] `quiet` (false): print nothing. `root`: the
 *   checkout, this one by default.
 * @returns {Promise<Installed>} true, or why the package is missing.
 */
export async function installNative({
  quiet = false,
  root = fileURLToPath(new URL('..', import.meta.url)),
} = {}) {
  /** @type {Say} */
  const say = quiet ? () => {} : (line) => console.error(`native: ${line}`)
  const before = await probeAll(root)
  if (before.faiss === true && before.onnxruntime === true) return before

  const failure = await installPackages(root, say)
  if (failure !== undefined) say(failure)
  const built = packageFolder(root, 'faiss-node') === undefined || (await probe(root, 'faiss-node')) === true
  if (!built) await buildFaiss(root, say)

  const after = await probeAll(root)
  for (const [name, state] of Object.entries(after))
    say(state === true ? `${name}: ready` : `${name}: ${state}`)
  return after
}

/**
 * @param {string} root
 * @returns {Promise<Installed>}
 */
async function probeAll(root) {
  const [faiss, onnxruntime] = await Promise.all([probe(root, 'faiss-node'), probe(root, 'onnxruntime-node')])
  return { faiss, onnxruntime }
}

/**
 * @param {string} root
 * @param {keyof typeof probes} name
 * @returns {Promise<true | string>}
 */
async function probe(root, name) {
  if (packageFolder(root, name) === undefined) return `${name} is not installed`
  const result = await run(process.execPath, ['-e', probes[name]], { cwd: root, limit: minute })
  return result.ok ? true : `${name} is installed but does not work: ${result.reason}`
}

/**
 * One command for all of them: npm removes what an earlier `--no-save` brought and this one does not name.
 *
 * @param {string} root
 * @param {Say} say
 * @returns {Promise<string | undefined>} why it failed.
 */
async function installPackages(root, say) {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = Object.keys(probes)
  if ([...names, 'node-api-headers'].every((name) => packageFolder(root, name) !== undefined)) return
  const wanted = names.map((name) => `${name}@${peerDependencies[name]}`)
  say(`installing ${wanted.join(' and ')} (about 300 MB)`)
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const result = await run(
    command,
    // An optional peer is installed only as what it is not declared to be: hence `--save-prod`, with nothing saved.
    [...first, 'install', '--no-save', '--save-prod', '--ignore-scripts', ...wanted, headersPackage],
    // Windows finds npm.cmd by its shell only.
    { cwd: root, limit: 10 * minute, shell: process.platform === 'win32' },
  )
  return result.ok ? undefined : `npm install failed: ${result.reason}`
}

/**
 * @param {string} root
 * @param {Say} say
 */
async function buildFaiss(root, say) {
  say('fetching the prebuilt binary of faiss-node')
  const fetched = await fetchFaiss(root)
  if (fetched === true) return
  say(`no prebuilt binary: ${fetched}`)

  if (process.platform !== 'linux') return
  say('compiling faiss-node against the FAISS of this system')
  const compiled = await compileFaiss(root)
  if (compiled === true) return

  const apt = await aptCommand()
  if (apt === undefined) {
    return say(
      `cannot compile it: ${compiled}. Install ${aptPackages.join(', ')} (or what this system calls them)`,
    )
  }
  say(`installing ${aptPackages.join(', ')} with apt-get`)
  const installed = await aptInstall(apt)
  if (installed !== true) return say(`apt-get failed: ${installed}`)
  say('compiling faiss-node')
  const again = await compileFaiss(root)
  if (again !== true) say(`cannot compile it: ${again}`)
}

/**
 * The first half of faiss-node's own install script; the second half, a build of FAISS itself, takes too long.
 *
 * @param {string} root
 * @returns {Promise<true | string>}
 */
async function fetchFaiss(root) {
  const folder = /** @type {string} */ (packageFolder(root, 'faiss-node'))
  const installer = packageFolder(folder, 'prebuild-install')
  if (installer === undefined) return 'its installer is missing'
  const result = await run(process.execPath, [join(installer, 'bin.js'), '--runtime', 'napi', '--verbose'], {
    cwd: folder,
    limit: minute,
  })
  return result.ok ? probe(root, 'faiss-node') : result.reason
}

/**
 * @param {string} root
 * @returns {Promise<true | string>}
 */
async function compileFaiss(root) {
  const folder = /** @type {string} */ (packageFolder(root, 'faiss-node'))
  const addonApi = packageFolder(folder, 'node-addon-api')
  const headers = packageFolder(root, 'node-api-headers')
  if (addonApi === undefined || headers === undefined) return 'its header packages are missing'
  const release = join(folder, 'build', 'Release')
  mkdirSync(release, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'querent-faiss-'))
  try {
    writeFileSync(join(work, 'shim.h'), shim)
    const source = readFileSync(join(folder, 'src', 'faiss.cc'), 'utf8')
    writeFileSync(join(work, 'faiss.cc'), source.replace(leak, mended))
    const result = await run(
      'g++',
      [
        ...['-O2', '-std=c++17', '-fPIC', '-shared', '-fopenmp', '-DNAPI_VERSION=6'],
        ...['-include', join(work, 'shim.h'), '-I', addonApi, '-I', join(headers, 'include')],
        ...[join(work, 'faiss.cc'), '-o', join(release, 'faiss-node.node')],
        // Named although FAISS needs them itself: else they are looked for when the first large batch is searched.
        ...['-lfaiss', '-llapack', '-lblas'],
      ],
      { cwd: work, limit: 5 * minute },
    )
    return result.ok ? probe(root, 'faiss-node') : result.reason
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** @returns {Promise<readonly string[] | undefined>} apt-get, where it may be used without asking anybody. */
async function aptCommand() {
  if (!existsSync('/usr/bin/apt-get')) return
  if (process.getuid?.() === 0) return ['apt-get']
  const sudo = await run('sudo', ['-n', 'true'], { limit: 10_000 })
  return sudo.ok ? ['sudo', '-n', 'apt-get'] : undefined
}

/**
 * @param {readonly string[]} apt
 * @returns {Promise<true | string>}
 */
async function aptInstall(apt) {
  const [command, ...first] = /** @type {[string, ...string[]]} */ (apt)
  const options = { limit: 10 * minute, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  // Its failure alone is no reason to stop: the lists of a machine without some of its sources may still do.
  const update = await run(command, [...first, 'update'], options)
  const install = await run(
    command,
    [...first, '-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends', ...aptPackages],
    options,
  )
  return install.ok ? true : update.ok ? install.reason : `${update.reason}; ${install.reason}`
}

/**
 * Where a package lies that `from` would load, or undefined.
 *
 * @param {string} from
 * @param {string} name
 */
function packageFolder(from, name) {
  const paths = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
  return paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')))
}

/**
 * Runs a program without a terminal. A program that is missing, fails, crashes or takes longer than `limit`
 * milliseconds is `ok: false` with a reason of one line.
 *
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {{ readonly limit: number, readonly cwd?: string, readonly env?: NodeJS.ProcessEnv, readonly shell?: boolean }} options
 * @returns {Promise<{ readonly ok: boolean, readonly reason: string }>}
 */
function run(command, parameters, { limit, ...options }) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: limit,
      killSignal: 'SIGKILL',
    })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-4000)
    })
    child.on('error', (error) => resolve({ ok: false, reason: error.message }))
    child.on('close', (code, signal) => {
      const last = output.split('\n').filter((line) => /error|cannot|warn|fatal|E:/i.test(line))
      const why = (last.at(-1) ?? output.trim().split('\n').at(-1) ?? '').trim()
      const end = signal === 'SIGKILL' ? `stopped after ${limit / 1000} s` : `exit ${code ?? signal}`
      resolve({ ok: code === 0, reason: why === '' ? `${command}: ${end}` : `${command}: ${why} (${end})` })
    })
  })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const installed = await installNative({ quiet: process.argv.includes('--quiet') })
  const missing = Object.values(installed).some((state) => state !== true)
  if (missing && process.argv.includes('--require')) process.exitCode = 1
}
