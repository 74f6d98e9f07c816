import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PackageFolder {
  readonly path: string
  readonly version: string
}

/**
 * The folder of this package, which holds its package.json. It is looked for in the parents, since sources and built files lie at
 * different depths. Absent in an application that was bundled without it.
 */
export const packageFolder: PackageFolder | undefined = find(import.meta.url)

/** @param module its URL, which bundles in CommonJS lack */
function find(module: string | undefined): PackageFolder | undefined {
  return module === undefined ? undefined : findAbove(dirname(fileURLToPath(module)))
}

function findAbove(path: string): PackageFolder | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
      name?: string
      version?: string
    }
    if (name === 'querent' && version !== undefined) return { path, version }
  } catch {
    // No readable package.json in this folder.
  }
  const above = dirname(path)
  return above === path ? undefined : findAbove(above)
}
