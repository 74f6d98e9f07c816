import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { QuerentError } from '../errors.ts'

/**
 * The path of a file that comes with the package.
 *
 * @param name relative to the module that needs it
 * @param module its `import.meta.url`, which bundles in CommonJS lack
 * @throws QuerentError `missing-file` if the application was bundled without the package's files
 */
export function ownFile(name: string, module: string | undefined): string {
  const path = module === undefined ? undefined : fileURLToPath(new URL(name, module))
  if (path !== undefined && existsSync(path)) return path
  throw new QuerentError('missing-file', `Querent's own file ${name} is not beside the program`, {
    remedy:
      'If the application is bundled, keep the package out of the bundle: `external: ["querent"]` (docs/production.md#bundlers).',
  })
}
