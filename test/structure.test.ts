/** The promises of the layout: who may import whom, folder by folder; no cycles; every way into the package exists. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/** What every folder may import. */
const base = ['src/types', 'src/errors', 'src/config', 'src/rank', 'src/sigmoid', 'src/text/cut']
const core = ['src/*', 'policies/none']
const outside = ['adapters/search', 'adapters/models', 'adapters/resilience', 'adapters/cache']

/**
 * What each folder may import beside itself and the base, from the bottom up. The longest name that a file begins with counts;
 * `src/*` is what lies in `src` itself.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src/runtime': [],
  'src/text': ['src/runtime'],
  'src/learn': ['src/runtime'],
  fusion: ['src/runtime'],
  'adapters/search': ['src/runtime', 'src/text'],
  'adapters/models': ['src/runtime', 'adapters/resilience'],
  'adapters/resilience': ['src/runtime'],
  'adapters/cache': ['src/runtime', 'adapters/resilience'],
  'adapters/telemetry': [...core, 'src/runtime'],
  'adapters/rerank': [...core, 'src/runtime', 'src/text', 'adapters/models'],
  'src/*': ['src/runtime', 'src/text/special-tokens', 'fusion', 'policies/none'],
  policies: [...core, 'src/runtime', 'src/text', 'src/learn', 'fusion'],
  'src/evaluation': [...core, 'src/runtime', 'src/text', 'src/learn', 'fusion'],
  'src/index-folder': [...core, 'src/runtime', 'src/text', 'adapters/search', 'adapters/models'],
  'src/training': [
    ...core,
    'src/runtime',
    'src/text',
    'src/learn',
    'src/evaluation',
    'src/index-folder',
    'fusion',
    'policies',
  ],
  'policies/local/training': ['src', 'fusion', 'policies', ...outside],
  'adapters/apps/drop-in/parse': [...core],
  'adapters/apps/drop-in/plan': [...core, 'adapters/apps/drop-in/parse', ...outside],
  'adapters/apps/drop-in/answer': [...core, 'adapters/apps/drop-in/parse', ...outside],
  'adapters/apps/drop-in/rank': [...core, 'src/text', 'src/learn', 'adapters/apps/drop-in/parse'],
  'adapters/apps/drop-in/run': [
    ...core,
    'src/runtime',
    'src/text',
    'src/learn',
    'fusion',
    'policies',
    'adapters/apps/drop-in',
    ...outside,
  ],
  'adapters/apps/http': [...core, 'src/runtime'],
  'adapters/apps/agents': [
    ...core,
    'src/runtime',
    'src/index-folder/version',
    'adapters/apps/http',
    'adapters/models',
    'adapters/rerank',
  ],
  'adapters/apps/clients': [...core, 'src/runtime', 'adapters/apps/drop-in', ...outside],
  'adapters/apps/proxy': [
    ...core,
    'src/runtime',
    'adapters/apps/drop-in',
    'adapters/apps/http',
    'adapters/telemetry',
    ...outside,
  ],
  'adapters/apps/reward-server': [
    'src',
    'fusion',
    'policies',
    'adapters/apps/http',
    'adapters/telemetry',
    ...outside,
  ],
  'src/cli': ['src', 'fusion', 'policies', 'adapters'],
}

/** The entries of the package say what is public, and may import all of it. */
const entries = new Set([
  'src/index.ts',
  'src/training/index.ts',
  'src/evaluation/index.ts',
  'policies/index.ts',
])

const folders = Object.keys(mayImport).toSorted((one, other) => other.length - one.length)
const isIn = (file: string, folder: string): boolean =>
  folder.endsWith('/*')
    ? dirname(file) === folder.slice(0, -2)
    : file === `${folder}.ts` || file.startsWith(`${folder}/`)
const folderOf = (file: string): string | undefined => folders.find((folder) => isIn(file, folder))

const files = ['src', 'adapters', 'fusion', 'policies'].flatMap((folder) => filesBelow(folder)).sort()
const imports = new Map(files.map((file) => [file, importsOf(file)]))

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const paths = entries.filter((entry) => entry.endsWith('.ts')).map((entry) => join(folder, entry))
  // It runs in the browser, as a bundle of its own.
  return paths.filter((path) => !path.startsWith('src/page/'))
}

/** Relative imports (types too) of a file, as paths from the root. */
function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const specifiers = [...source.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)].map(
    ([, specifier]) => specifier!,
  )
  return specifiers.map((specifier) => relative('.', join(dirname(file), specifier)))
}

it('reads the sources', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(imports.get('src/optimizer.ts')).toContain('policies/none.ts')
})

describe.each(files)('%s', (file) => {
  it('lies in a folder of the table', () => expect(folderOf(file)).toBeDefined())

  it('imports what its folder may import', () => {
    if (entries.has(file)) return
    const folder = folderOf(file)!
    const allowed = [folder, ...base, ...mayImport[folder]!]
    expect(imports.get(file)!.filter((imported) => !allowed.some((one) => isIn(imported, one)))).toEqual([])
  })

  it('does not import itself by way of others', () => {
    const seen = new Set<string>()
    const visit = (from: string): void => {
      for (const next of imports.get(from) ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        visit(next)
      }
    }
    visit(file)
    expect(seen.has(file)).toBe(false)
  })

  it('imports packages only where something outside is touched', () => {
    const source = readFileSync(file, 'utf8')
    const packages = [
      ...source.matchAll(/(?:^(?:import|export)\b[^']*?\bfrom\s*|\bimport\(\s*)'([^.'][^']*)'/gm),
    ].map(([, name]) => name!)
    const outside = packages.filter((name) => !name.startsWith('node:') && name !== 'zod')
    if (
      /^(adapters|src\/cli|src\/evaluation\/report|src\/text\/(stem|analyze)|src\/training\/rewards)/.test(
        file,
      )
    )
      return
    expect(outside).toEqual([])
  })
})
