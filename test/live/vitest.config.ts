import { defineConfig } from 'vitest/config'

/** What needs native modules, models, collections or processes, or trains or computes for long: `npm run verify` runs these. */
export default defineConfig({
  test: {
    include: ['test/live/**/*.test.ts', 'test/**/*.long.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 30 * 60_000,
    hookTimeout: 30 * 60_000,
    // One file at a time: they share two cores with the processes they start.
    fileParallelism: false,
  },
})
