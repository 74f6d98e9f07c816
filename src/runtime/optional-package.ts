import { QuerentError } from '../errors.ts'

/**
 * Imports an optional peer dependency.
 *
 * @param install The command that installs it. Default: `npm install <name>`.
 * @param load A literal `import()`, for packages whose types are always installed. Default: an import by name.
 * @throws QuerentError `missing-package`
 */
export async function optionalPackage<T>(
  name: string,
  install: string = `npm install ${name}`,
  load: () => Promise<T> = () => import(name),
): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new QuerentError('missing-package', `The package ${name} cannot be loaded`, {
      remedy: `Install it with \`${install}\`, or pass it as an option.`,
      cause,
    })
  }
}
