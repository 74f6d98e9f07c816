import type { Registry } from 'prom-client'
import { difyHandler, difyPath } from '../../../adapters/apps/http/dify.ts'
import { searchHandler } from '../../../adapters/apps/http/fetch.ts'
import { jsonResponse } from '../../../adapters/apps/http/json-response.ts'
import { startServer } from '../../../adapters/apps/http/node-server.ts'
import { openApiPath } from '../../../adapters/apps/http/openapi/document.ts'
import { servedApi } from '../../../adapters/apps/http/openapi/served.ts'
import { createPlayground } from '../../../adapters/apps/http/playground.ts'
import { readOnly } from '../../../adapters/apps/http/read-only.ts'
import { rerankHandler, rerankPaths } from '../../../adapters/apps/http/rerank.ts'
import { isVectorStoreSearch, vectorStoreHandler } from '../../../adapters/apps/http/vector-store.ts'
import { prometheus } from '../../../adapters/telemetry/prometheus.ts'
import { QuerentError } from '../../errors.ts'
import { version } from '../../index-folder/version.ts'
import { type SampleIndex, sampleIndex, sampleQuestion } from '../open/sample-index.ts'
import { searchedBy } from '../open/select-backends.ts'
import { localReranker, scoringBy } from '../open/served-rerank.ts'
import { openServedSearch } from '../open/served-search.ts'
import {
  accessLog,
  inProcesses,
  openRegistry,
  pageGuard,
  searchLog,
  serveUntilInterrupted,
} from '../open/serving.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { variantOf } from '../settings/variants.ts'

const defaultPort = 8178

/** `querent serve --index <dir>`, or `--sample` */
export const run: Run<SettingsOf<'serve'>> = (_, settings, terminal) =>
  inProcesses(settings, terminal, async () => {
    const sample = await sampleOf(settings, terminal)
    try {
      if (sample === undefined) await serve(settings, terminal)
      else await serve({ ...settings, index: sample.folder }, terminal, sample.page)
    } finally {
      await sample?.remove()
    }
  })

/** @throws QuerentError `bad-config` for a sample beside an index, or neither */
async function sampleOf(
  settings: SettingsOf<'serve'>,
  { signal }: Terminal,
): Promise<SampleIndex | undefined> {
  const { sample, index } = settings
  if (!sample) {
    if (index !== undefined || !searchedBy(settings, variantOf(settings).retrievers).folder) return undefined
    const remedy = 'Add it. To look around without an index: --sample. --help shows examples.'
    throw new QuerentError('bad-config', '--index is missing', { remedy })
  }
  if (index === undefined) return sampleIndex(signal)
  throw new QuerentError('bad-config', '--sample and --index exclude each other', {
    remedy: 'Leave one of them out.',
  })
}

async function serve(
  settings: SettingsOf<'serve'>,
  terminal: Terminal,
  sample?: SampleIndex['page'],
): Promise<void> {
  const registry = settings.metrics === true ? openRegistry(terminal) : undefined
  const optimizer = await openServedSearch(settings, terminal, [
    searchLog(settings, terminal),
    registry && prometheus({ registry, prices: settings.prices }),
  ])
  try {
    const saying = (what: string) => (error: Error) => say(terminal, `${what} failed: ${error.message}`)
    const served = { optimizer, onError: saying('A search') }
    const search = searchHandler({ ...served, documents: true, filter: true })
    const guard = pageGuard(settings, terminal)
    const others = optimizer.plain && { others: { none: optimizer.plain } }
    const page = guard && createPlayground({ ...served, ...guard, ...others }, 'serve', sample)
    const [vectorStore, dify] = [vectorStoreHandler(served), difyHandler(served)]
    const { name, reranker } = await localReranker(variantOf(settings))
    const rerank = rerankHandler({ name, score: scoringBy(reranker), onError: saying('Re-ranking') })
    const answer = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url)
      if (pathname === '/metrics' && registry !== undefined) return readOnly(request, () => metrics(registry))
      if (pathname === '/health') return readOnly(request, () => health(terminal))
      if (pathname === openApiPath) return readOnly(request, () => jsonResponse(servedApi(version)))
      if (pathname === difyPath) return dify(request)
      if (pathname === '/') return page?.(request, request) ?? readOnly(request, withoutPage)
      if (isVectorStoreSearch(pathname)) return vectorStore(request)
      return rerankPaths.includes(pathname) ? rerank(request) : search(request)
    }
    const server = await startServer(answer, {
      host: settings.host,
      hosts: settings.hosts,
      cors: settings.cors,
      page: page && '/',
      port: settings.port ?? defaultPort,
      onAnswered: accessLog(settings, terminal),
    })
    const { url } = server
    const lines = [
      `Listening on ${url}/search. Stop with Ctrl-C.`,
      pageHint(page !== undefined, url),
      ...(settings.sample && page !== undefined
        ? [`A first search: ${url}/?q=${encodeURIComponent(sampleQuestion)}`]
        : []),
    ]
    await serveUntilInterrupted(server, lines, settings, terminal)
  } finally {
    await optimizer.close()
  }
}

const pageHint = (isServed: boolean, url: string): string =>
  isServed
    ? `To look at searches in a browser, open ${url}/`
    : 'The page at / is off, because other machines can reach it: --set pageToken turns it on.'

const metrics = async (registry: Registry): Promise<Response> =>
  new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } })

/** What stands at `/` where the page is off. */
const withoutPage = (): Response =>
  new Response(`Querent searches at /search?q=… and describes itself at ${openApiPath}.\n`)

/** Answers 503 while stopping, so that load balancers send no more requests. */
function health({ signal }: Terminal): Response {
  const [status, word] = signal.aborted ? [503, 'stopping'] : [200, 'ok']
  return jsonResponse({ status: word, version }, { status })
}
