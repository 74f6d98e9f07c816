import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The version of this package. It searches parent folders for package.json, since sources and built files lie at different
 * depths.
 */
export const version: string = readVersion(dirname(fileURLToPath(import.meta.url)))

function readVersion(folder: string): string {
  try {
    const content = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name?: string
      version?: string
    }
    if (content.name === 'querent' && content.version !== undefined) return content.version
  } catch {
    // No readable package.json in this folder.
  }
  const above = dirname(folder)
  return above === folder ? '0.0.0' : readVersion(above)
}
