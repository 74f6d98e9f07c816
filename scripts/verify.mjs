// @ts-check
/**
 * Everything that can be checked, on a bare machine too: what is missing is installed first. It ends with a list of what
 * was skipped and why.
 *
 *     node scripts/verify.mjs [--strict]
 *
 * `--strict`, for CI: whatever was skipped is a failure, but for what needs the judged collections beside the checkout.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installEngines } from './install-engines.mjs'
import { installNative } from './install-native.mjs'
import { installRestSuite } from './install-rest-suite.mjs'
import { installSystem } from './install-system.mjs'
import { installAndBuild, root, run } from './steps.mjs'

const strict = process.argv.includes('--strict')
const folder = mkdtempSync(join(tmpdir(), 'querent-verify-'))
const fuzz = { QUERENT_FUZZ_RUNS: '100000' }

await installAndBuild()
/** @type {string[]} What could not be installed, and why. */
const missing = [
  ...Object.values(await installNative()),
  ...(await installSystem()),
  ...(await installEngines()),
  await installRestSuite(),
].filter((state) => state !== true)

/** @type {{ readonly name: string, readonly ok: boolean, readonly seconds: number }[]} */
const ended = []
/** @type {string[]} */
const skipped = []
/** @type {string[]} What failed, and what it said: the run's own lines are far above by then. */
const failures = []
let passed = 0

await step('build', ['npm', 'run', 'build'])
await step('check', ['npm', 'run', 'check'])
await tests('unit', ['npx', 'vitest', 'run'], fuzz)
await tests('unit, on the current Node', [
  'npx',
  '--yes',
  '-p',
  'node@latest',
  'node',
  'node_modules/vitest/vitest.mjs',
  'run',
])
await tests('live', ['npx', 'vitest', 'run', '--config', 'vitest.live.config.ts'])
await tests('engines', ['npx', 'vitest', 'run', '--config', 'vitest.engines.config.ts'])
await step('quickstart', ['npm', 'run', 'quickstart'])

console.log('\nVerified:')
for (const { name, ok, seconds } of ended) console.log(`  ${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
if (missing.length > 0) console.log(`\nNot installed:\n${missing.map((line) => `  ${line}`).join('\n')}`)
console.log(
  skipped.length === 0
    ? '\nNothing was skipped.'
    : `\nSkipped:\n${skipped.map((line) => `  ${line}`).join('\n')}`,
)
const unexcused = skipped.filter((name) => !name.includes('judged collections'))
if (strict && unexcused.length > 0)
  console.log('\nStrict: only what needs the judged collections may be skipped.')
for (const failure of failures) console.log(`\nFailed: ${failure}`)
console.log(`\n${passed} passed, ${failures.length} failed, ${skipped.length} skipped`)
rmSync(folder, { recursive: true, force: true })
process.exitCode = ended.some(({ ok }) => !ok) || (strict && unexcused.length > 0) ? 1 : 0

/**
 * @param {string} name
 * @param {readonly string[]} command
 * @param {Record<string, string>} [env]
 */
async function step(name, command, env = {}) {
  console.log(`\n=== ${name}`)
  const start = Date.now()
  const ok = (await run(command, { env })) === 0
  ended.push({ name, ok, seconds: Math.round((Date.now() - start) / 1000) })
}

/**
 * A run of vitest, whose report is counted.
 *
 * @param {string} name
 * @param {readonly string[]} command
 * @param {Record<string, string>} [env]
 */
async function tests(name, command, env = {}) {
  const report = join(folder, `${ended.length}.json`)
  await step(name, [...command, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], env)
  const { numPassedTests, testResults } = readReport(report) ?? {}
  if (testResults === undefined) {
    ended.push({ name: `${name}: vitest ended without a report`, ok: false, seconds: 0 })
    return
  }
  passed += numPassedTests
  for (const { name: path, status: end, message, assertionResults } of testResults) {
    const file = path.replace(root, '')
    if (end === 'failed' && assertionResults.length === 0) failures.push(`${name}: ${file}\n${message}`)
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') failures.push(`${name}: ${file}: ${fullName}\n${failureMessages.join('\n')}`)
      else if (status !== 'passed') skipped.push(`${file}: ${fullName}`)
    }
  }
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
