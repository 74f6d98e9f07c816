/** Programs in Python that play against a running server. */
import { spawn } from 'node:child_process'
import { expect } from 'vitest'
import { ended } from './spawn-cli.ts'

/**
 * Runs a program and expects that it ends well.
 *
 * @param python the interpreter
 * @param argv the program and what it is given
 * @returns what its last line says, as JSON
 */
export async function playedBy(
  python: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const { status, errors, output } = await ended(
    spawn(python, ['-B', ...argv], { env: { ...process.env, ...env } }),
  )
  expect(status, errors.slice(-4000)).toBe(0)
  return JSON.parse(output.trimEnd().split('\n').at(-1)!)
}
