import { QuerentError } from '../errors.ts'

/**
 * Imports a package that Querent does not bring with it.
 *
 * @param load A literal `import()` where the types of the package are sure to be there.
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
      remedy: `Install it with \`${install}\`, or pass it by option.`,
      cause,
    })
  }
}
