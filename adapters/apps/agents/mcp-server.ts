/** An MCP server over an optimizer: tools with which agents search, get answers, and see why they found what they found. */
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { isQuerentError, toError } from '../../../src/errors.ts'
import { version } from '../../../src/index-folder/version.ts'
import { optionalPackage } from '../../../src/runtime/optional-package.ts'
import type { GivenQuery, SearchResult } from '../../../src/types.ts'
import { problemOfError } from '../http/problem.ts'
import {
  describeSearch,
  failureText,
  queryOf,
  type SearchToolOptions,
  toolShape,
  whatIsHere,
} from './search-tool.ts'
import { answerResult, explainResult, searchResult } from './tool-results.ts'
import {
  answerInput,
  answerOutput,
  explainOutput,
  type SearchInput,
  searchInput,
  searchOutput,
} from './tool-schemas.ts'

export interface McpServerOptions extends SearchToolOptions {
  /** Whether the tool `answer` is offered, for an optimizer whose policy writes answers. Default: false. */
  readonly answers?: boolean | undefined
  /** Called with the errors of backends, and with every error that is the setup's fault. Errors are unchanged. */
  readonly onError?: ((error: Error) => void) | undefined
}

const serverSchema = z.strictObject({
  ...toolShape,
  answers: z.boolean().default(false),
  onError: z.custom<(error: Error) => void>((value) => typeof value === 'function').optional(),
})

/** Callers read; the same call may be made again. */
const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

/**
 * Returns a function that makes a server, as `serveStdio` and `createMcpHandler` of `@modelcontextprotocol/server` take it: they
 * want a new one for each connection or request. A call that the client cancels aborts its search.
 *
 * @throws QuerentError `bad-config` that names every wrong option; `missing-package`
 */
export async function mcpServer(options: McpServerOptions): Promise<() => McpServer> {
  const settings = parseConfig(serverSchema, options, 'mcpServer')
  const { about, answers, maxText, onError } = settings
  const protocol = await loadProtocol()

  function failed(thrown: unknown, { filter }: GivenQuery): CallToolResult {
    const error = toError(thrown)
    const problem = problemOfError(error, filter !== undefined)
    if (problem.status >= 500 || !isQuerentError(error)) {
      try {
        onError?.(error)
      } catch {
        // An error of the logger must not change the answer.
      }
    }
    return { isError: true, content: [{ type: 'text', text: failureText(problem) }] }
  }

  /** Runs one search. What the client cancels is not an answer. */
  async function call(
    input: SearchInput,
    { mcpReq, http }: ServerContext,
    answer: boolean,
    resultOf: (found: SearchResult) => CallToolResult,
  ): Promise<CallToolResult> {
    const signals = [mcpReq.signal, http?.req?.signal].filter((signal) => signal !== undefined)
    const signal = AbortSignal.any(signals)
    const query = queryOf(input)
    const wanted = { signal, answer, exclude: input.exclude ?? undefined, documents: true }
    try {
      return resultOf(await settings.optimizer.search(query, wanted))
    } catch (thrown) {
      signal.throwIfAborted()
      return failed(thrown, query)
    }
  }

  return () => {
    const server = new protocol.McpServer({ name: 'querent', title: 'Querent', version })
    server.registerTool(
      'search',
      {
        title: 'Search',
        description: describeSearch(about),
        inputSchema: searchInput(settings),
        outputSchema: searchOutput,
        annotations,
      },
      (input, context) => call(input, context, false, (found) => searchResult(found, maxText)),
    )
    if (answers) {
      server.registerTool(
        'answer',
        {
          title: 'Answer',
          description: `Answers a question from documents, and names those that it was read from.${whatIsHere(about)} Slower than \`search\`: a language model reads.`,
          inputSchema: answerInput(settings),
          outputSchema: answerOutput,
          annotations,
        },
        (input, context) => call(input, context, true, (found) => answerResult(found) ?? unanswered),
      )
    }
    server.registerTool(
      'explain',
      {
        title: 'Explain a search',
        description:
          'Searches like `search`, and tells why each hit is there: what was decided, which texts were searched, and which lists brought the hit at which rank. For people who ask why, not for reading.',
        inputSchema: searchInput(settings),
        outputSchema: explainOutput,
        annotations,
      },
      (input, context) => call(input, context, false, explainResult),
    )
    return server
  }
}

/** The package of the protocol, which only those who use it install. */
export const loadProtocol = () =>
  optionalPackage('@modelcontextprotocol/server', undefined, () => import('@modelcontextprotocol/server'))

const unanswered: CallToolResult = {
  isError: true,
  content: [{ type: 'text', text: 'No answer could be written. The tool `search` finds the documents.' }],
}
