import { QuerentError } from '../errors.ts'

/** An optional peer dependency. */
export interface OptionalPackage<T = unknown> {
  readonly name: string
  readonly load: () => Promise<T>
  /** An environment variable assignment that the installation needs. */
  readonly environment?: string
}

/**
 * Imports packages that are needed together.
 *
 * @throws QuerentError `missing-package` that names all packages that cannot be loaded, with one command that installs them
 */
export async function optionalPackages<T extends readonly unknown[]>(
  packages: { readonly [Place in keyof T]: OptionalPackage<T[Place]> },
): Promise<T> {
  const loaded = await Promise.allSettled(packages.map(({ load }) => load()))
  const failed = loaded.flatMap((one, place) =>
    one.status === 'rejected' ? [{ ...packages[place]!, reason: one.reason as unknown }] : [],
  )
  if (failed.length === 0)
    return loaded.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as T
  const names = failed.map(({ name }) => name)
  const subject = names.length === 1 ? `The package ${names[0]}` : `The packages ${listed(names)}`
  const environment = failed
    .map((one) => (one.environment === undefined ? '' : `${one.environment} `))
    .join('')
  throw new QuerentError('missing-package', `${subject} cannot be loaded`, {
    remedy: `Install ${names.length === 1 ? 'it' : 'them'} with \`${environment}npm install ${names.join(' ')}\`.`,
    cause: failed[0]!.reason,
  })
}

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/**
 * Imports an optional peer dependency.
 *
 * @param install the command that installs it. Default: `npm install <name>`
 * @param load a literal `import()`, for packages whose types are always installed. Default: an import by name
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
