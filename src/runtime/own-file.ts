import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { QuerentError } from '../errors.ts'

/**
 * The path of a file that comes with the package. In the package, large files are compressed: theirs ends in `.gz`, and `unzipped` reads
 * either.
 *
 * @param name relative to the module that needs it
 * @param module its `import.meta.url`, which bundles in CommonJS lack
 * @throws QuerentError `missing-file` if the application was bundled without the package's files
 */
export function ownFile(name: string, module: string | undefined): string {
  const path = module === undefined ? undefined : fileURLToPath(new URL(name, module))
  if (path !== undefined) for (const file of [path, `${path}.gz`]) if (existsSync(file)) return file
  throw new QuerentError('missing-file', `Querent's own file ${name} is not beside the program`, {
    remedy:
      'If the application is bundled, keep the package out of the bundle: `external: ["querent"]` (docs/production.md#bundlers).',
  })
}

/** The content of a file that may be compressed with gzip. @throws Error if it is compressed, and was cut */
export const unzipped = (bytes: Uint8Array): Buffer =>
  bytes[0] === gzipMagic[0] && bytes[1] === gzipMagic[1]
    ? gunzipSync(bytes, { chunkSize })
    : Buffer.from(bytes)

/** How gzip's files begin. No text in UTF-8 begins so. */
const gzipMagic = [0x1f, 0x8b]

/** In bytes. In one piece, the near words take 8 ms; in zlib's pieces of 16 kB they take 11. */
const chunkSize = 2 ** 21
