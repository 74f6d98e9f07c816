// @ts-check
/**
 * A reporter for vitest that writes what `verify` prints at its end: of each file its seconds, hooks and imports
 * included, what passed, what was skipped and what failed. It writes to the file that `QUERENT_VERIFY_REPORT` names.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * @typedef {object} TestFile
 * @property {string} file from the root of the checkout
 * @property {number} seconds
 * @property {number} passed
 * @property {string[]} skipped full names
 * @property {string[]} failures names and messages
 */

/** @typedef {import('vitest/node').TestModule} TestModule */

// biome-ignore lint/style/noDefaultExport: vitest asks for one.
export default function verifyReporter() {
  return {
    /**
     * @param {readonly TestModule[]} modules
     * @param {readonly { readonly message: string }[]} errors outside of any test
     */
    onTestRunEnd(modules, errors) {
      const files = modules.map(fileOf)
      const report = { files, errors: errors.map(({ message }) => message) }
      writeFileSync(process.env.QUERENT_VERIFY_REPORT ?? '', JSON.stringify(report))
    },
  }
}

/**
 * @param {TestModule} module
 * @returns {TestFile}
 */
function fileOf(module) {
  const { setupDuration, collectDuration, duration } = module.diagnostic()
  const tests = [...module.children.allTests()]
  const suites = [...module.children.allSuites()]
  const failed = [module, ...suites, ...tests].flatMap((one) => failuresOf(one))
  return {
    file: relative(process.cwd(), module.moduleId),
    seconds: (setupDuration + collectDuration + duration) / 1000,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    skipped: tests.filter((test) => ['skipped', 'pending'].includes(test.result().state)).map(nameOf),
    failures: failed,
  }
}

/** @param {TestModule | import('vitest/node').TestSuite | import('vitest/node').TestCase} one */
function failuresOf(one) {
  const errors = one.type === 'test' ? (one.result().errors ?? []) : one.errors()
  return errors.map(({ message, stack }) => `${nameOf(one)}\n${stack?.includes(message) ? stack : message}`)
}

/** @param {TestModule | import('vitest/node').TestSuite | import('vitest/node').TestCase} one */
function nameOf(one) {
  return one.type === 'module' ? 'the whole file' : one.fullName
}
