/**
 * How the suite's tests end without a proxy, as it was recorded for the pinned suite and server, so that not every push
 * has to run them so. `QUERENT_RECORD=1` records it anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { recipes } from '../../../scripts/engines/recipes.mjs'
import { restSuiteArtifact as suite } from '../../../scripts/install-rest-suite.mjs'
import type { Compared } from './compare.ts'

export interface DirectEnds {
  readonly suite: string
  /** Its version. */
  readonly server: string
  readonly tests: number
  /** The step that a test fails at. All others pass, or are skipped by the suite's own rules. */
  readonly failed: Readonly<Record<string, string>>
}

const file = new URL('direct-ends.json', import.meta.url)

export const readDirectEnds = (): DirectEnds => JSON.parse(readFileSync(file, 'utf8'))

export function recordDirectEnds(tests: readonly Compared[]): void {
  writeFileSync(file, `${JSON.stringify(directEnds(tests), null, 2)}\n`)
}

export function directEnds(tests: readonly Compared[]): DirectEnds {
  const failed = tests.filter(({ directly }) => directly.end === 'failed')
  return {
    suite,
    server: recipes.opensearch.version,
    tests: tests.length,
    failed: Object.fromEntries(failed.map(({ name, directly }) => [name, directly.at])),
  }
}

/** @throws Error where they were recorded with another suite or server */
export function checkServer({ suite: recordedSuite, server }: DirectEnds, version: string): void {
  if (recordedSuite === suite && server === version) return
  throw new Error(
    `The direct ends were recorded for ${recordedSuite} on ${server}, and this is ${suite} on ${version}: record them with QUERENT_RECORD=1`,
  )
}
