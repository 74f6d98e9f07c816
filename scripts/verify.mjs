// @ts-check
/**
 * Everything that can be checked, on a bare machine too: what is missing is installed first. CONTRIBUTING.md says what
 * the two tiers hold.
 *
 *     npm run verify -- [--full] [--strict] [--only <step>]...
 *
 * `--full` leaves nothing out and has no time limit. `--strict`, for CI: a skipped test is a failure, but for what needs
 * the judged collections beside the checkout. `--only` takes one step, by its name. `QUERENT_SEED=<number>` repeats the
 * random choices of an earlier run, which prints its seed.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { installModel, installSplade } from './export-model.mjs'
import { harness, isHarnessTested, recordHarness } from './harness-tested.mjs'
import { installEngines } from './install-engines.mjs'
import { installInspector } from './install-inspector.mjs'
import { installNative } from './install-native.mjs'
import { installRestSuite } from './install-rest-suite.mjs'
import { installSystem } from './install-system.mjs'
import { arePackagesInstalled, newestNode, run } from './steps.mjs'
import { command, runRow, tests } from './verify-steps.mjs'
import { leftToFull, summarize } from './verify-summary.mjs'

const {
  values: { full = false, strict = false, only },
} = parseArgs({
  options: {
    full: { type: 'boolean' },
    strict: { type: 'boolean' },
    only: { type: 'string', multiple: true },
  },
})
const seed = process.env.QUERENT_SEED ?? String(randomInt(2 ** 31))
// Every test process reads these: `test/support/tier.ts` and `test/support/seed.ts`.
process.env.QUERENT_SEED = seed
if (full) process.env.QUERENT_FULL = '1'

const withHarness = full || !isHarnessTested()
const live = ['--config', 'test/live/vitest.config.ts']
const engines = ['--config', 'test/engines/vitest.config.ts']
/** Files that other work would disturb, by their names. */
const alone = '.alone.test.ts'
const others = ['--exclude', `**/*${alone}`]
const fuzz = { QUERENT_FUZZ_RUNS: full ? '100000' : '5000' }

/** @type {readonly string[]} What could not be installed, and why. */
let missing = []

/** One row after the other; the steps of a row at the same time. Each row has both cores. */
const rows = [
  [{ name: 'install', work: install }],
  [command('build', ['npm', 'run', 'build'])],
  [{ name: 'model', work: prepareModels }],
  [command('check', ['npm', 'run', 'check:built'])],
  [command('dependencies', ['node', 'scripts/check-dependencies.mjs', '--audit'])],
  [command('site', ['node', 'docs/site/build.mjs'])],
  [tests('unit', [], { env: fuzz })],
  [tests('unit on the newest Node', [], { node: newestNode })],
  [
    tests('live', [...live, ...others]),
    tests('engines', [...engines, ...others, ...(withHarness ? [] : ['--exclude', `${harness}/**`])]),
  ],
  [tests('alone', [...engines, alone])],
  [command('quickstart', ['npm', 'run', 'quickstart'])],
]

console.log(`Verifying ${full ? 'in full' : 'as on each push'}, with seed ${seed}`)
const start = performance.now()
/** @type {import('./verify-steps.mjs').Ended[]} */
const ended = []
for (const row of rows) {
  const wanted = row.filter(({ name }) => only?.includes(name) ?? true)
  if (wanted.length > 0) ended.push(...(await runRow(wanted)))
}

const { text, ok } = summarize({
  ended,
  missing,
  strict,
  leftToFull: full ? [] : leftToFull(),
  seconds: (performance.now() - start) / 1000,
})
console.log(`\n${text}\n\nSeed: ${seed} (QUERENT_SEED=${seed} repeats its choices)`)
if (withHarness && hasPassed(harness)) recordHarness()
process.exitCode = ok ? 0 : 1

async function install() {
  if (!arePackagesInstalled() && (await run(['npm', 'ci', '--ignore-scripts'])) !== 0) return { ok: false }
  const states = [
    ...Object.values(await installNative()),
    ...(await installSystem()),
    ...(await installEngines()),
    await installRestSuite(),
    await installInspector(),
  ]
  missing = states.filter((state) => state !== true).map(String)
  return { ok: true }
}

/** The models, for which the build is needed. */
async function prepareModels() {
  for (const state of [await installModel(), await installSplade()])
    if (state !== true) missing = [...missing, state]
  return { ok: true }
}

/** Whether all tests of a folder ran and passed. */
function hasPassed(/** @type {string} */ folder) {
  const files = ended.flatMap(({ files }) => files).filter(({ file }) => file.startsWith(folder))
  return files.some(({ passed }) => passed > 0) && files.every(({ failures }) => failures.length === 0)
}
