/** MCP over HTTP for everything that uses the web's `Request` and `Response`. */
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { isPath, ownPath } from '../http/options.ts'
import { problem, problemResponse } from '../http/problem.ts'
import { loadProtocol, type McpServerOptions, mcpServer } from './mcp-server.ts'

export interface McpHandlerOptions extends McpServerOptions {
  /** The only path that the handler answers. Other paths get a 404. Default: `/mcp`. */
  readonly path?: string | undefined
  /**
   * The host names under which clients reach the server, without ports. Requests for others are refused, because a page in a
   * browser could otherwise reach a server on its user's machine by a name of its own. `false`: not checked, for a server behind
   * another one that checks. Default: `localhost`, `127.0.0.1` and `[::1]`.
   */
  readonly hosts?: readonly string[] | false | undefined
  /** The host names of web pages that may call the server. Callers that are no pages are not affected. Default: those of this machine. */
  readonly origins?: readonly string[] | undefined
}

const ownShape = z.object({
  path: ownPath.default('/mcp'),
  hosts: z.union([z.array(z.string()).min(1), z.literal(false)]).optional(),
  origins: z.array(z.string()).optional(),
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
  const { path, hosts = protocol.localhostAllowedHostnames() } = own
  const { origins = protocol.localhostAllowedOrigins() } = own
  const { onError } = options
  const { fetch } = protocol.createMcpHandler(await mcpServer(others), {
    maxRequestBodySize,
    ...(onError && { onerror: onError }),
  })
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!isPath(pathname, path))
      return problemResponse(problem('not-found', `There is nothing at ${pathname}: try ${path}`))
    const refused =
      (hosts === false ? undefined : protocol.hostHeaderValidationResponse(request, hosts)) ??
      protocol.originValidationResponse(request, origins)
    return refused ?? fetch(request)
  }
}
