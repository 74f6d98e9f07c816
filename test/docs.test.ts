/** What the pages of docs/ say about the code is so: tables are whole, links resolve, examples are shown as they are and run. */
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { ollamaChat } from '../examples/ollama-chat.ts'
import { byRankScore, byRrf0, byRrf60 } from '../examples/rank-score.ts'
import { substringSearch } from '../examples/substring-search.ts'
import { trigramEmbedder } from '../examples/trigram-embedder.ts'
import { normalizeLists, normNames } from '../fusion/common/normalize.ts'
import { type FusionName, fusionByName, fusionNames } from '../fusion/index.ts'
import { drawSearch } from '../scripts/draw-search.mjs'
import { metricNames, parseMetric } from '../src/evaluation/metrics.ts'
import { summarize } from '../src/evaluation/summary.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Fusion, Qrels, Run } from '../src/types.ts'
import { describeEmbedder } from './adapters/models/conformance.ts'
import { testRetriever } from './adapters/search/conformance.ts'
import { docidsOf, ranked } from './fusion/lists.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]

/** The cells of the table whose first heading this is, row by row, without code marks. */
function table(page: string, heading: string): string[][] {
  const lines = read(page).split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  expect(start, `a table of "${heading}" in ${page}`).toBeGreaterThanOrEqual(0)
  return lines.slice(start + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.replaceAll('`', '').trim()),
  )
}

const names = (rows: readonly (readonly string[])[]): string[] => rows.map(([name]) => name!)

describe('the table of fusion methods', async () => {
  const rows = table('docs/fusion.md', 'method')
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

  it('has all of them and no other', () => expect(names(rows)).toEqual(fusionNames))

  it('names every function that fits', () => {
    const named = [...read('docs/fusion.md').matchAll(/`(fit[A-Z]\w+)`/g)].map(([, name]) => name)
    expect([...new Set(named)].sort()).toEqual([...fits.keys()].sort())
  })

  it.each(rows)('%s: weights, shares and fit are as said', (name, _score, weights, shares, fit) => {
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

describe('the table of normalisations', () => {
  const rows = table('docs/fusion.md', 'norm')

  it('has all of them and no other', () => expect(names(rows)).toEqual(normNames))

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
  const rows = table('docs/judging.md', 'metric')

  it('has all of them and no other', () => expect(names(rows)).toEqual(metricNames))

  it.each(rows)('%s: cut-off and names of trec_eval are as said', (name, _value, cutOff, trecEval) => {
    expect(isRefused(() => parseMetric(`${name}@5`))).toBe(cutOff === '')
    const grades = new Map([['a', 1]])
    const computed = (metric: string) => parseMetric(metric).compute(ranked('b', 'a', 'c').hits, grades)
    for (const same of trecEval!.split(', ').filter(Boolean)) expect(computed(same)).toBe(computed(name!))
  })
})

it('the keys of `evaluate --json` are those of its table', () => {
  const summary = summarize([], { qids: [], values: new Map(), means: new Map() })
  expect(names(table('docs/judging.md', 'key'))).toEqual([...Object.keys(summary), 'files'])
})

describe.each(pages)('%s', (page) => {
  const text = read(page)

  it('links to what exists', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
    const relative = links.filter((link) => !/^[a-z]+:/.test(link))
    expect(relative.filter((link) => !resolves(page, link))).toEqual([])
  })

  it('names files that exist', () => {
    const paths = text.match(
      /(?<![\w/.@-])(?:src|fusion|adapters|policies|test|scripts|bench|examples|docs)\/[\w./-]*\w/g,
    )
    expect((paths ?? []).filter((path) => !existsSync(path))).toEqual([])
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
})

describe('the applications of examples/apps', () => {
  const optimized = readdirSync('examples/apps').filter((name) => name.endsWith('-optimized.ts'))

  it('are of both engines', () => expect(optimized).toHaveLength(2))

  it.each(optimized)('%s differs by an import and a line, which the README shows', (name) => {
    const [before, after] = [name.replace('-optimized', ''), name].map((file) =>
      read(`examples/apps/${file}`).split('\n'),
    ) as [string[], string[]]
    const gone = before.filter((line) => !after.includes(line))
    const come = after.filter((line) => !before.includes(line))
    expect([gone.length, come.length]).toEqual([1, 2])
    expect(after.length).toBe(before.length + 1)
    const diff = [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)]
    for (const line of diff) expect(read('README.md')).toContain(line)
  })
})

const examples = readdirSync('examples').filter((name) => name.endsWith('.ts'))
it.each(examples)('examples/%s is shown as it is', (file) => {
  const block = `\`\`\`ts\n${read(`examples/${file}`)}\`\`\``
  expect(pages.filter((page) => read(page).includes(block))).toHaveLength(1)
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

/** Whether a link of a page leads to a file and, where it has an anchor, to one of its headings. */
function resolves(page: string, link: string): boolean {
  const [path, anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path!)
  if (!existsSync(target)) return false
  return (
    anchor === undefined ||
    [...read(target).matchAll(/^#+ (.+)$/gm)].some(([, heading]) => slug(heading!) === anchor)
  )
}

/** As GitHub makes them. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** The source of an entry of the package, by its exports. */
function sourceOf(entry: string): string {
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, { default: string }> }
  const path = entry.replace(/^querent/, '.')
  const pattern = path in exports ? path : path.replace(/[^/]+$/, '*')
  const { default: built } = exports[pattern]!
  return built.replace('./dist', '..').replace('*', path.split('/').at(-1)!).replace(/\.js$/, '.ts')
}

describe('examples', () => {
  testRetriever({ name: 'substring', create: substringSearch })

  describeEmbedder('trigrams', async (instructions) => trigramEmbedder(instructions))

  it('a misspelled name is nearest to the name', async () => {
    const texts = ['Bram Stoker', 'Mary Shelley', 'James Joyce', 'Mary Shelly']
    const vectors = await trigramEmbedder().embed(texts, { kind: 'document' })
    const cosines = vectors
      .slice(0, 3)
      .map((vector) => vector.reduce((sum, x, at) => sum + x * vectors[3]![at]!, 0))
    expect(cosines.indexOf(Math.max(...cosines))).toBe(1)
  })

  it('lists are fused as docs/fusion.md works it out by hand', () => {
    const orders = table('docs/fusion.md', 'list').map(([name, order]) => [name, order!.split(', ')])
    expect(Object.fromEntries(orders)).toEqual({
      byRankScore: docidsOf(byRankScore),
      byRrf0: docidsOf(byRrf0),
      byRrf60: docidsOf(byRrf60),
    })
    const byHand = table('docs/fusion.md', 'fused').map(([place]) => place)
    expect(byRankScore.map(({ rank, docid }) => `${rank} ${docid}`)).toEqual(byHand)
    expect(byRankScore.map(({ score }) => score)).toEqual([1, 1, 1, 1 / 3, 1 / 3])
  })

  it('a chat model on a protocol of its own answers, and says why it does not', async () => {
    const asked: unknown[] = []
    const answers = [
      { status: 200, body: { message: { content: 'Yes.' }, prompt_eval_count: 12, eval_count: 3 } },
      { status: 404, body: { error: 'no such model' } },
      { status: 200, body: { message: { content: '' } } },
    ]
    const server = createServer(async (request, response) => {
      const { status, body } = answers[asked.push(await json(request)) - 1]!
      response.writeHead(status).end(JSON.stringify(body))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const chat = ollamaChat('small', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const messages = [{ role: 'user', content: 'Does it rain?' }] as const
    try {
      expect(await chat.complete(messages, { maxTokens: 5 })).toEqual({
        text: 'Yes.',
        tokens: { prompt: 12, completion: 3 },
      })
      expect(asked).toEqual([
        { model: 'small', messages, stream: false, options: { num_ctx: 8192, num_predict: 5 } },
      ])
      await expect(chat.complete(messages)).rejects.toThrow('small answered 404: {"error":"no such model"}')
      await expect(chat.complete(messages)).rejects.toMatchObject({ code: 'chat-failed' })
      const reason = new Error('enough')
      await expect(chat.complete(messages, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    } finally {
      server.close()
    }
  })
})

describe('the picture', () => {
  const documents = ['a & b', 'ship', 'shipyard'].map((docid) => ({ docid, text: `${docid} at the quay` }))
  const search = async () => {
    const { search } = createOptimizer({ retrievers: [await substringSearch(documents)] })
    return search('<ship> "at" the \u0000 quay')
  }

  it('shows the query, the lists and the fused hits, as XML', async () => {
    const svg = drawSearch(await search(), new Set(['ship', 'lighthouse']))
    expect(svg).toContain('&lt;ship&gt; &quot;at&quot; the   quay</text>')
    expect(svg).toContain('>a &amp; b</text>')
    expect(svg).toContain('1 of 2 are among these')
    expect(svg).not.toMatch(/\0|NaN|undefined/)
    expect(svg.match(/<(?:text|g|tspan|title|svg)\b/g)).toHaveLength(
      svg.match(/<\/(?:text|g|tspan|title|svg)>/g)!.length,
    )
  })

  it('of the same search is the same', async () => {
    expect(drawSearch(await search())).toBe(drawSearch(await search()))
  })
})
