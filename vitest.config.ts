import { defineConfig } from 'vitest/config'

/**
 * Unit tests: no server, no model, no collection. `npm test`. Files share a process, since none changes what modules keep:
 * starting one for each of them would take as long again as the tests. All cores work.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    exclude: ['test/{live,engines}/**', 'node_modules/**'],
    testTimeout: 60_000,
    isolate: false,
    maxWorkers: '100%',
  },
})
