import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Most tests run their code a few times only. So V8 collects garbage seldom and without helper threads. */
const forShortWork = ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64']

/** A folder for each lockfile: when the lockfile changes, Vitest 4 deletes its folder, and the run that follows fails to write there. */
const lockfile = readFileSync(new URL('package-lock.json', import.meta.url))
const moduleCache = `node_modules/.cache/vitest-${createHash('sha256').update(lockfile).digest('hex').slice(0, 12)}`

/**
 * Unit tests: no server, no model, no collection. `npm test`. Those of `*.long.test.ts` run with the live ones. Files share a
 * process, since none changes what modules keep: starting one for each of them would take as long again as the tests. There
 * is one process more than cores, because some tests wait for sockets and timers. Modules that were compiled for the tests
 * are kept for the next run.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    exclude: ['test/{live,engines}/**', '**/*.long.test.ts', 'node_modules/**'],
    testTimeout: 60_000,
    isolate: false,
    maxWorkers: 1 + availableParallelism(),
    execArgv: forShortWork,
    experimental: { fsModuleCache: true, fsModuleCachePath: moduleCache },
  },
})
