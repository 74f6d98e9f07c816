/** MCP over HTTP for everything that uses the web's `Request` and `Response`. */
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { doorShape, type HostOptions, headersOf, refusalOf } from '../http/guard.ts'
import { isPath, ownPath } from '../http/options.ts'
import { problem, problemResponse } from '../http/problem.ts'
import { loadProtocol, type McpServerOptions, mcpServer } from './mcp-server.ts'

export interface McpHandlerOptions extends McpServerOptions, HostOptions {
  /** The only path that the handler answers. Other paths get a 404. Default: `/mcp`. */
  readonly path?: string | undefined
  /** The origins of other web pages that may call the server, such as `https://app.example`; `*` stands for all. Default: none. */
  readonly origins?: readonly string[] | undefined
}

const ownShape = z.object({
  path: ownPath.default('/mcp'),
  hosts: doorShape.hosts,
  origins: doorShape.cors,
})

/** The largest body in bytes: a query, a conversation and docids. */
const maxRequestBodySize = 2 ** 20

/**
 * Creates the handler. It speaks the protocol of 2026-07-28, and that of 2025 without sessions. It does not check who calls:
 * put that in front of it.
 *
 * @throws QuerentError `bad-config` that names every wrong option; `missing-package`
 */
export async function mcpHandler(
  options: McpHandlerOptions,
): Promise<(request: Request) => Promise<Response>> {
  const { path: wanted, hosts: reached, origins: calling, ...others } = options
  const own = parseConfig(ownShape, { path: wanted, hosts: reached, origins: calling }, 'mcpHandler')
  const protocol = await loadProtocol()
  const { path, hosts, origins: cors } = own
  const { onError } = options
  const { fetch } = protocol.createMcpHandler(await mcpServer(others), {
    maxRequestBodySize,
    ...(onError && { onerror: onError }),
  })
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!isPath(pathname, path))
      return problemResponse(problem('not-found', `There is nothing at ${pathname}: try ${path}`))
    const refused = refusalOf(headersOf(request), { hosts, cors })
    return refused === undefined ? fetch(request) : problemResponse(refused)
  }
}
