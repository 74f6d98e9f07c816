// @ts-check
/** What `verify` prints at its end. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.mjs'

/** @typedef {import('./verify-steps.mjs').Ended} Ended */

const slowest = 20

/**
 * @param {object} all
 * @param {readonly Ended[]} all.ended
 * @param {readonly string[]} all.missing what could not be installed, and why
 * @param {readonly string[]} all.leftToFull
 * @param {number} all.seconds from the first step to the last
 * @param {boolean} all.strict whether a skipped test is a failure
 * @returns {{ readonly text: string, readonly ok: boolean }}
 */
export function summarize({ ended, missing, leftToFull, seconds, strict }) {
  const files = ended.flatMap(({ name, files }) => files.map((file) => ({ step: name, ...file })))
  const skipped = files.flatMap(({ file, skipped }) => skipped.map((name) => `${file}: ${name}`))
  const unexcused = skipped.filter((name) => !name.includes('judged collections'))
  const failures = [
    ...ended.flatMap(({ name, errors }) => errors.map((error) => `${name}: ${error}`)),
    ...files.flatMap(({ step, file, failures }) => failures.map((text) => `${step}: ${file}: ${text}`)),
  ]
  const steps = [...ended, { name: 'all', ok: ended.every(({ ok }) => ok), seconds }]
  const slow = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, slowest)
  /** @type {readonly (readonly [string, readonly string[]])[]} */
  const sections = [
    [
      'Seconds of each step:',
      steps.map((step) => `${padded(step.seconds)}  ${step.ok ? 'ok    ' : 'FAILED'} ${step.name}`),
    ],
    [
      `The ${slow.length} slowest test files:`,
      slow.map((file) => `${padded(file.seconds)}  ${file.file} (${file.step})`),
    ],
    ['Left to --full:', leftToFull],
    ['Not installed:', missing],
    ['Skipped:', skipped],
    [strict ? 'Strict: these may not be skipped:' : '', strict ? unexcused : []],
    ['Failed:', failures],
  ]
  const passed = files.reduce((sum, file) => sum + file.passed, 0)
  return {
    text: [
      ...sections
        .filter(([, lines]) => lines.length > 0)
        .map(([title, lines]) => [title, ...lines].join('\n  ')),
      `${passed} passed, ${failures.length} failed, ${skipped.length} skipped`,
    ].join('\n\n'),
    ok: ended.every(({ ok }) => ok) && !(strict && unexcused.length > 0),
  }
}

/** @param {number} seconds */
function padded(seconds) {
  return seconds.toFixed(1).padStart(7)
}

/** The rows of the table in CONTRIBUTING.md that says what each push leaves out. */
export function leftToFull() {
  const [, rest = ''] = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8').split('| With `--full` |')
  // Other tables follow this one.
  const [table = ''] = rest.split('\n\n')
  const cells = table
    .split('\n')
    .filter((line) => /^\| [^-]/.test(line))
    .map((line) => line.split('|'))
  return cells.map(([, what, push, all]) => `${what?.trim()}: ${all?.trim()} (now: ${push?.trim()})`)
}
