/** What the pages say about the code is so: tables are complete, links resolve, commands and imports exist. */
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { normalizeLists, normNames } from '../fusion/common/normalize.ts'
import { type FusionName, fusionByName, fusionNames } from '../fusion/index.ts'
import { runCli } from '../src/cli/run-cli.ts'
import { metricNames, parseMetric } from '../src/evaluation/metrics.ts'
import { summarize } from '../src/evaluation/summary.ts'
import type { Fusion, Qrels, Run } from '../src/types.ts'
import { ranked } from './fusion/lists.ts'
import { blocksOf, firstCells, pages, readPage, resolves, tableOf } from './support/markdown.ts'
import { testTerminal } from './support/test-terminal.ts'

describe('the table of fusion methods', async () => {
  const rows = tableOf('docs/fusion.md', 'method')
  const modules = await Promise.all(
    readdirSync('fusion')
      .filter((file) => file.endsWith('.ts'))
      .map((file): Promise<object> => import(/* @vite-ignore */ `../fusion/${file}`)),
  )
  const fits = new Map(
    modules.flatMap((module) => Object.entries(module).filter(([name]) => name.startsWith('fit'))),
  )
  const run: Run = new Map([['q', ranked('a', 'b').hits]])
  const qrels: Qrels = new Map([['q', new Map([['a', 1]])]])

  it('has all of them and no other', () => expect(firstCells(rows)).toEqual(fusionNames))

  it('names every function that fits', () => {
    const named = [...readPage('docs/fusion.md').matchAll(/`(fit[A-Z]\w+)`/g)].map(([, name]) => name)
    expect([...new Set(named)].sort()).toEqual([...fits.keys()].sort())
  })

  it.each(rows)('%s: weights, shares and fit are as stated', (name, _score, weights, shares, fit) => {
    const isFitted = isRefused(() => fusionByName(name as FusionName))
    expect(isFitted).toBe(fit !== '' && name !== 'rrf')
    const fusion: Fusion = fusionByName(name as FusionName, isFitted ? fits.get(fit!)([run, run], qrels) : {})
    const fuse = (given: readonly number[]) => () =>
      fusion.fuse([ranked('a', 'b'), ranked('b')], { weights: given })
    expect(isRefused(fuse([1, 2]))).toBe(weights === '')
    expect(isRefused(fuse([1, -2]))).toBe(weights !== 'yes')
    expect(fusion.term !== undefined).toBe(shares === 'yes')
  })
})

describe('the table of norms', () => {
  const rows = tableOf('docs/fusion.md', 'norm')

  it('has all of them and no other', () => expect(firstCells(rows)).toEqual(normNames))

  it.each(rows.filter(([, , constant]) => /^\d$/.test(constant!)))(
    '%s: %s of equal scores',
    (name, _, constant) => {
      const equal = { ...ranked('a', 'b'), hits: ranked('a', 'b').hits.map((hit) => ({ ...hit, score: 3 })) }
      const scores = normalizeLists([equal], name!)[0]!.hits.map(({ score }) => score)
      expect(scores).toEqual([Number(constant), Number(constant)])
    },
  )
})

describe('the table of metrics', () => {
  const rows = tableOf('docs/evaluating.md', 'metric')

  it('has all of them and no other', () => expect(firstCells(rows)).toEqual(metricNames))

  it.each(rows)('%s: cutoff and names of trec_eval are as stated', (name, _value, cutoff, trecEval) => {
    expect(isRefused(() => parseMetric(`${name}@5`))).toBe(cutoff === '')
    const grades = new Map([['a', 1]])
    const computed = (metric: string) => parseMetric(metric).compute(ranked('b', 'a', 'c').hits, grades)
    for (const same of trecEval!.split(', ').filter(Boolean)) expect(computed(same)).toBe(computed(name!))
  })
})

it('the keys of `evaluate --json` are those of its table', () => {
  const times = { total: 1, deciding: 0, retrieving: 1, fusing: 0, reranking: 0 }
  const cost = { legs: 1, asks: 1, rounds: 0, tokens: { prompt: 1, completion: 1 }, usd: 1 }
  const decided = { query: { text: 'q' }, policy: 'p', kind: 'as-is', reason: '', subQueries: [] } as const
  const counts = { ...cost, rerankings: 1, failedRerankings: 0 }
  const digest = { ...decided, ...counts, times, partial: false, strategy: '[Planning]' }
  const summary = summarize([digest], { qids: [], values: new Map([['em', new Map()]]), means: new Map() })
  expect(firstCells(tableOf('docs/evaluating.md', 'key'))).toEqual([...Object.keys(summary), 'files'])
})

it('the index of the documentation links to every page', () => {
  const index = readPage('docs/README.md')
  const names = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md')
  expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([])
})

describe.each(pages)('%s', (page) => {
  const text = readPage(page)

  it('links to what exists', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
    const relative = links.filter((link) => !/^[a-z]+:/.test(link))
    expect(relative.filter((link) => !resolves(page, link))).toEqual([])
  })

  it('names files that exist', () => {
    const paths = text.match(
      /(?<![\w/.@-])(?:src|fusion|adapters|policies|test|scripts|bench|examples|docs|integrations)\/[\w./-]*\w/g,
    )
    expect((paths ?? []).filter((path) => !existsSync(path))).toEqual([])
  })

  it('is in American English', () => {
    const prose = text.replaceAll(/```[\s\S]*?```|`[^`]*`/g, '')
    const british =
      /\b\w*(?:judgement|behaviour|colour|favour|neighbour|licence|centre\b|labelled|cancelled|normalis|randomis|optimis|recognis|time-out)\w*/gi
    expect(prose.match(british) ?? []).toEqual([])
  })

  it('imports what the package has', async () => {
    const imports = [...text.matchAll(/import \{([^}]+)\} from '(querent[^']*)'/g)]
    for (const [, list, entry] of imports) {
      const module: object = await import(sourceOf(entry!))
      const values = list!
        .split(',')
        .map((name) => name.trim())
        .filter((name) => !name.startsWith('type '))
      expect(
        values.filter((name) => !(name in module)),
        entry!,
      ).toEqual([])
    }
  })

  it('calls commands with flags that they have', async () => {
    const wrong: string[] = []
    for (const line of blocksOf(page, 'sh').flatMap(commandsOf)) {
      const [, name, rest] = /querent ([\w-]+)?(.*)/.exec(line)!
      const flags = await flagsOf(name ?? '')
      const unknown = Array.from(rest!.matchAll(/ (--?[a-z][\w-]*)/g), ([, flag]) => flag!).filter(
        (flag) => !flags.has(flag),
      )
      if (unknown.length > 0) wrong.push(`${line}: ${unknown}`)
    }
    expect(wrong).toEqual([])
  })
})

/** The lines of a shell block that run `querent`, without comments and pipes. */
const commandsOf = (block: string): string[] =>
  block
    .replaceAll('\\\n', '')
    .split('\n')
    .map((line) =>
      line
        .replace(/\s#.*/, '')
        .replace(/\|.*/, '')
        .replace(/"[^"]*"/g, '""'),
    )
    .filter((line) => /^(?:npx )?querent /.test(line))

const flagsByCommand = new Map<string, Promise<ReadonlySet<string>>>()

/** The flags that the help of a command lists, with `--no-` before those that can be negated. */
function flagsOf(command: string): Promise<ReadonlySet<string>> {
  const known = flagsByCommand.get(command)
  if (known !== undefined) return known
  const read = (async () => {
    const terminal = testTerminal()
    const status = await runCli([...(command === '' ? [] : [command]), '--help'], terminal)
    if (status !== 0) throw new Error(`There is no command ${command}: ${terminal.errors()}`)
    const flags = terminal.output().match(/(?<=^ {2}(?:-\w, )?)--?[a-z][\w-]*/gm) ?? []
    return new Set(flags.flatMap((flag) => [flag, flag.replace(/^--/, '--no-')]))
  })()
  flagsByCommand.set(command, read)
  return read
}

describe('the applications of examples/apps', () => {
  const optimized = readdirSync('examples/apps').filter((name) => name.endsWith('-optimized.ts'))

  it('are of both engines', () => expect(optimized).toHaveLength(2))

  it.each(optimized)('%s differs by an import and a line, which a page shows', (name) => {
    const [before, after] = [name.replace('-optimized', ''), name].map((file) =>
      readPage(`examples/apps/${file}`).split('\n'),
    ) as [string[], string[]]
    const removed = before.filter((line) => !after.includes(line))
    const added = after.filter((line) => !before.includes(line))
    expect([removed.length, added.length]).toEqual([1, 2])
    expect(after.length).toBe(before.length + 1)
    const diffs = pages.flatMap((page) => blocksOf(page, 'diff'))
    const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
    expect(diffs.filter((diff) => lines.every((line) => diff.includes(line)))).not.toEqual([])
  })
})

function isRefused(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch (error) {
    expect(error).toMatchObject({ name: 'QuerentError' })
    return true
  }
}

/** The source of an entry of the package, by its exports. */
function sourceOf(entry: string): string {
  const { exports } = JSON.parse(readPage('package.json')) as { exports: Record<string, { default: string }> }
  const path = entry.replace(/^querent/, '.')
  const pattern = path in exports ? path : path.replace(/[^/]+$/, '*')
  const { default: built } = exports[pattern]!
  return built.replace('./dist', '..').replace('*', path.split('/').at(-1)!).replace(/\.js$/, '.ts')
}
