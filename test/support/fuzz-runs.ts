/** Cases a property test of a parser runs: 500, and 100,000 where `QUERENT_FUZZ_RUNS` says so, as in CI. */
export const fuzzRuns = Number(process.env.QUERENT_FUZZ_RUNS ?? 500)
