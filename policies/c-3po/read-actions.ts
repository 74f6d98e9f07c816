/** What C-3PO's agents write freely, put into the grammar that `parse.ts` reads. Where that is not possible, the text stays. */
import { explains, isRemark, type Line, linesOf, plainText } from '../reading/completion.ts'
import { documentNumbers } from '../reading/document-numbers.ts'

const name = String.raw`no[\s_-]?retrieval|retrieval|planning|llm`
/** An action where a line begins: in brackets, or alone, or with a colon. */
const beginning = new RegExp(
  String.raw`^(?:\[\s*(${name})\s*\]\s*[:–-]?\s*(.*)|(${name})(?:\s*[:–]\s*(.*)|\W*))$`,
  'i',
)
const inside = new RegExp(String.raw`\[\s*(${name})\s*\]\s*(.*)`, 'gi')
const bare = /^(retrieval)\s+(.*)$/i
/** What follows the name of an action where it is only spoken of. */
const prose =
  /^(?:\W*$|[.,;)]|(?:is|are|was|will|would|should|seems|because|since|as|and|or|with|for|the best)\b)/i

/** The action of lines, with its query behind it; `undefined` if there is none, or more than one. */
function actionIn(lines: readonly Line[]): string | undefined {
  const own = lines.filter((line) => !explains(line))
  let found = own.flatMap(({ text }, place) => {
    const [, bracketed, query = '', alone, behind = ''] = beginning.exec(text) ?? []
    return bracketed === undefined && alone === undefined
      ? []
      : [{ name: bracketed ?? alone!, query: query || behind, place }]
  })
  if (found.length === 0)
    found = own.flatMap(({ text }, place) =>
      [...text.matchAll(inside)].map(([, action, query]) => ({ name: action!, query: query!, place })),
    )
  const [, action, words] = bare.exec(own[0]?.text ?? '') ?? []
  if (found.length === 0 && own.length === 1 && action !== undefined && !prose.test(words!))
    found = [{ name: action, query: words!, place: 0 }]
  const [first] = found
  if (first === undefined || found.some((other) => shortOf(other.name) !== shortOf(first.name)))
    return undefined
  if (shortOf(first.name) !== 'retrieval') return canonical[shortOf(first.name)]
  const next = own.slice(first.place + 1).find(({ text }) => !isRemark(text))?.text ?? ''
  const query = first.query === '' ? next : first.query
  return prose.test(query) ? undefined : `[Retrieval] ${query}`
}

const shortOf = (action: string): string => action.toLowerCase().replace(/[\s_-]/g, '')
const canonical: Readonly<Record<string, string>> = {
  noretrieval: '[No Retrieval]',
  planning: '[Planning]',
  llm: '[LLM]',
}

/** The Router's completion. */
export const routeIn = (completion: string): string => actionIn(linesOf(completion)) ?? plainText(completion)

/** The thought and the lines of the action, which may stand on one line. `undefined` if one of them is missing. */
function partsOf(completion: string): { thought: string; action: readonly Line[] } | undefined {
  const lines = linesOf(plainText(completion).replace(/(?<=\S)[ \t]+(?=action\s?:)/gi, '\n'))
  const named = lines.findIndex(({ label }) => label === 'action')
  const unnamed = lines.findLastIndex(({ text }) => /^\[[^\]]*\]/.test(text))
  const at = named === -1 ? unnamed : named
  const first = lines.findIndex(({ label }) => label === 'thought')
  const before = lines
    .slice(first > at ? 0 : Math.max(0, first), Math.max(0, at))
    .filter(({ label }) => label !== 'query')
  const said =
    before.length > 0 ? before : lines.slice(at + 1).filter(({ label }) => /^(?:thought|reason)/.test(label))
  const thought = said.map(({ text }) => text).join(' ')
  return at === -1 || thought === '' ? undefined : { thought, action: lines.slice(at) }
}

/** The Decision Maker's completion. */
export function decisionIn(completion: string): string {
  const parts = partsOf(completion)
  const action = parts && actionIn(parts.action)
  return action === undefined ? plainText(completion) : `Thought: ${parts!.thought} Action: ${action}`
}

/** The Information Filter's completion. */
export function choiceIn(completion: string): string {
  const parts = partsOf(completion)
  const [first] = parts?.action ?? []
  const numbers =
    first &&
    documentNumbers(
      first.text === '' ? (parts!.action[1]?.text ?? '') : parts!.action.map(({ text }) => text).join('\n'),
    )
  return numbers === undefined
    ? plainText(completion)
    : `Thought: ${parts!.thought} Action: [${numbers.join(', ')}]`
}
