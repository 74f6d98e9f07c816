/** The README: its first example is one that tests run, its starts are short, and its tree is that of the source. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksOf, readPage, tableOf } from './support/markdown.ts'

const page = 'README.md'

it('shows examples/search.ts, which test/live runs as JavaScript, too', () => {
  expect(blocksOf(page, 'js')).toEqual([readPage('examples/search.ts')])
})

it('starts in at most eight lines each way', () => {
  const starts = readPage(page).split('## Three ways to start')[1]!.split('\n## ')[0]!
  const blocks = Array.from(starts.matchAll(/```\w+\n([\s\S]*?)```/g), ([, code]) => code!)
  expect(blocks).toHaveLength(3)
  for (const code of blocks) expect(code.split('\n').filter(Boolean).length).toBeLessThanOrEqual(8)
})

it('has one table of figures, with five rows', () => {
  expect(tableOf(page, 'collection')).toHaveLength(5)
})

describe('the tree of the source', () => {
  const folders = foldersIn(blocksOf(page, 'text')[0]!)
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
