// @ts-check
/** Builds a server from its recipe: Maven fetches it and compiles the few lines that start it. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cache } from './cache.mjs'
import { findJava } from './java.mjs'
import { recipes } from './recipes.mjs'

/** @typedef {import('./recipes.mjs').EngineKind} EngineKind */

const here = fileURLToPath(new URL('.', import.meta.url))
const engines = join(cache, 'engines')

/** Of one server, with everything to be downloaded over a slow line. */
const limitMs = 15 * 60_000

/**
 * Where a server is, once it is built: a folder of its version and of what it is made from as that is now, so that
 * whoever changes a recipe gets another.
 *
 * @param {EngineKind} kind
 */
export function engineFolder(kind) {
  return join(engines, `${kind}-${recipes[kind].version}-${digestOf(kind)}`)
}

/**
 * Builds a server where that has not been done. It is made beside its place and moved there when it is whole.
 *
 * @param {EngineKind} kind
 * @returns {Promise<true | string>} true, or why it could not be built
 */
export async function buildEngine(kind) {
  const folder = engineFolder(kind)
  if (existsSync(folder)) return true
  const { version, engine } = recipes[kind]
  console.error(`engines: building ${kind} ${version} with what Maven Central has of it`)
  mkdirSync(engines, { recursive: true })
  removeAbandoned()
  const partial = `${folder}.partial-${process.pid}`
  try {
    await runMaven(kind, partial)
    rmSync(join(partial, 'target'), { recursive: true })
    if (engine === 'elasticsearch') linkZstd(partial)
    renameSync(partial, folder)
    return true
  } catch (error) {
    // Another process may have been faster.
    return existsSync(folder) || `${kind}: ${reasonOf(error)}`
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

/**
 * @param {EngineKind} kind
 * @param {string} home
 */
async function runMaven(kind, home) {
  const [major] = recipes[kind].version.split('.')
  const pom = join(here, kind === 'elasticsearch-8' ? 'elasticsearch' : kind, 'pom.xml')
  const properties = [`engine.version=${recipes[kind].version}`, `engine.major=${major}`, `home=${home}`]
  const words = ['--batch-mode', '--quiet', '--file', pom, ...properties.map((property) => `-D${property}`)]
  await promisify(execFile)('mvn', [...words, 'package'], {
    env: { ...process.env, JAVA_HOME: findJava() },
    timeout: limitMs,
    maxBuffer: 2 ** 26,
  })
}

/**
 * Elasticsearch compresses with the system's zstd where it is asked for the best compression, and complains where there
 * is none.
 *
 * @param {string} home
 */
function linkZstd(home) {
  const folders = ['/usr/lib64', ...readdirSync('/usr/lib').map((name) => join('/usr/lib', name))]
  const library = folders.map((folder) => join(folder, 'libzstd.so.1')).find((path) => existsSync(path))
  mkdirSync(join(home, 'native'))
  if (library !== undefined) symlinkSync(library, join(home, 'native', 'libzstd.so'))
}

/** What builds left that were killed. */
function removeAbandoned() {
  for (const name of readdirSync(engines)) {
    const [, pid] = /\.partial-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(engines, name), { recursive: true })
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** @param {unknown} error what `execFile` was rejected with, or what the file system did not allow */
function reasonOf(error) {
  const { stdout = '', message = '' } = /** @type {{ stdout?: string, message?: string }} */ (error)
  // Maven may color the line.
  const [, first] = /\[ERROR\](?:\s|\[ERROR\])+(.*\S)/.exec(stdout) ?? []
  return first ?? message
}

/** @param {EngineKind} kind */
function digestOf(kind) {
  const parts = ['build.mjs', 'java', 'log4j2.properties', 'pom.xml', recipes[kind].engine, kind]
  const hash = createHash('sha256')
  for (const name of readdirSync(here, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(here, name)
    if (!parts.includes(name.split(sep)[0] ?? '') || !statSync(path).isFile()) continue
    hash.update(`${name}\0`).update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex').slice(0, 12)
}
