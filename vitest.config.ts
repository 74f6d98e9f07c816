import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * Most tests run their code a few times only, so V8 optimizes it later than it would: that takes a quarter of the processor
 * time from a run on Node 20. Newer V8s have no such flag.
 */
const lateOptimization = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : []

/**
 * Unit tests: no server, no model, no collection. `npm test`. Files share a process, since none changes what modules keep:
 * starting one for each of them would take as long again as the tests. There are more processes than cores, because some tests
 * wait for sockets and timers. Modules that were compiled for the tests are kept for the next run.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    exclude: ['test/{live,engines}/**', 'node_modules/**'],
    testTimeout: 60_000,
    isolate: false,
    maxWorkers: 2 * availableParallelism(),
    execArgv: lateOptimization,
    experimental: { fsModuleCache: true },
  },
})
