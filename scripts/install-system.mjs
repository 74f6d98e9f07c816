// @ts-check
/** Brings what the live tests need beyond npm packages: a browser, Redis, Prometheus, clients in Python (of trec_eval, GEPA, OpenReward), TRL, wheels of OpenRLHF and verl, verifiers, NeMo Gym and Schemathesis. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { cache } from './engines/cache.mjs'
import { run } from './steps.mjs'

/** What the Python environments hold. For Linux on x86 pip knows PyTorch with CUDA only: 54 s and 5.6 GB, once. */
/** trec_eval's binding, and clients that need no PyTorch. 425 MB. */
const clientPackages = ['pytrec-eval-terrier==0.5.11', 'gepa==0.1.4', 'openreward==0.1.167']
const trlPackages = [
  'trl==1.16.0',
  'torch==2.15.0',
  'transformers==5.23.0',
  'datasets==5.2.0',
  'pyarrow==26.0.1',
]

/** Of OpenRLHF the oldest that the adapter of rollouts is for, the newest, and one between. They are read, not installed: 2 MB. */
const wheels = ['openrlhf==0.9.1', 'openrlhf==0.10.4', 'openrlhf==0.11.2', 'verl==0.9.1']

/** 550 MB. It needs Python 3.11. */
const verifiersPackages = ['verifiers==0.4.0']

/** 1.4 GB, for `--full` alone. It needs Python 3.12 or newer. */
const nemoGymPackages = ['nemo-gym==0.4.0']

/** 31 MB. */
const schemathesisPackages = ['schemathesis==4.32.5']

const clientsFolder = environmentOf('verify-venv', clientPackages)
const trlFolder = environmentOf('verify-trl', trlPackages)
const wheelsFolder = environmentOf('verify-wheels', wheels)
const verifiersFolder = environmentOf('verify-verifiers', verifiersPackages)
const nemoGymFolder = environmentOf('verify-nemo-gym', nemoGymPackages)
const schemathesisFolder = environmentOf('verify-schemathesis', schemathesisPackages)

/** The interpreter of the environment that has `pytrec_eval`, GEPA and OpenReward. */
export const verifyPython = join(clientsFolder, 'bin', 'python')

/** The interpreter of the environment that has TRL. */
export const trlPython = join(trlFolder, 'bin', 'python')

/** The interpreter of the environment that has verifiers. */
export const verifiersPython = join(verifiersFolder, 'bin', 'python')

/** The interpreter of the environment that has NeMo Gym. */
export const nemoGymPython = join(nemoGymFolder, 'bin', 'python')

/**
 * The wheels of a package, oldest first; none unless all are there.
 *
 * @param {'openrlhf' | 'verl'} name
 */
export function wheelsOf(name) {
  const files = existsSync(wheelsFolder) ? readdirSync(wheelsFolder) : []
  const found = wheels
    .filter((wheel) => wheel.startsWith(`${name}==`))
    .map((wheel) => files.find((file) => file.startsWith(`${wheel.replace('==', '-')}-`)))
  return found.includes(undefined) ? [] : found.map((file) => join(wheelsFolder, String(file)))
}

/** Sends requests that are generated from an OpenAPI document. */
export const schemathesis = join(schemathesisFolder, 'bin', 'schemathesis')

/**
 * The folder of a Python environment with these packages; other packages have another one.
 *
 * @param {string} name
 * @param {readonly string[]} packages
 */
function environmentOf(name, packages) {
  const digest = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12)
  return join(cache, `${name}-${digest}`)
}

/** @returns {Promise<(true | string)[]>} true, or what is missing and why */
export async function installSystem() {
  return [
    await installPython(),
    await installChromium(),
    await installRedis(),
    await installPrometheus(),
    await installClients(),
    await installTrl(),
    await fetchWheels(),
    await installVerifiers(),
    await installSchemathesis(),
    ...(process.env.QUERENT_FULL === '1' ? [await installNemoGym()] : []),
  ]
}

/**
 * A Python that can make environments: where no model hub is in reach, the embedding model comes by way of a package.
 *
 * @returns {Promise<true | string>}
 */
export function installPython() {
  return install('python3', ['python3', '-c', 'import ensurepip'], ['python3', 'python3-venv'])
}

/** @returns {Promise<true | string>} */
function installRedis() {
  const probe = ['sh', '-c', 'valkey-server --version || redis-server --version']
  return install('redis', probe, ['redis-server'])
}

/** @returns {Promise<true | string>} */
function installPrometheus() {
  return install('prometheus', ['sh', '-c', 'prometheus --version && promtool --version'], ['prometheus'])
}

/** @returns {Promise<true | string>} */
function installChromium() {
  return install('chromium', ['chromium', '--version'], ['chromium'])
}

/**
 * @param {string} name
 * @param {readonly string[]} probe a command that succeeds where it is there
 * @param {readonly string[]} packages
 * @returns {Promise<true | string>}
 */
async function install(name, probe, packages) {
  const present = async () => (await run(probe, { quiet: true })) === 0
  if (await present()) return true
  console.error(`system: installing ${packages.join(' and ')} with apt-get`)
  await run(['apt-get', 'update'], { quiet: true })
  await run(['apt-get', 'install', '-y', '--no-install-recommends', ...packages], { quiet: true })
  return (await present()) || `${name}: apt-get could not install it`
}

const installClients = () =>
  installPackages(clientsFolder, clientPackages, {
    name: 'pytrec_eval',
    what: "trec_eval's Python binding, GEPA and OpenReward",
    imports: 'pytrec_eval',
  })

const installTrl = () =>
  installPackages(trlFolder, trlPackages, { name: 'trl', what: 'TRL and PyTorch (up to 5.6 GB)' })

/**
 * Wheels alone, for whatever machine: what they need is gigabytes.
 *
 * @returns {Promise<true | string>}
 */
async function fetchWheels() {
  const isThere = () => wheelsOf('openrlhf').length > 0 && wheelsOf('verl').length > 0
  if (isThere()) return true
  console.error("system: fetching OpenRLHF's and verl's wheels")
  const platform = ['--python-version', '3.11', '--platform', 'manylinux1_x86_64']
  const alone = ['--no-deps', '--only-binary', ':all:', ...platform, '--dest', wheelsFolder]
  for (const wheel of wheels) await run([verifyPython, '-m', 'pip', 'download', '--quiet', ...alone, wheel])
  return isThere() || "wheels: pip could not fetch OpenRLHF's and verl's"
}

const installVerifiers = () => installPackages(verifiersFolder, verifiersPackages, { name: 'verifiers' })

const installSchemathesis = () =>
  installPackages(schemathesisFolder, schemathesisPackages, { name: 'Schemathesis' })

/** @returns {Promise<true | string>} */
async function installNemoGym() {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions')
  const others = existsSync(versions)
    ? readdirSync(versions).map((name) => join(versions, name, 'bin/python'))
    : []
  const isNew = 'import sys, ensurepip; assert sys.version_info >= (3, 12)'
  for (const python of ['python3', 'python3.14', 'python3.13', 'python3.12', ...others])
    if ((await run([python, '-c', isNew], { quiet: true })) === 0)
      return installPackages(nemoGymFolder, nemoGymPackages, { name: 'nemo-gym', what: 'NeMo Gym', python })
  return 'nemo-gym: there is no Python 3.12 or newer'
}

/**
 * A Python environment with these packages.
 *
 * @param {string} folder
 * @param {readonly string[]} packages each with its version
 * @param {{ readonly name: string, readonly what?: string, readonly imports?: string, readonly python?: string }} options a module to
 *   import, where that is quick, and the Python that makes the environment
 * @returns {Promise<true | string>}
 */
async function installPackages(folder, packages, { name, what = name, imports, python: base = 'python3' }) {
  const python = join(folder, 'bin', 'python')
  // Versions are read from the metadata: to import some takes seconds.
  const probe = `from importlib.metadata import version
for name, wanted in [pair.split('==') for pair in ${JSON.stringify(packages)}]: assert version(name).split('+')[0] == wanted
${imports === undefined ? '' : `import ${imports}`}`
  const present = async () => (await run([python, '-c', probe], { quiet: true })) === 0
  if (await present()) return true
  console.error(`system: installing ${what}`)
  if (!existsSync(python)) await run([base, '-m', 'venv', folder], { quiet: true })
  await run([python, '-m', 'pip', 'install', '--quiet', '--no-cache-dir', ...packages])
  return (await present()) || `${name}: pip could not install it`
}
