/** Settings of `querent mcp`. */
import { searchGroups } from './search-settings.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { count, countOrZero, text } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

export const defaultMcpPort = 8179

const { history: _, json: __, ...basic } = searchGroups.Basic
const groups = {
  ...searchGroups,
  Basic: {
    ...basic,
    about: setting(text, '<words>', 'what can be found here, for the model that chooses tools'),
    filters: shared.flag('let callers send filters, in the language of the engine'),
    maxHits: setting(count, '<count>', 'most hits that a caller may ask for (default 50)'),
    maxText: setting(countOrZero, '<count>', 'characters shown of each document (default 2000)'),
  },
  Serving: {
    http: shared.flag('listen on a port, instead of standard input and output'),
    ...shared.server(defaultMcpPort),
    cors: shared.cors,
    ...shared.logs,
  },
}

export type McpSettings = ValuesOf<typeof groups>

export const mcpSettings = {
  groups,
  examples: [
    [
      'querent mcp --index my-index --about "our manuals"',
      'for a client that starts the server itself, such as Claude Desktop or VS Code',
    ],
    ['querent mcp --index my-index --http', `for clients at http://127.0.0.1:${defaultMcpPort}/mcp`],
    ['querent mcp --retrievers engine:articles', 'on a cluster that querent.json defines'],
  ],
} satisfies CommandSettings
