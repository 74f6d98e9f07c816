// @ts-check
/**
 * Brings the servers that the tests of test/engines are run against, onto a bare machine too: Elasticsearch 9 and 8 and
 * OpenSearch 3, with and without security, and with vectors. They come from Maven Central; a Java runtime and Maven are
 * installed where they are missing. What is there already is left as it is.
 *
 *     node scripts/install-engines.mjs
 */
import { pathToFileURL } from 'node:url'
import { buildEngine } from './engines/build.mjs'
import { installJava, installMaven } from './engines/java.mjs'
import { engineKinds } from './engines/recipes.mjs'

/** @returns {Promise<(true | string)[]>} true, or what is missing and why: of each server, or of what all of them need */
export async function installEngines() {
  for (const needed of [installJava, installMaven]) {
    const state = await needed()
    if (state !== true) return [state]
  }
  /** @type {(true | string)[]} */
  const states = []
  // One after the other: Maven's own folder is not made for two at a time.
  for (const kind of engineKinds) states.push(await buildEngine(kind))
  return states
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const missing = (await installEngines()).filter((state) => state !== true)
  for (const reason of missing) console.error(`engines: ${reason}`)
  if (missing.length === 0) console.error('engines: ready')
  process.exitCode = missing.length === 0 ? 0 : 1
}
