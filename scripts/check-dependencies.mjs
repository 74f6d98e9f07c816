// @ts-check
/**
 * The packages that come with Querent: lists their licenses, fails where one is not among those that may be used, and asks the registry
 * for known vulnerabilities. Optional peers are the user's own choice, and are not among them.
 *
 *     node scripts/check-dependencies.mjs            licenses alone: no network
 *     node scripts/check-dependencies.mjs --audit    vulnerabilities, too; says so if the registry does not answer
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shippedPackages } from './shipped-packages.mjs'
import { root } from './steps.mjs'

/** Permissive licenses, which ask for no more than their notice. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
])

const shipped = shippedPackages(readFileSync(join(root, 'package-lock.json'), 'utf8'))
console.log(`${shipped.length} packages come with Querent: ${byLicense(shipped)}`)
const refused = shipped.filter(({ license }) => !allowed.has(license))
for (const { name, version, license } of refused)
  console.error(
    `${name} ${version} has the license ${license}, which is not among ${[...allowed].join(', ')}`,
  )
const audited = process.argv.includes('--audit') ? audit() : []
for (const line of audited) console.error(line)
process.exitCode = refused.length + audited.length === 0 ? 0 : 1

/** @param {readonly { license: string }[]} packages */
function byLicense(packages) {
  const counts = new Map()
  for (const { license } of packages) counts.set(license, (counts.get(license) ?? 0) + 1)
  return Array.from(counts, ([license, count]) => `${license} ${count}`).join(', ')
}

/** Known vulnerabilities, one a line. */
function audit() {
  const answer = auditAnswer()
  if (answer.vulnerabilities === undefined) {
    console.log(`The registry does not answer audits (${answer.message ?? 'no reason given'}): not audited.`)
    return []
  }
  const found = Object.values(answer.vulnerabilities)
  if (found.length === 0) console.log('The registry knows of no vulnerability.')
  return found.map(
    ({ name, severity, range }) => `${name} ${range} has a vulnerability (${severity}): npm audit --omit=dev`,
  )
}

/** @returns {{ message?: string, vulnerabilities?: Record<string, { name: string, severity: string, range: string }> }} */
function auditAnswer() {
  try {
    return JSON.parse(
      execFileSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }),
    )
  } catch (error) {
    // npm fails both if it found something and if it could not ask.
    try {
      return JSON.parse(String(/** @type {{ stdout?: unknown }} */ (error).stdout))
    } catch {
      return { message: 'npm gave no answer' }
    }
  }
}
