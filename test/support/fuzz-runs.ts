/**
 * Cases that a property test of a parser runs: 200, and as many as `QUERENT_FUZZ_RUNS` says in `npm run verify`.
 * `QUERENT_SEED` repeats them.
 */
export const fuzzRuns = Number(process.env.QUERENT_FUZZ_RUNS ?? 200)
