// @ts-check
/**
 * Brings OpenSearch's own tests of its REST interface (`rest-api-spec`) from Maven Central: descriptions of the interface
 * and tests in YAML. They are OpenSearch's, and are only ever read from the cache.
 *
 *     node scripts/install-rest-suite.mjs
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { cache } from './engines/cache.mjs'
import { findJava, installJava, installMaven } from './engines/java.mjs'

/** The newest that is published: the servers' versions go on without it. */
export const restSuiteArtifact = 'org.opensearch:rest-api-spec:3.1.0'
const unpack = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack'
const limitMs = 5 * 60_000

const folder = join(cache, restSuiteArtifact.replaceAll(':', '-'))

/** Holds `api/` and `test/`. */
export const restSuite = join(folder, 'rest-api-spec')

/** @returns {Promise<true | string>} true, or what is missing and why */
export async function installRestSuite() {
  if (existsSync(restSuite)) return true
  for (const needed of [installJava, installMaven]) {
    const state = await needed()
    if (state !== true) return state
  }
  console.error(`rest suite: fetching ${restSuiteArtifact}`)
  mkdirSync(dirname(folder), { recursive: true })
  const partial = `${folder}.partial-${process.pid}`
  try {
    mkdirSync(partial)
    await promisify(execFile)(
      'mvn',
      ['--batch-mode', '--quiet', unpack, `-Dartifact=${restSuiteArtifact}`, `-DoutputDirectory=${partial}`],
      // Maven leaves notes of its own where it runs: those go with the folder.
      { cwd: partial, env: { ...process.env, JAVA_HOME: findJava() }, timeout: limitMs },
    )
    renameSync(partial, folder)
    return true
  } catch (error) {
    // Another process may have been faster.
    return existsSync(restSuite) || `rest suite: ${/** @type {Error} */ (error).message}`
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const state = await installRestSuite()
  console.error(state === true ? 'rest suite: ready' : state)
  process.exitCode = state === true ? 0 : 1
}
