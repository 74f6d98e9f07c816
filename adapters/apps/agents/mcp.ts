/**
 * Search as tools for agents, over the Model Context Protocol.
 *
 * @module querent/mcp
 */
export type { HostOptions } from '../http/guard.ts'
export { type McpHandlerOptions, mcpHandler } from './mcp-handler.ts'
export { type McpServerOptions, mcpServer } from './mcp-server.ts'
export type { SearchToolOptions } from './search-tool.ts'
