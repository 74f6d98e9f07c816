/** Runs wherever there is `fetch`: Workers have no modules of Node’s and none of its globals. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

/** A source without comments and without what is there for types only. */
function codeOf(file: string): string {
  const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  return code.replaceAll(/^(?:import|export) type (?:\{[^}]*\}|\w+) from '[^']+'/gm, '')
}

function importsOf(file: string): string[] {
  const imports = codeOf(file).matchAll(/(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["']([^"']+)["']/g)
  return [...imports].map(([, name]) => name!)
}

/** All files that are reached from these by relative imports, and the packages that they import. */
function graphOf(entries: readonly string[]): { files: string[]; packages: string[] } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const name of importsOf(file)) {
      if (!name.startsWith('.')) packages.add(name)
      else visit(createRequire(file).resolve(name))
    }
  }
  for (const entry of entries) visit(entry)
  return { files: [...files], packages: [...packages].sort() }
}

const folder = 'adapters/resilience'
const ours = graphOf(readdirSync(folder).map((file) => resolve(folder, file)))
const cockatiel = graphOf([createRequire(import.meta.url).resolve('cockatiel')])

it('imports two packages and nothing of Node’s', () => {
  expect(ours.files.length).toBeGreaterThan(10)
  expect(ours.packages).toEqual(['cockatiel', 'zod'])
})

it('the library imports nothing but itself', () => {
  expect(cockatiel.files.length).toBeGreaterThan(20)
  expect(cockatiel.packages).toEqual([])
})

it('neither uses a global that only Node has', () => {
  const global = /(?<![.\w])(?:process|Buffer|setImmediate|__dirname|global)\b/
  const uses = [...ours.files, ...cockatiel.files].filter((file) => global.test(codeOf(file)))
  // Where `performance` is missing: it is not.
  expect(uses.map((file) => file.split('/').at(-1))).toEqual(['Executor.js'])
})
