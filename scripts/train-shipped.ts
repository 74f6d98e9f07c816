/**
 * Trains the policies that the package ships, one for words, one for vectors and one for both, on the training collections
 * beside the checkout.
 *
 *     npm run train-shipped [-- bm25 dense hybrid] [--check]
 *
 * It does what can be typed: `querent index` for each collection, then `querent train` on all of them: some four minutes for
 * words and a quarter of an hour and more where every sub-query that is tried has to be embedded. Indexes are kept where
 * `npm run verify` keeps them. `--check` writes nothing, and says whether the same bytes come out: they do on one kind of
 * processor; with vectors they may differ between processors in the last digits.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ShippedName, shippedNames, shippedPath } from '../policies/local/shipped.ts'
import { runCli } from '../src/cli/run-cli.ts'

const data = fileURLToPath(new URL('../../shared/data/', import.meta.url))
const collections = ['hotpotqa-train', '2wikimultihopqa-train', 'musique-train', 'mtrag', 'scifact']

const retrievers: Readonly<Record<ShippedName, string>> = {
  bm25: 'bm25',
  dense: 'dense',
  hybrid: 'bm25,dense',
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
})
const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())
process.exitCode = await main()

async function main(): Promise<number> {
  const names = shippedNames.filter((name) => positionals.length === 0 || positionals.includes(name))
  const unknown = positionals.find((name) => !(shippedNames as readonly string[]).includes(name))
  if (unknown !== undefined)
    return fail(`No policy "${unknown}" is shipped. There are ${shippedNames.join(', ')}.`)
  const absent = collections.filter((name) => !existsSync(join(data, name)))
  if (absent.length > 0)
    return fail(
      `The collections ${absent.join(', ')} are not in ${data}: without them nothing can be trained.`,
    )
  for (const name of names) {
    console.error(`\n=== ${name}`)
    const status = await train(name)
    if (status !== 0) return status
  }
  return 0
}

async function train(name: ShippedName): Promise<number> {
  const indexes: string[] = []
  for (const collection of collections) {
    const index = indexFolder(collection, name)
    indexes.push('--index', index)
    if (existsSync(join(index, 'index.json'))) continue
    const dense = name === 'bm25' ? [] : ['--dense']
    const status = await querent('index', join(data, collection), '--out', index, ...dense)
    if (status !== 0) return status
  }
  const folder = values.check ? await mkdtemp(join(tmpdir(), 'querent-shipped-')) : undefined
  const out = folder === undefined ? shippedPath(name) : join(folder, `${name}.json`)
  try {
    const folders = collections.map((collection) => join(data, collection))
    const status = await querent(
      'train',
      ...folders,
      ...indexes,
      '--retrievers',
      retrievers[name],
      '--out',
      out,
    )
    if (status !== 0 || folder === undefined) return status
    const [shipped, trained] = await Promise.all(
      [shippedPath(name), out].map((path) => readFile(path, 'utf8')),
    )
    console.error(
      shipped === trained ? `${name}: the same bytes` : `${name}: OTHER BYTES than those that are shipped`,
    )
    return shipped === trained ? 0 : 1
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true })
  }
}

/** An index with vectors has the words, too. */
function indexFolder(collection: string, name: ShippedName): string {
  const cache =
    process.env.QUERENT_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'querent')
  const [words, vectors] = [collection, `${collection}-dense`].map((folder) => join(cache, 'verify', folder))
  return name === 'bm25' && !existsSync(join(vectors!, 'index.json')) ? words! : vectors!
}

function querent(...argv: readonly string[]): Promise<number> {
  const { stdin, stdout, stderr, env } = process
  return runCli(argv, { stdin, stdout, stderr, env, signal: interrupt.signal })
}

function fail(line: string): number {
  console.error(line)
  return 1
}
