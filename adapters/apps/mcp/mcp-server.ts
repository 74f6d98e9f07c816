/** An MCP server over an optimizer: tools with which agents search, get answers, and see why they found what they found. */
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { count, countOrNone, having, parseConfig } from '../../../src/config.ts'
import { isQuerentError, toError } from '../../../src/errors.ts'
import { version } from '../../../src/index-folder/version.ts'
import { optionalPackage } from '../../../src/runtime/optional-package.ts'
import type { GivenQuery, SearchResult } from '../../../src/types.ts'
import type { Searcher } from '../http/options.ts'
import { problemOfError } from '../http/problem.ts'
import { answerResult, explainResult, searchResult } from './tool-results.ts'
import {
  answerInput,
  answerOutput,
  explainOutput,
  searchInput,
  searchOutput,
  type ToolInput,
} from './tool-schemas.ts'

export interface McpServerOptions {
  /** Searches for all callers. */
  readonly optimizer: Searcher
  /** What can be found here, for the model that chooses tools: "the manuals of our printers". Default: nothing is said. */
  readonly about?: string | undefined
  /** Whether the tool `answer` is offered, for an optimizer whose policy writes answers. Default: false. */
  readonly answers?: boolean | undefined
  /**
   * Whether a caller may send a filter, which goes to the retrievers unchanged. Default: false. A filter is written in the
   * language of the engine, and could ask for more than you intend.
   */
  readonly filter?: boolean | undefined
  /** The largest `k`. Default: 50. */
  readonly maxHits?: number | undefined
  /** Characters of a document that a hit shows. With 0, hits have titles alone. Default: 2000. */
  readonly maxText?: number | undefined
  /** Called with the errors of backends, and with every error that is the setup's fault. Errors are unchanged. */
  readonly onError?: ((error: Error) => void) | undefined
}

const serverShape = {
  optimizer: having<Searcher>('an optimizer', 'search'),
  about: z.string().optional(),
  answers: z.boolean().default(false),
  filter: z.boolean().default(false),
  maxHits: count.default(50),
  maxText: countOrNone.default(2000),
  onError: z.custom<(error: Error) => void>((value) => typeof value === 'function').optional(),
}

/** Callers read; the same call may be made again. */
const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

/**
 * Returns a function that makes a server, as `serveStdio` and `createMcpHandler` of `@modelcontextprotocol/server` take it: they
 * want a new one for each connection or request. A call that the client cancels aborts its search.
 *
 * @throws QuerentError `bad-config` that names every wrong option; `missing-package`
 */
export async function mcpServer(options: McpServerOptions): Promise<() => McpServer> {
  const settings = parseConfig(z.strictObject(serverShape), options, 'mcpServer')
  const { about, answers, maxText, onError } = settings
  const protocol = await loadProtocol()
  const here = about === undefined ? '' : ` What is searched: ${about}.`

  function failed(thrown: unknown, input: ToolInput): CallToolResult {
    const error = toError(thrown)
    const { detail, remedy, status } = problemOfError(error, input.filter !== undefined)
    if (status >= 500 || !isQuerentError(error)) {
      try {
        onError?.(error)
      } catch {
        // An error of the logger must not change the answer.
      }
    }
    return { isError: true, content: [{ type: 'text', text: `${detail}. ${remedy}` }] }
  }

  /** Runs one search. What the client cancels is not an answer. */
  async function call(
    input: ToolInput,
    { mcpReq, http }: ServerContext,
    answer: boolean,
    resultOf: (found: SearchResult) => CallToolResult,
  ): Promise<CallToolResult> {
    const signals = [mcpReq.signal, http?.req?.signal].filter((signal) => signal !== undefined)
    const signal = AbortSignal.any(signals)
    const { exclude } = input
    try {
      return resultOf(
        await settings.optimizer.search(queryOf(input), { signal, answer, exclude, documents: true }),
      )
    } catch (thrown) {
      signal.throwIfAborted()
      return failed(thrown, input)
    }
  }

  return () => {
    const server = new protocol.McpServer({ name: 'querent', title: 'Querent', version })
    server.registerTool(
      'search',
      {
        title: 'Search',
        description: `Finds documents. Complex questions are split into sub-queries by itself: ask them whole.${here} Pass the docids of what you have read as \`exclude\` to get further documents.`,
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
          description: `Answers a question from documents, and names those that it was read from.${here} Slower than \`search\`: a language model reads.`,
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

const queryOf = ({ query, conversation, intent, k, filter }: ToolInput): GivenQuery => ({
  text: query,
  ...(conversation && { history: conversation }),
  ...(intent !== undefined && { intent }),
  ...(k !== undefined && { k }),
  ...(filter !== undefined && { filter }),
})
