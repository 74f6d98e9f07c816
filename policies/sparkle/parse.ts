/** What the model and the agents of SPARKLE write. The paper has prompts and examples but no parsers: the rules are Querent's. */
import { taggedAnswer } from '../../src/completion/final-answer.ts'
import { explains, linesOf, plainText } from '../../src/completion/lines.ts'
import { asQuery, withoutQuotes } from '../../src/completion/query-lines.ts'
import { answerF1 } from '../../src/text/answer.ts'
import { oneLine } from '../../src/text/one-line.ts'
import { withoutThoughts } from '../../src/thoughts.ts'

/** The maximum number of words of a thought, and of characters of a reasoning chain; the rest is cut. */
const longestThought = 200
const longestChain = 2000

/** The minimum F1 of words between what an agent wrote and the candidate that it means. */
const enoughShared = 0.5

/** The next thought, or the answer. */
export type Said = { readonly thought: string } | { readonly answer: string }

/** The maximum number of words of a step. What is longer are thoughts of the model's own, which come before. */
const longestStep = 80

/**
 * The answer in `<answer>…</answer>`, `\boxed{…}` or behind "Answer:", the last one, else the thought: the first text between `<think>`
 * and `</think>` that is no more than a step, or the first line of a text without these tags. Both may be empty. A model that takes
 * several steps at once is held to the first.
 *
 * @example parseThought('<think>First, who wrote it?') // { thought: 'First, who wrote it?' }
 */
export function parseThought(text: string): Said {
  const said = withoutThoughts(text) ?? ''
  const lines = linesOf(said)
  const inTags = text
    .slice(0, text.lastIndexOf(said))
    .split(/<\/think>/i)
    .map((part) => part.replace(/^[\s\S]*<think>/i, ''))
  const thoughts = inTags.map((part) => part.trim()).filter((part) => part !== '')
  const steps = thoughts.filter((part) => part.split(/\s+/, longestStep + 1).length <= longestStep)
  const answer = taggedAnswer(said) ?? lines.findLast(({ label }) => label === 'answer')?.text
  if (answer !== undefined && steps.length < 2) return { answer: answer.trim() }
  return { thought: asWords(steps[0] ?? lines[0]?.text ?? thoughts[0] ?? '') }
}

/**
 * Whether a thought itself says, in its last sentence, that something has to be found, or what the answer is. `undefined` if neither.
 *
 * @example decisionOf('Who directed it has to be found.') // true
 */
export function decisionOf(thought: string): boolean | undefined {
  const last = thought.split(/(?<=[.!?])\s+(?=\p{Lu})/u).at(-1)!
  return answers.test(last) ? false : asks.test(last) || undefined
}

const answers =
  /\b(?:the|my|final) (?:final )?answer (?:is|was|must be)(?! (?:not|still|un|what|who|which|when|where|how)\b)/i
const asks =
  /\?$|\b(?:needs?|has|have|must|next|first|should)\b[^.]{0,60}\b(?:found|find|know|known|look|determined?|identif(?:y|ied)|search)\b|\b(?:is|are) (?:still )?(?:missing|unknown)\b/i

const asWords = (text: string): string => text.trim().split(/\s+/).slice(0, longestThought).join(' ')

/**
 * Whether a search is needed: a line or a sentence that begins with yes or no, in any case, or "retrieval is (not) required".
 * `undefined` if there is neither, or both.
 *
 * @example parseDecision('Yes (retrieval is required)') // true
 */
export function parseDecision(text: string): boolean | undefined {
  const lines = linesOf(text).filter((line) => !explains(line))
  const words = lines.flatMap((line) =>
    [...line.text.matchAll(yesOrNo)].map(([, word]) => word!.toLowerCase()),
  )
  const is = new Set(words.map((word) => /^(?:yes|true|retrieval is (?:required|needed))$/.test(word)))
  return is.size === 1 ? [...is][0] : undefined
}

const yesOrNo =
  /(?<=^|[.!?:;]\s)["'(]*(yes|no|true|false|retrieval is (?:not )?(?:required|needed))(?=\s*(?:$|[,.;:!()"'–-]))/gi

/** Whether the text is one of the two decisions and nothing else. */
export const isDecision = (text: string): boolean =>
  /^(?:Yes \(retrieval is required\)|No \(retrieval is not required\))$/.test(text.trim())

/** What the Query Formulation agent writes. */
export interface Formulated {
  /** The reasoning chain, such as `<Ulysses; author; James Joyce>, <James Joyce; born in; [unknown]>`. May be empty. */
  readonly chain: string
  /** The query, at most 100 words. Empty if there is none. */
  readonly query: string
}

/**
 * The chain is what stands before Step 2, and the query is the first line after the last "Retrieval Query:" or "Step 3:", without
 * quotation marks.
 *
 * @example parseFormulated('Step 1: <a; b; c>\nStep 2: who d is\nStep 3: who is d?') // { chain: '<a; b; c>', query: 'who is d?' }
 */
export function parseFormulated(text: string): Formulated {
  const plain = plainText(text)
  const [last] = [...plain.matchAll(/(?:retrieval query|step 3|^(?:search )?query)\s*:/gim)].slice(-1)
  const after = last === undefined ? '' : plain.slice(last.index + last[0].length)
  const step2 = plain.search(/step 2\b/i)
  const chain = (step2 === -1 ? '' : plain.slice(Math.max(0, plain.search(/step 1\b/i)), step2))
    .replace(/^\s*step 1\s*:/i, '')
    .replace(/^\s*reasoning chain\s*:|(?<![\s-])[\s-]+$/gi, '')
  return {
    chain: oneLine(chain, longestChain),
    query: withoutQuotes(asQuery(linesOf(after)[0]?.text ?? '')),
  }
}

/** Whether the text has all three steps, in their order and with nothing in front. */
export function hasSteps(text: string): boolean {
  const said = text.trim()
  const [chain = ''] = /^Step 1:\s*</.exec(said) ?? []
  const third = said.lastIndexOf('\nStep 3:')
  const second = third === -1 ? -1 : said.slice(0, third).lastIndexOf('\nStep 2:')
  const isChain = chain !== '' && said.slice(chain.length, Math.max(0, second)).includes('>')
  return isChain && /^\nStep 3:[^\n]+$/.test(said.slice(third))
}

/**
 * The place of the candidate that the Knowledge Integration agent means: the one that shares the most words with the text or with one of
 * its lines. `undefined` if that is less than an F1 of 0.5. Case, punctuation and articles do not count.
 *
 * @example parseCandidate('Ulysses, author, Joyce', ['<Dublin; in; Ireland>', '<Ulysses; author; James Joyce>']) // 1
 */
export function parseCandidate(text: string, candidates: readonly string[]): number | undefined {
  const said = [text, ...linesOf(text).map((line) => line.text)]
  const shared = candidates.map((candidate) =>
    Math.max(...said.map((one) => answerF1(one, [candidate], 'space'))),
  )
  const most = Math.max(0, ...shared)
  return most >= enoughShared ? shared.indexOf(most) : undefined
}
