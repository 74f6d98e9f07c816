import { once } from 'node:events'
import { mcpHandler } from '../../../adapters/apps/agents/mcp-handler.ts'
import { type McpServerOptions, mcpServer } from '../../../adapters/apps/agents/mcp-server.ts'
import { startServer } from '../../../adapters/apps/http/node-server.ts'
import { observeAll } from '../../observe.ts'
import { optionalPackage } from '../../runtime/optional-package.ts'
import { searchLog } from '../open/logs.ts'
import { mcpCalls } from '../open/mcp-calls.ts'
import { serveUntilInterrupted } from '../open/serve-until-signal.ts'
import { openServedSearch } from '../open/served-search.ts'
import { say } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'

const defaultPort = 8179

/** `querent mcp --index <dir>` */
export const runMcp: Run<SettingsOf<'mcp'>> = async (_, settings, terminal) => {
  const protocol = await optionalPackage(
    '@modelcontextprotocol/server',
    undefined,
    () => import('@modelcontextprotocol/server/stdio'),
  )
  const { search, answers, close } = await openServedSearch(settings, terminal)
  // Standard output carries the protocol.
  const log = searchLog(settings, { ...terminal, stdout: terminal.stderr })
  const options: McpServerOptions = {
    optimizer: {
      search: (query, given) => search(query, { ...given, observe: observeAll(given?.observe, log) }),
    },
    answers,
    about: settings.about,
    filter: settings.filters,
    maxHits: settings.maxHits,
    maxText: settings.maxText,
    onError: ({ message }) => say(terminal, `A call failed: ${message}`),
  }
  try {
    if (settings.http === true) {
      const { host, port = defaultPort, hosts, cors } = settings
      // The server itself checks who calls.
      const handle = await mcpHandler({ ...options, hosts: false, origins: ['*'] })
      const server = await startServer(handle, { host, port, hosts, cors })
      const lines = [`Listening on ${server.url}/mcp. Stop with Ctrl-C.`]
      await serveUntilInterrupted(server, lines, settings, terminal)
    } else {
      const { stdin, stdout, signal, clock } = terminal
      const calls = mcpCalls(clock)
      const input = calls.held(stdin)
      const transport = calls.counted(new protocol.StdioServerTransport(input, stdout))
      const served = protocol.serveStdio(await mcpServer(options), { transport })
      say(terminal, 'Speaking MCP on standard input and output. --http listens on a port instead.')
      await Promise.race([once(input, 'end'), once(input, 'close'), once(signal, 'abort')])
      await served.close()
    }
  } finally {
    await close()
  }
}
