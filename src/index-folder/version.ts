import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The version of this package. Its package.json is looked for upwards: sources and built files lie at other depths. */
export const version: string = readVersion(dirname(fileURLToPath(import.meta.url)))

function readVersion(folder: string): string {
  try {
    const content = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name?: string
      version?: string
    }
    if (content.name === 'querent' && content.version !== undefined) return content.version
  } catch {
    // Not here.
  }
  const above = dirname(folder)
  return above === folder ? '0.0.0' : readVersion(above)
}
