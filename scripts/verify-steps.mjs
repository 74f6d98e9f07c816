// @ts-check
/** The steps of `verify`: each is a command or a run of vitest, and comes to an {@link Ended}. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './steps.mjs'

/** @typedef {import('./verify-reporter.mjs').TestFile} TestFile */

/**
 * @typedef {object} Ended
 * @property {string} name
 * @property {boolean} ok
 * @property {number} seconds
 * @property {readonly TestFile[]} files that vitest ran
 * @property {readonly string[]} errors that belong to no file
 */

/** @typedef {{ readonly ok: boolean, readonly files?: readonly TestFile[], readonly errors?: readonly string[] }} Outcome */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {(prefix: string) => Promise<Outcome>} work `prefix` stands before each line that it prints
 */

/**
 * @param {string} name
 * @param {readonly string[]} words
 * @returns {Step}
 */
export function command(name, words) {
  return { name, work: async (prefix) => ({ ok: (await run(words, { prefix })) === 0 }) }
}

/**
 * @param {string} name
 * @param {readonly string[]} words vitest's arguments
 * @param {object} [options]
 * @param {readonly string[]} [options.node] the Node that runs it; this one by default
 * @param {Record<string, string>} [options.env]
 * @returns {Step}
 */
export function tests(name, words, { node = [process.execPath], env = {} } = {}) {
  return {
    name,
    async work(prefix) {
      const folder = mkdtempSync(join(tmpdir(), 'querent-verify-'))
      const report = join(folder, 'report.json')
      const reporters = ['--reporter=default', '--reporter=./scripts/verify-reporter.mjs']
      const vitest = [...node, 'node_modules/vitest/vitest.mjs', 'run', ...words, ...reporters]
      const ok = (await run(vitest, { env: { ...env, QUERENT_VERIFY_REPORT: report }, prefix })) === 0
      const read = readReport(report)
      rmSync(folder, { recursive: true, force: true })
      return read === undefined ? { ok: false, errors: ['vitest ended without a report'] } : { ok, ...read }
    },
  }
}

/**
 * Runs the steps of one row at the same time. One that fails does not stop the others.
 *
 * @param {readonly Step[]} row
 * @returns {Promise<readonly Ended[]>}
 */
export function runRow(row) {
  const width = Math.max(...row.map(({ name }) => name.length))
  console.log(`\n=== ${row.map(({ name }) => name).join(', beside it ')}`)
  return Promise.all(
    row.map(async ({ name, work }) => {
      const start = performance.now()
      const prefix = row.length === 1 ? '' : `${name.padEnd(width)} | `
      const { ok, files = [], errors = [] } = await work(prefix)
      return { name, ok, seconds: (performance.now() - start) / 1000, files, errors }
    }),
  )
}

/**
 * @param {string} path
 * @returns {{ readonly files: readonly TestFile[], readonly errors: readonly string[] } | undefined}
 */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
