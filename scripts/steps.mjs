// @ts-check
/** Running commands one after the other, with their names, times and ends on the terminal. */
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The command that runs a program of JavaScript with the newest Node. */
export const newestNode = ['npx', '--yes', '-p', 'node@latest', 'node']

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs a command in the checkout and shows what it prints. Ctrl-C reaches it as it reaches this process.
 *
 * @param {readonly string[]} command
 * @param {object} [options]
 * @param {Record<string, string>} [options.env]
 * @param {boolean | 'unless it fails'} [options.quiet] shows nothing, or only what a command that failed printed; false by
 *   default
 * @param {string} [options.prefix] stands before each line, to tell commands that run at the same time apart
 * @returns {Promise<number>} its exit status; 1 where it could not be started
 */
export function run([program = '', ...words], { env = {}, quiet = false, prefix = '' } = {}) {
  return new Promise((resolve) => {
    const output = quiet === true ? 'ignore' : quiet !== false || prefix !== '' ? 'pipe' : 'inherit'
    /** @type {string[]} */
    const held = []
    const show =
      quiet === false
        ? (/** @type {string} */ line) => console.log(prefix + line)
        : (/** @type {string} */ line) => held.push(line)
    const child = spawn(program, words, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
    })
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null) createInterface(stream).on('line', show)
    child.on('error', () => resolve(1))
    child.on('close', (code) => {
      if (code !== 0) for (const line of held) console.error(line)
      resolve(code ?? 1)
    })
  })
}

/**
 * Installs the packages and builds, where that has not been done since the lock file and the sources were changed, as
 * `git pull` does. Ends the process where it cannot be done.
 */
export async function installAndBuild() {
  const installed = arePackagesInstalled()
  const sources = ['src', 'adapters', 'fusion', 'policies'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true }).map((name) => `${folder}/${name}`),
  )
  const built = Math.max(...sources.map(changedMs)) <= changedMs('dist/src/cli/main.js')
  if (installed && built) return
  if (!installed) await npm('Installing packages (about 500 MB)', 'ci')
  await npm('Building', 'run', 'build')
}

/**
 * Ends the process where it fails.
 *
 * @param {string} what
 * @param {readonly string[]} words
 */
async function npm(what, ...words) {
  console.error(`${what} (npm ${words.join(' ')}) …`)
  if ((await run(['npm', ...words], { quiet: 'unless it fails' })) === 0) return
  console.error('That failed: npm said why, above.')
  process.exit(1)
}

/** Whether that has been done since the lock file was changed. */
export function arePackagesInstalled() {
  return changedMs('package-lock.json') <= changedMs('node_modules/.package-lock.json')
}

/**
 * When a file of the checkout was last written; 0 where it is not there.
 *
 * @param {string} path
 */
function changedMs(path) {
  return statSync(`${root}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
