/** It runs wherever there is `fetch`: Workers have neither Node's modules nor its globals. */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { codeOf, graphOf } from '../../support/import-graph.ts'

const folder = 'adapters/resilience'
const ours = graphOf(readdirSync(folder).map((file) => resolve(folder, file)))
const cockatiel = graphOf([createRequire(import.meta.url).resolve('cockatiel')])

it('imports two packages and no modules of Node', () => {
  expect(ours.files.length).toBeGreaterThan(10)
  expect(ours.packages).toEqual(['cockatiel', 'zod'])
})

it('imports a library without dependencies', () => {
  expect(cockatiel.files.length).toBeGreaterThan(20)
  expect(cockatiel.packages).toEqual([])
})

it('uses no global that only Node has, nor does the library', () => {
  const global = /(?<![.\w])(?:process|Buffer|setImmediate|__dirname|global)\b/
  const uses = [...ours.files, ...cockatiel.files].filter((file) => global.test(codeOf(file)))
  // A fallback for a missing `performance`, which Workers have.
  expect(uses.map((file) => file.split('/').at(-1))).toEqual(['Executor.js'])
})
