/** What files lead to by their imports at run time: types are gone by then. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** A source without comments and without type-only imports and exports. */
export function codeOf(file: string): string {
  const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  return code.replaceAll(/^(?:import|export) type (?:\{[^}]*\}|\w+) from '[^']+'/gm, '')
}

function importsOf(file: string): string[] {
  const imports = codeOf(file).matchAll(/(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["']([^"'\s]+)["']/g)
  return [...imports].map(([, name]) => name!)
}

/**
 * All files that these reach by relative imports, and the packages that they import.
 *
 * @param entries absolute paths
 */
export function graphOf(entries: readonly string[]): {
  readonly files: readonly string[]
  readonly packages: readonly string[]
} {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const name of importsOf(file)) {
      if (name.startsWith('.')) visit(createRequire(file).resolve(name))
      else packages.add(name)
    }
  }
  for (const entry of entries) visit(entry)
  return { files: [...files], packages: [...packages].sort() }
}
