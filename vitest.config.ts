import { defineConfig } from 'vitest/config'

/** Unit tests: no server, no model, no collection. `npm test`. */
export default defineConfig({
  test: { include: ['test/**/*.test.ts'], exclude: ['test/live/**', 'node_modules/**'], testTimeout: 20_000 },
})
