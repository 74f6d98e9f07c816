/** What a search found, and what was answered, for people. */
import type { Observer } from '../../observe.ts'
import { forTerminal } from '../../text/controls.ts'
import type { Hit } from '../../types.ts'
import { say, type Terminal } from './terminal.ts'
import { clip, movement } from './words.ts'

/** A document that an answer was read from. */
interface Cited {
  readonly docid: string
  readonly title?: string | undefined
  /** Where it can be opened. */
  readonly url?: string | undefined
}

/**
 * Each hit with its title, how far it moved, and the begin of its text.
 *
 * @param alone the ranks that the user's words alone would have given
 */
export const hitLines = (hits: readonly Hit[], alone: ReadonlyMap<string, number>, width = 100): string[] =>
  hits.flatMap(({ rank, docid, score, document }) => [
    [
      `${String(rank).padStart(3)}. ${clip(document?.title ?? docid)}`,
      movement(rank, alone.get(docid)),
      document?.title === undefined ? '' : docid,
      score.toFixed(4),
    ]
      .filter((part) => part !== '')
      .join('  '),
    ...(document === undefined ? [] : [`     ${clip(document.text, Math.min(width, 120) - 7)}`]),
  ])

/** A line for a question that the documents do not answer. */
export const noAnswer = 'No answer in the documents.'

/** The answer, and below it the documents that it was read from. An answer without marks of its own gets those of all documents. */
export function answerLines(answer: string, cited: readonly Cited[]): string[] {
  if (cited.length === 0) return [answer, "(read from no document: the model's own knowledge)"]
  const marked = new Set(Array.from(answer.matchAll(/\[(\d+)\]/g), ([, number]) => Number(number)))
  const shown = cited
    .map((document, place) => ({ ...document, number: place + 1 }))
    .filter(({ number }) => marked.size === 0 || marked.has(number))
  const marks = shown.map(({ number }) => `[${number}]`)
  const all = marks.length > 3 ? `${marks[0]}–${marks.at(-1)}` : marks.join(' ')
  return [
    marked.size === 0 ? `${answer} ${all}` : answer,
    ...shown.map(
      ({ number, docid, title, url }) =>
        `  [${number}] ${title ? `${clip(title)} (${docid})` : docid}${url && url !== docid ? ` ${url}` : ''}`,
    ),
  ]
}

/** A search while it runs. */
export interface LiveSearch {
  readonly observe: Observer
  /** Absent where nobody reads along: stdout is no terminal. */
  readonly onText: ((piece: string) => void) | undefined
  /** What of these lines, the first one the answer, has not been written yet. */
  unwritten(lines: readonly string[]): readonly string[]
}

/** Shows what a model asks for on stderr, and its answer on a terminal as it is written. */
export function liveSearch(terminal: Terminal): LiveSearch {
  const { isTTY = false } = terminal.stdout as { readonly isTTY?: boolean }
  let hasAsked = false
  let written = ''
  return {
    observe: {
      onStepStart({ step }) {
        // What follows in the same round is the local policy's.
        if (hasAsked && step.type === 'retrieve')
          say(terminal, `searching: ${clip(step.subQueries.map(({ text }) => text).join('; '))}`)
        hasAsked = step.type === 'ask' || (hasAsked && step.type !== 'retrieve')
      },
    },
    onText: isTTY
      ? (piece) => {
          written += piece
          terminal.stdout.write(forTerminal(piece))
        }
      : undefined,
    unwritten(lines) {
      const [first = '', ...others] = lines
      if (written === '') return lines
      return first.startsWith(written) ? [first.slice(written.length), ...others] : ['', ...lines]
    },
  }
}
