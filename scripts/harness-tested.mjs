// @ts-check
/**
 * Whether what starts real engines for tests is as it was when its own tests (test/engines/harness) passed last. A hash
 * of it is kept in the repository: a fresh clone knows it too, and whoever changes the harness runs its tests again.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.mjs'

/** The folder of those tests. */
export const harness = 'test/engines/harness'

const tested = join(root, harness, 'tested.txt')

export function isHarnessTested() {
  return readFileSync(tested, 'utf8').trim() === harnessHash()
}

/** To be called when the tests have passed. */
export function recordHarness() {
  writeFileSync(tested, `${harnessHash()}\n`)
}

function harnessHash() {
  const hash = createHash('sha256')
  for (const path of harnessFiles())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

function harnessFiles() {
  const support = filesIn('test/support').filter((path) => /\/(engine[^/]*|free-ports)\.ts$/.test(path))
  return [
    ...filesIn('scripts/engines'),
    'scripts/install-engines.mjs',
    ...support,
    ...filesIn(harness).filter((path) => path.endsWith('.ts')),
  ].sort()
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}
