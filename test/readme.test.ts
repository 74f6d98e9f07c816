/** The first example of the README is one that tests run, and the tree of the architecture page is that of the source. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksOf, readPage } from './support/markdown.ts'

const page = 'README.md'

it('shows examples/search.ts, which test/live runs as JavaScript, too', () => {
  expect(blocksOf(page, 'js')).toEqual([readPage('examples/search.ts')])
})

describe('the tree of the source', () => {
  const folders = foldersIn(blocksOf('docs/architecture.md', 'text')[0]!)
  const layers = ['src', 'policies', 'fusion', 'adapters', 'adapters/apps']

  it('has folders that exist', () => {
    expect(folders.filter((folder) => !existsSync(folder))).toEqual([])
  })

  it.each(layers)('has every folder of %s', (layer) => {
    const existing = readdirSync(layer, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(layer, name))
    expect(folders.filter((folder) => join(folder, '..') === layer).sort()).toEqual(existing.sort())
  })
})

/** The paths of a tree that is drawn by indentation, two spaces for each level. */
function foldersIn(tree: string): string[] {
  const parents: string[] = []
  return Array.from(tree.matchAll(/^( *)([\w-]+)\/ /gm), ([, indent, name]) => {
    const depth = indent!.length / 2
    parents.length = depth
    parents[depth] = name!
    return join(...parents)
  })
}
