/**
 * Every error that Querent throws: one class, one table of codes. A message says what happened and where; the remedy
 * says what to do about it. `cause` keeps the original error. `docs/errors.md` lists the table, and a test compares them.
 */

/** Code → its meaning, and the remedy in the message unless the place of the error has a better one. */
export const errorTable = {
  aborted: {
    meaning: 'The caller aborted the search.',
    remedy: 'Nothing to fix: the signal that you passed was aborted.',
  },
  'bad-completion': {
    meaning: 'A chat model gave an answer that the prompt does not allow.',
    remedy: 'Look at the output in the trace; a larger model or your own prompt template may help.',
  },
  'bad-config': {
    meaning: 'An option or a configuration file is wrong.',
    remedy: 'Correct the option that the message names.',
  },
  'bad-document': {
    meaning: 'A document of a corpus cannot be indexed.',
    remedy: 'Correct the line that the message names: an object with "_id" and "text".',
  },
  'bad-file': {
    meaning: 'A file does not have the format it should have.',
    remedy: 'Correct the line that the message names.',
  },
  'bad-index': {
    meaning: 'A folder is not an index that this version can open.',
    remedy: 'Make it again with `querent index`.',
  },
  'bad-list': {
    meaning: 'A ranked list cannot be fused: a score is not a finite number, or two retrievers share a name.',
    remedy: 'Fix the retriever that the message names.',
  },
  'bad-policy': {
    meaning:
      'A file is not a trained policy that this version can use: truncated, edited, too new, or for other features.',
    remedy: 'Fetch the file again, or train it again with `querent train`.',
  },
  'bad-weights': {
    meaning: 'The weights do not fit the fusion method or the lists.',
    remedy: 'Give each list one finite weight, or give none.',
  },
  'unusable-judgments': {
    meaning:
      'The judged queries are not usable for training or evaluation: no judgments, nothing relevant in the index, or nothing to choose between.',
    remedy: 'Give judged queries whose relevant documents are in the index.',
  },
  'chat-failed': {
    meaning: 'The chat server gave no answer.',
    remedy: 'Check its address, its key and its log.',
  },
  deadline: {
    meaning: 'An answer did not come before its deadline.',
    remedy: 'Raise the deadline, or make the backend faster.',
  },
  'embed-failed': {
    meaning: 'Texts could not be embedded.',
    remedy: 'Check the embedding model or its server.',
  },
  'missing-file': {
    meaning: 'A file or folder does not exist or cannot be read.',
    remedy: 'Check the path.',
  },
  'missing-key': {
    meaning: 'A server needs a key and none was given.',
    remedy: 'Set OPENAI_API_KEY or pass `apiKey`.',
  },
  'missing-model': {
    meaning: 'No embedding model could be found.',
    remedy: 'Give the folder of a model, or connect this machine to a model hub.',
  },
  'missing-package': {
    meaning: 'An optional package is not installed.',
    remedy: 'Install it, or pass it by option.',
  },
  'no-hits': {
    meaning:
      'A policy found nothing although the original query did. In traces only: the results are those of the original query.',
    remedy: 'Nothing to fix; if it happens often, look at the sub-queries in the traces.',
  },
  'not-deterministic': {
    meaning:
      'A policy made a choice of its own: the same answers of its models did not lead to the same prompts.',
    remedy:
      'A policy must not depend on the clock, random numbers, or earlier searches; ask a prompt, or use a rule.',
  },
  overloaded: {
    meaning: 'A backend is at its limits: nothing was sent.',
    remedy: 'Try again later; raise `concurrency` or `queue` only where the backend can take more.',
  },
  'rate-limited': {
    meaning: 'A model server limits the rate of requests: it answered 429.',
    remedy: 'Try again later; ask less often, or raise the limit there.',
  },
  'rerank-failed': {
    meaning: 'A re-ranker gave no usable scores. In traces only: the fused order is kept.',
    remedy: 'Check its address, its key, its model and its log.',
  },
  'retriever-failed': {
    meaning: 'A search backend failed.',
    remedy: "See the cause: it is the backend's own error.",
  },
  'budget-exceeded': {
    meaning: 'A search asked for more than its budget allows.',
    remedy: "Declare more in the policy's `budget`, and allow it in the optimizer's.",
  },
  unavailable: {
    meaning: 'A backend failed so often that its circuit breaker is open: nothing was sent.',
    remedy: "See the cause: it is the backend's last error. Try again later.",
  },
  'write-failed': {
    meaning: 'A file or folder cannot be written.',
    remedy: 'Check the path, its permissions and the space on the disk.',
  },
} as const satisfies Record<string, { meaning: string; remedy: string }>

/**
 * Says what went wrong; `docs/errors.md` has the meanings.
 *
 * @useDeclaredType
 */
export type ErrorCode = keyof typeof errorTable

/** Redacts a failure for untrusted callers: its code, and the general meaning of the code. Codes of backends are kept, too. */
export const redacted = ({
  code,
}: {
  readonly code: string
}): { readonly code: string; readonly message: string } => ({
  code,
  message: Object.hasOwn(errorTable, code)
    ? errorTable[code as ErrorCode].meaning
    : "An error that is not Querent's.",
})

/** An error of Querent's own. Errors of backends are never replaced by it: they are its `cause`, or thrown as they are. */
export class QuerentError extends Error {
  override readonly name = 'QuerentError'
  readonly code: ErrorCode
  /** What happened, without the remedy. */
  readonly what: string
  /** What to do about it; also the last sentence of the message. */
  readonly remedy: string
  /** Milliseconds after which to try again; only for `overloaded`, `rate-limited` and `unavailable`. */
  declare readonly retryAfter?: number

  constructor(
    code: ErrorCode,
    what: string,
    options: { readonly remedy?: string; readonly cause?: unknown; readonly retryAfter?: number } = {},
  ) {
    const remedy = options.remedy ?? errorTable[code].remedy
    super(`${what}. ${remedy}`, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.what = what
    this.remedy = remedy
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter
  }
}

/** Whether a caught value is a QuerentError, of that code if one is given. Works across copies of the package. */
export function isQuerentError(error: unknown, code?: ErrorCode): error is QuerentError {
  return (
    error instanceof Error &&
    error.name === 'QuerentError' &&
    (code === undefined || (error as QuerentError).code === code)
  )
}

/** The code of an error of Querent, Node or undici, which holds no words of users. `undefined` if the error has none. */
export function codeOf(error: Error): string | undefined {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** A thrown value as an `Error`. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const message: unknown =
    typeof thrown === 'object' && thrown !== null && 'message' in thrown ? thrown.message : thrown
  return new Error(String(message), { cause: thrown })
}
