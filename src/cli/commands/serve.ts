import { searchHandler } from '../../../adapters/apps/http/fetch.ts'
import { startServer } from '../../../adapters/apps/http/node-server.ts'
import { version } from '../../index-folder/version.ts'
import { untilInterrupted } from '../open/serve-until-signal.ts'
import { openServedSearch } from '../open/served-search.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { ServeSettings } from '../settings/serve-settings.ts'

const defaultPort = 8178

/** `querent serve --index <dir>` */
export async function runServe(
  _: readonly string[],
  settings: ServeSettings,
  terminal: Terminal,
): Promise<void> {
  const optimizer = await openServedSearch(settings, terminal)
  try {
    const search = searchHandler({
      optimizer,
      documents: true,
      filter: true,
      onError: ({ message }) => say(terminal, `A search failed: ${message}`),
    })
    const server = await startServer(
      async (request) =>
        new URL(request.url).pathname === '/health' ? health(request, terminal) : search(request),
      { host: settings.host, port: settings.port ?? defaultPort },
    )
    say(terminal, `Listening on ${server.url}/search. Stop with Ctrl-C.`)
    await untilInterrupted(server, settings, terminal)
  } finally {
    await optimizer.close()
  }
}

/** Answers 503 while stopping, so that load balancers send no more requests. */
function health({ method }: Request, { signal }: Terminal): Response {
  if (method !== 'GET' && method !== 'HEAD')
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
  const [status, word] = signal.aborted ? [503, 'stopping'] : [200, 'ok']
  return Response.json({ status: word, version }, { status, headers: { 'cache-control': 'no-store' } })
}
