/** The promises of the layout: imports run down, floor by floor, and never in circles; an entry reads little. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const core = 'src/* policies/none src/runtime'
const outside = 'adapters/search adapters/models adapters/resilience adapters/cache'

/**
 * The floors from the bottom up: folders, and what below them they may import beside the first floor, which is everybody's. `src/*`
 * is what lies in `src` itself, and the longest name counts.
 */
const floors: readonly (readonly [folders: string, below: string])[] = [
  ['src/types src/errors src/config src/rank src/sigmoid src/text/cut src/text/special-tokens', ''],
  // Helpers: they know nothing of searches.
  ['src/runtime', ''],
  ['src/text', 'src/runtime'],
  ['src/completion', ''],
  ['src/learn', 'src/runtime'],
  ['fusion', 'src/runtime'],
  // The core: a search, from its words to its hits.
  ['src/* policies/none', 'src/runtime src/text fusion'],
  // One backend, server or library each.
  ['adapters/search', 'src/runtime src/text'],
  ['adapters/resilience', 'src/runtime'],
  ['adapters/models', 'src/runtime adapters/resilience'],
  ['adapters/cache', 'src/runtime adapters/resilience'],
  ['adapters/telemetry', core],
  ['adapters/rerank', `${core} src/text src/completion adapters/models`],
  // What decides: never an adapter. The local policy re-ranks, decides by what re-ranking reads, and keeps both in a file.
  ['policies/local/rerank', `${core} src/text src/learn`],
  ['policies/local/decision', `${core} src/text src/learn policies/local/rerank`],
  ['policies/local/policy-file', `${core} src/text src/learn policies/local`],
  ['policies', `${core} src/text src/completion src/learn fusion policies`],
  // Measuring and learning.
  ['src/evaluation', `${core} src/text src/learn fusion`],
  ['src/index-folder', `${core} src/text adapters/search adapters/models`],
  ['src/training policies/local/training', 'src policies fusion'],
  // Applications. What stands before an engine first parses, and asks the engine last.
  ['adapters/apps/drop-in/parse', core],
  ['adapters/apps/drop-in/plan', `${core} ${outside} adapters/apps/drop-in/parse`],
  ['adapters/apps/drop-in/rank', `${core} src/text src/learn adapters/apps/drop-in/parse`],
  [
    'adapters/apps/drop-in/answer',
    `${core} ${outside} src/evaluation/team-draft adapters/apps/drop-in/parse`,
  ],
  [
    'adapters/apps/drop-in/run',
    `${core} ${outside} src/text src/learn fusion policies adapters/apps/drop-in`,
  ],
  ['adapters/apps/clients', `${core} ${outside} adapters/apps/drop-in`],
  ['adapters/apps/http', core],
  [
    'adapters/apps/agents',
    `${core} adapters/models adapters/rerank adapters/apps/http src/index-folder/version`,
  ],
  ['adapters/apps/proxy', `${core} ${outside} adapters/telemetry adapters/apps/http adapters/apps/drop-in`],
  ['adapters/apps/reward-server', `src fusion policies ${outside} adapters/telemetry adapters/apps/http`],
  ['src/cli', 'src fusion policies adapters'],
]

/** Files that may import all of it, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'src/index.ts': 'The main entry says what is public, of policies too.',
}

/** Where packages are imported: something outside is touched there. */
const importers =
  /^(adapters|src\/cli|src\/evaluation\/report|src\/text\/(stem|analyze)|src\/training\/rewards)/

/** Lines that an entry reads when it is imported, at most. What is chosen by options is loaded after that. */
const entries: Readonly<Record<string, number>> = {
  'adapters/apps/clients/elasticsearch.ts': 4500,
  'adapters/apps/clients/opensearch.ts': 4500,
  'adapters/apps/proxy/proxy.ts': 6650,
  'adapters/apps/http/express.ts': 2000,
  'adapters/apps/http/koa.ts': 2000,
}

const files = ['src', 'adapters', 'fusion', 'policies'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    // The page runs in the browser, as a bundle of its own.
    .filter((path) => path.endsWith('.ts') && !path.startsWith('src/page/')),
)
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

/** The imports of a file that match, as paths from the root. */
const found = (file: string, pattern: RegExp): string[] =>
  [...(sources.get(file) ?? '').matchAll(pattern)].map(([, name]) =>
    name!.startsWith('.') ? relative('.', join(dirname(file), name!)) : name!,
  )
/** Types too, and what is loaded later. */
const imports = new Map(files.map((file) => [file, found(file, /(?:from|import|import\()\s*'(\.[^']+)'/g)]))
const importsOf = (file: string) => imports.get(file) ?? []
const packagesOf = (file: string) =>
  found(file, /(?:^(?:import|export)\b[^']*?\bfrom\s*|^import\s*|\bimport\(\s*)'([^.'][^']*)'/gm)
/** What is read together with a file. */
const readWith = (file: string) =>
  found(file, /^(?:(?:import|export)\s+(?!type\b)[^'"]*?\bfrom\s+|import\s+)'(\.[^']+)'/gms)

/** All that a file reaches by these imports; itself only if there is a circle. */
function reached(file: string, next: (file: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const open = [file]
  for (let from = open.pop(); from !== undefined; from = open.pop())
    for (const one of next(from)) {
      if (!seen.has(one)) open.push(one)
      seen.add(one)
    }
  return seen
}

const isIn = (file: string, folder: string): boolean =>
  folder.endsWith('/*')
    ? dirname(file) === folder.slice(0, -2)
    : file === `${folder}.ts` || file.startsWith(`${folder}/`)

const levels = floors
  .flatMap(([folders], level) => folders.split(' ').map((folder) => ({ folder, level })))
  .sort((one, other) => other.folder.length - one.folder.length)
/** From the bottom; −1 for a file in no folder of the table. */
const levelOf = (file: string): number => levels.find(({ folder }) => isIn(file, folder))?.level ?? -1

function mayImport(file: string, imported: string): boolean {
  const [own, other] = [levelOf(file), levelOf(imported)]
  if (other <= 0 || own === other) return other >= 0
  return other < own && floors[own]![1].split(' ').some((folder) => isIn(imported, folder))
}

it('every file lies on a floor', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => levelOf(file) < 0)).toEqual([])
})

it('imports run down, where the table allows them', () => {
  const wrong = files
    .filter((file) => exceptions[file] === undefined)
    .flatMap((file) =>
      importsOf(file)
        .filter((imported) => !mayImport(file, imported))
        .map((imported) => `${file} imports ${imported}`),
    )
  expect(wrong).toEqual([])
})

it('no file imports itself by way of others', () =>
  expect(files.filter((file) => reached(file, importsOf).has(file))).toEqual([]))

it('packages are imported where something outside is touched', () => {
  const wrong = files
    .filter((file) => !importers.test(file))
    .flatMap((file) =>
      packagesOf(file)
        .filter((name) => !name.startsWith('node:') && name !== 'zod')
        .map((name) => `${file} imports ${name}`),
    )
  expect(wrong).toEqual([])
})

it.each(Object.entries(entries))('%s reads at most %d lines', (entry, most) => {
  const read = [entry, ...reached(entry, readWith)]
  const lines = read.map((file) => sources.get(file)!.split('\n').length)
  expect(read.length).toBeGreaterThan(10)
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThan(most)
})
