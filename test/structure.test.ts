/** The layout's promises: imports run one way, without cycles, and every way into the package exists. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/** From the bottom up: a file imports from its own layer and from those before it. The first match counts. */
const layers: readonly (readonly RegExp[])[] = [
  [
    /^src\/(types|bits|rank|errors|clock|scope|random|config|sub-query|legs|forward-pass|threads|scorer|scorer-schema|softmax)\.ts$/,
  ],
  [
    /^fusion\//,
    /^adapters\/(search|models|resilience)\//,
    /^src\/(prompt|fan-out|watch|trace|trace-schema|explain)\.ts$/,
    /^src\/(evaluation|text)\//,
  ],
  [/^src\/(tools|mistakes)\.ts$/, /^src\/rerank\//],
  [/^policies\//],
  [/^src\/(search|optimizer)\.ts$/],
  [/^src\/(index-folder|training|cli)\//, /^adapters\/apps\//, /^src\/index\.ts$/],
]
const layerOf = (file: string): number =>
  layers.findIndex((patterns) => patterns.some((pattern) => pattern.test(file)))

const files = ['src', 'adapters', 'fusion', 'policies'].flatMap((folder) => filesBelow(folder)).sort()
const imports = new Map(files.map((file) => [file, importsOf(file)]))

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return entries.filter((entry) => entry.endsWith('.ts')).map((entry) => join(folder, entry))
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
  it('has its place in the layers', () => expect(layerOf(file)).toBeGreaterThanOrEqual(0))

  it('imports only from its own layer and those below', () => {
    const upwards = imports.get(file)!.filter((imported) => layerOf(imported) > layerOf(file))
    expect(upwards).toEqual([])
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
      /^(adapters|src\/cli|src\/evaluation\/report|src\/training\/report|src\/text\/stem|src\/training\/reward-server)/.test(
        file,
      )
    )
      return
    expect(outside).toEqual([])
  })
})
