// @ts-check
/** The API reference: a Markdown page for each entry of the package, from the docstrings. A warning is an error. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Application } from 'typedoc'

/**
 * Writes the pages into a folder.
 *
 * @param {string} root of the checkout
 * @param {string} out
 * @returns {Promise<readonly string[]>} the names of the entries, in the order of package.json
 */
export async function writeApi(root, out) {
  const entries = entriesOf(root)
  const app = await Application.bootstrapWithPlugins({
    entryPoints: entries.map(({ file }) => file),
    tsconfig: join(root, 'tsconfig.json'),
    // tsc has checked them, with a newer TypeScript.
    skipErrorChecking: true,
    treatWarningsAsErrors: true,
    validation: { invalidLink: true, invalidPath: true, notExported: true, notDocumented: false },
    intentionallyNotExported: passedOn,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    disableSources: true,
    readme: 'none',
    name: 'API',
    logLevel: 'Warn',
    plugin: ['typedoc-plugin-markdown'],
    ...pages,
    out,
  })
  const project = await app.convert()
  if (project !== undefined) app.validate(project)
  // Warnings are logged by then.
  if (project === undefined || app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('typedoc has complaints, above: mend the docstrings or export what they name')
  await app.generateOutputs(project)
  takeNumbersOff(out)
  return entries.map(({ name }) => name)
}

/**
 * Gives pages their names without a number. The plugin numbers a page that has the name of a type, as `fusion` has that of `Fusion`,
 * though types have no pages here.
 *
 * @param {string} out
 */
function takeNumbersOff(out) {
  const pages = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const numbered = pages.filter((name) => /-\d+\.md$/.test(name))
  const plain = (/** @type {string} */ name) => name.replace(/-\d+\.md$/, '.md')
  for (const name of numbered) {
    if (pages.includes(plain(name)))
      throw new Error(`Two pages of the API reference have the name ${plain(name)}`)
    renameSync(join(out, name), join(out, plain(name)))
  }
  for (const page of pages) {
    const path = join(out, plain(page))
    const text = readFileSync(path, 'utf8')
    const named = numbered.reduce((all, name) => all.replaceAll(basename(name), basename(plain(name))), text)
    if (named !== text) writeFileSync(path, named)
  }
}

/**
 * Types that callers pass on without looking inside: the parts of other packages that Querent uses, a connection, a policy that was
 * read from a file, the weights of a trained function.
 */
const passedOn = [
  'Cluster',
  'EngineClient',
  'Explanations',
  'FaissLibrary',
  'OnnxRuntime',
  'PolicyFile',
  'TokenizersPackage',
]

/** Options of typedoc-plugin-markdown, whose types typedoc does not know. */
const pages = /** @type {object} */ ({
  outputFileStrategy: 'modules',
  entryFileName: 'index.md',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  sanitizeComments: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideDefaults: true, hideInherited: true, hideModifiers: true, hideOverrides: true },
})

/**
 * Name and source of each entry. Patterns are left out: `fusion/*` is what its index has.
 *
 * @param {string} root
 */
function entriesOf(root) {
  /** @type {{ exports: Record<string, string | null | { types: string }> }} */
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.entries(exports).flatMap(([entry, target]) =>
    target === null || typeof target === 'string' || entry.includes('*')
      ? []
      : [
          {
            name: entry.replace(/^\./, 'querent'),
            file: join(root, target.types.replace('/dist/', '/').replace(/\.d\.ts$/, '.ts')),
          },
        ],
  )
}
