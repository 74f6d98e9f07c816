// @ts-check
/** Brings what the live tests need beyond npm packages: a browser, and trec_eval by way of its Python binding. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { run } from './steps.mjs'

const cache =
  process.env.QUERENT_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'querent')

/** The interpreter of the environment that has `pytrec_eval`. */
export const verifyPython = join(cache, 'verify-venv', 'bin', 'python')

/** @returns {Promise<(true | string)[]>} true, or what is missing and why */
export async function installSystem() {
  return [await installChromium(), await installTrecEval()]
}

/** @returns {Promise<true | string>} */
async function installChromium() {
  const present = async () => (await run(['chromium', '--version'], { quiet: true })) === 0
  if (await present()) return true
  console.error('system: installing chromium with apt-get')
  await run(['apt-get', 'update'], { quiet: true })
  await run(['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'], { quiet: true })
  return (await present()) || 'chromium: apt-get could not install it'
}

/** @returns {Promise<true | string>} */
async function installTrecEval() {
  const present = async () => (await run([verifyPython, '-c', 'import pytrec_eval'], { quiet: true })) === 0
  if (await present()) return true
  console.error('system: installing trec_eval’s Python binding')
  const venv = join(cache, 'verify-venv')
  if (!existsSync(verifyPython)) await run(['python3', '-m', 'venv', venv], { quiet: true })
  await run([verifyPython, '-m', 'pip', 'install', '--quiet', 'pytrec-eval-terrier==0.5.11'])
  return (await present()) || 'pytrec_eval: pip could not install it'
}
