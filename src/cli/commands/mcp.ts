import { once } from 'node:events'
import { mcpHandler } from '../../../adapters/apps/agents/mcp-handler.ts'
import { type McpServerOptions, mcpServer } from '../../../adapters/apps/agents/mcp-server.ts'
import { startServer } from '../../../adapters/apps/http/node-server.ts'
import { optionalPackage } from '../../runtime/optional-package.ts'
import { mcpCalls } from '../open/mcp-calls.ts'
import { openServedSearch } from '../open/served-search.ts'
import { searchLog, serveUntilInterrupted } from '../open/serving.ts'
import { say } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'

const defaultPort = 8179

/** `querent mcp --index <dir>` */
export const run: Run<SettingsOf<'mcp'>> = async (_, settings, terminal) => {
  const protocol = await optionalPackage(
    '@modelcontextprotocol/server',
    undefined,
    () => import('@modelcontextprotocol/server/stdio'),
  )
  // Standard output carries the protocol.
  const log = searchLog(settings, { ...terminal, stdout: terminal.stderr })
  const optimizer = await openServedSearch(settings, terminal, [log])
  const options: McpServerOptions = {
    optimizer,
    answers: optimizer.answers,
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
    await optimizer.close()
  }
}
