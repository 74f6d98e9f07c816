// @ts-check
/**
 * Reports of the public API, one for each entry of the package, so that a change of the API shows in a diff. Reads the
 * declarations that were built.
 *
 *     npm run api                      renews the reports in `docs/api/`
 *     node scripts/api.mjs --check     fails where a report is out of date
 *
 * A type that an entry uses but does not export is public as well, and is in a report: in that of the entry that exports it,
 * else in the first one that uses it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { root } from './steps.mjs'

const folder = join(root, 'docs/api')
const scratch = join(root, '.querent', 'api')

const reports = withoutRepeats(extract(entriesOf(join(root, 'package.json'))))
mkdirSync(folder, { recursive: true })
const before = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
const changed = [...new Set([...before.keys(), ...reports.keys()])].filter(
  (name) => before.get(name) !== reports.get(name),
)
if (process.argv.includes('--check')) {
  if (changed.length > 0) {
    console.error(`The public API differs from its reports in docs/api/: ${changed.join(', ')}`)
    console.error('If the change is meant, run `npm run api` and commit the reports.')
    process.exitCode = 1
  }
} else {
  for (const name of changed) rmSync(join(folder, name), { force: true })
  for (const [name, text] of reports) writeFileSync(join(folder, name), text)
  console.log(`${reports.size} reports in docs/api/. Changed: ${changed.join(', ') || 'none'}`)
}

/**
 * Name of the report → declarations. Patterns are left out: `fusion/*` is in the report of its index.
 *
 * @param {string} path of package.json
 * @returns {Map<string, string>}
 */
function entriesOf(path) {
  /** @type {{ exports: Record<string, string | null | { types: string }> }} */
  const { exports } = JSON.parse(readFileSync(path, 'utf8'))
  return new Map(
    Object.entries(exports).flatMap(([entry, target]) =>
      target === null || typeof target === 'string' || entry.includes('*')
        ? []
        : [[`${entry === '.' ? 'querent' : entry.slice(2).replaceAll('/', '-')}.api.md`, target.types]],
    ),
  )
}

/**
 * Name of the report → text, with everything that the entry exports or uses.
 *
 * @param {ReadonlyMap<string, string>} entries
 * @returns {Map<string, string>}
 */
function extract(entries) {
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  const files = [...entries.values()].map((types) => join(root, types))
  const configs = [...entries.keys()].map((name, place) => configOf(name, files[place] ?? '', files))
  // One program for all entries, since compiling takes most of the time.
  const compilerState = CompilerState.create(/** @type {ExtractorConfig} */ (configs[0]), {
    additionalEntryPoints: files.slice(1),
  })
  for (const config of configs)
    Extractor.invoke(config, {
      compilerState,
      localBuild: true,
      messageCallback(message) {
        if (message.logLevel === ExtractorLogLevel.Error) throw new Error(message.text)
        message.handled = true
      },
    })
  return new Map([...entries.keys()].map((name) => [name, readFileSync(join(scratch, name), 'utf8')]))
}

/**
 * @param {string} name
 * @param {string} types
 * @param {readonly string[]} files
 */
function configOf(name, types, files) {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: types,
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          extends: join(root, 'tsconfig.json'),
          compilerOptions: { allowJs: false, checkJs: false, lib: ['es2023', 'dom', 'dom.iterable'] },
          files,
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: scratch,
        reportTempFolder: join(scratch, 'temp'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  })
}

/**
 * The reports without what they use and another report has.
 *
 * @param {ReadonlyMap<string, string>} reports
 * @returns {Map<string, string>}
 */
function withoutRepeats(reports) {
  /** @param {string} block */
  const isExported = (block) => /^export /m.test(block)
  /** @param {string} block */
  const isUsed = (block) =>
    /^(?:abstract |const |declare )*(?:class|const|enum|function|interface|type) /m.test(block)
  const blocks = [...reports.values()].flatMap((text) => text.split('\n\n'))
  const has = new Set(blocks.filter(isExported).map((block) => block.replace(/^export /m, '')))
  return new Map(
    [...reports].map(([name, text]) => {
      const kept = text.split('\n\n').filter((block) => {
        if (isExported(block) || !isUsed(block)) return true
        if (has.has(block)) return false
        has.add(block)
        return true
      })
      return [name, kept.join('\n\n')]
    }),
  )
}
