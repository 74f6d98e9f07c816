/**
 * Runs a handler where nothing of Node is: the globals are those of the web, text is not code, and whatever is imported
 * comes from below a folder or from zod. Prints what the handler answers to a few requests, as JSON.
 *
 *     node --experimental-vm-modules web-only.mjs <folder>
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'

const folder = /** @type {string} */ (process.argv[2])

const webGlobals = {
  AbortController,
  AbortSignal,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  clearTimeout,
  performance,
  setTimeout,
}
const context = vm.createContext(webGlobals, { codeGeneration: { strings: false, wasm: false } })

/** @type {Map<string, Promise<vm.SourceTextModule>>} */
const modules = new Map()

/** @param {string} url */
function moduleAt(url) {
  const known = modules.get(url)
  if (known !== undefined) return known
  const made = readFile(new URL(url), 'utf8').then(
    (source) => new vm.SourceTextModule(source, { context, identifier: url }),
  )
  modules.set(url, made)
  return made
}

/**
 * @param {string} specifier
 * @param {vm.Module} from
 */
function link(specifier, from) {
  if (specifier.startsWith('.')) return moduleAt(new URL(specifier, from.identifier).href)
  if (specifier === 'zod') return moduleAt(import.meta.resolve('zod'))
  throw new Error(`${from.identifier} imports ${specifier}`)
}

/** @param {string} path */
async function load(path) {
  const module = await moduleAt(pathToFileURL(join(folder, path)).href)
  await module.link(link)
  await module.evaluate()
  return /** @type {Record<string, any>} */ (module.namespace)
}

const { createOptimizer } = await load('src/index.js')
const { searchHandler } = await load('adapters/apps/http/fetch.js')

const optimizer = createOptimizer({
  retrievers: [
    {
      name: 'r',
      /** @param {readonly object[]} subQueries */
      retrieve: async (subQueries) =>
        subQueries.map((subQuery) => ({
          retriever: 'r',
          subQuery,
          hits: [{ docid: 'a', score: 1, rank: 1 }],
        })),
    },
  ],
})
const handle = searchHandler({ optimizer })
const requests = [
  new Request('http://example.org/search?q=who'),
  new Request('http://example.org/search?q=who&stream=1'),
  new Request('http://example.org/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text": "who", "k": 0}',
  }),
]
const answers = []
for (const request of requests) {
  const response = await handle(request)
  answers.push({ status: response.status, body: await response.text() })
}
process.stdout.write(JSON.stringify(answers))
