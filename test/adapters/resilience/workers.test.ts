/** It runs wherever there is `fetch`: Workers have neither Node's modules nor its globals. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

/** A source without comments and without type-only imports and exports. */
function codeOf(file: string): string {
  const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  return code.replaceAll(/^(?:import|export) type (?:\{[^}]*\}|\w+) from '[^']+'/gm, '')
}

function importsOf(file: string): string[] {
  const imports = codeOf(file).matchAll(/(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["']([^"']+)["']/g)
  return [...imports].map(([, name]) => name!)
}

/** All files that these reach by relative imports, and the packages that they import. */
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
